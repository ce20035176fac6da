/** Draws the references in texts: people, channels, user groups, links and emoji. */
import { nameToEmoji } from 'gemoji';
import { createContext, type ReactNode, useContext } from 'react';
import type { Names } from '../../view-model/workspace.ts';
import { HOME, type Place, useNavigation } from '../navigation.ts';

export const NamesContext = createContext<Names>({ users: {}, channels: {}, groups: {} });

export function Mention({ of, id }: { of: 'user' | 'channel' | 'group' | 'broadcast'; id: string }) {
  const { users, channels, groups } = useContext(NamesContext);
  const shown = {
    user: `@${users[id] ?? 'unknown user'}`,
    channel: channels[id] === undefined ? '🔒 private channel' : `#${channels[id]}`,
    group: `@${groups[id] ?? 'unknown group'}`,
    broadcast: `@${id}`,
  }[of];
  return <span className="mention">{shown}</span>;
}

const PERMALINK = /\/archives\/(\w+)\/p(\d+)(\d{6})(?:\?.*?thread_ts=([\d.]+))?/;

/**
 * A link. A message's permalink opens the message here, and an address of the app its Home tab; other URLs are links if they
 * are web or mail addresses.
 */
export function Link({ url, children = url }: { url: string; children?: ReactNode }) {
  const { open } = useNavigation();
  const place = placeOf(url);
  if (!place && !/^(https?|mailto):/i.test(url)) return <>{children}</>;
  const within = {
    onClick: (event: { preventDefault(): void }) => {
      event.preventDefault();
      open(place ?? {});
    },
  };
  return (
    <a href={url} {...(place ? within : { target: '_blank', rel: 'noreferrer' })}>
      {children}
    </a>
  );
}

function placeOf(url: string): Place | undefined {
  const [, conversation, seconds, micros, thread] = PERMALINK.exec(url) ?? [];
  if (conversation) return { conversation, thread: thread ?? `${seconds}.${micros}` };
  return url.startsWith('slack://app?') ? { conversation: HOME } : undefined;
}

/** Slack's names that differ from those of gemoji. */
const ALSO: Record<string, string> = {
  large_green_circle: '🟢',
  octagonal_sign: '🛑',
};

const EMOJI: ReadonlyMap<string, string> = new Map(Object.entries({ ...nameToEmoji, ...ALSO }));

/** An emoji by its name, with or without a skin tone; an unknown one is shown as `:name:`, as in Slack. */
export function Emoji({ name }: { name: string }) {
  const [plain = ''] = name.split('::');
  const character = EMOJI.get(plain);
  if (!character) return <>{`:${name}:`}</>;
  return (
    <span role="img" aria-label={name} className="emoji">
      {character}
    </span>
  );
}
