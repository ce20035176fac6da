/** Texts: plain, and with Slack's formatting, emoji, mentions and links. */
import { nameToEmoji } from 'gemoji';
import { createContext, Fragment, type ReactNode, useContext } from 'react';
import { type Node, NodeType, parse } from 'slack-message-parser';
import { unescaped } from '../../../lib/unescaped.ts';
import type { TextObject } from '../../../slack/blocks/text.ts';
import type { Names } from '../../view-model/workspace.ts';
import { HOME, type Place, useNavigation } from '../navigation.ts';
import { formatSlackDate } from './slack-date.ts';

/** A text object of either kind. */
export function Text(shown: TextObject) {
  return shown.type === 'mrkdwn' ? <Mrkdwn text={shown.text} /> : <PlainText {...shown} />;
}

/** Plain text. `emoji`: whether names of emoji are drawn as such. */
export function PlainText({ text, emoji = true }: { text: string; emoji?: boolean }) {
  const parts = emoji ? text.split(/:([\w+-]+):/) : [text];
  return (
    <span className="text">
      {inOrder(parts, (part, index) => (index % 2 === 1 ? <Emoji name={part} /> : part))}
    </span>
  );
}

/** Text with Slack's formatting, mentions and links. */
export function Mrkdwn({ text }: { text: string }) {
  return <span className="text">{draw(parse(text))}</span>;
}

/** Draws the parts of one text or block. The index is their key, because all of them are drawn again when it changes. */
export const inOrder = <T,>(all: readonly T[], drawOne: (each: T, index: number) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  all.map((each, index) => <Fragment key={index}>{drawOne(each, index)}</Fragment>);

function draw(node: Node): ReactNode {
  switch (node.type) {
    case NodeType.Text:
      return unescaped(node.text);
    case NodeType.Root:
      return drawAll(node.children);
    case NodeType.Bold:
      return <strong>{drawAll(node.children)}</strong>;
    case NodeType.Italic:
      return <em>{drawAll(node.children)}</em>;
    case NodeType.Strike:
      return <s>{drawAll(node.children)}</s>;
    case NodeType.Quote:
      return <blockquote>{drawAll(node.children)}</blockquote>;
    case NodeType.Code:
      return <code>{unescaped(node.text)}</code>;
    case NodeType.PreText:
      return <pre>{unescaped(node.text)}</pre>;
    case NodeType.Emoji:
      return <Emoji name={node.name} />;
    default:
      return drawReference(node);
  }
}

const drawAll = (nodes: Node[]) => inOrder(nodes, draw);

function drawReference(node: Node): ReactNode {
  switch (node.type) {
    case NodeType.UserLink:
      return <Mention of="user" id={node.userID} />;
    case NodeType.ChannelLink:
      return <Mention of="channel" id={node.channelID} />;
    case NodeType.URL:
      return <Link url={unescaped(node.url)}>{node.label ? drawAll(node.label) : undefined}</Link>;
    case NodeType.Command:
      return drawCommand(node);
    default:
      return node.source;
  }
}

function drawCommand({ name, arguments: given, label, source }: Extract<Node, { type: NodeType.Command }>) {
  if (name === 'date') return <time>{formatSlackDate(Number(given[0]), given[1] ?? '')}</time>;
  if (name === 'subteam') return <Mention of="group" id={given[0] ?? ''} />;
  if (['here', 'channel', 'everyone'].includes(name)) return <Mention of="broadcast" id={name} />;
  return label ? drawAll(label) : source;
}

/** The names for the ids that texts mention. */
export const NamesContext = createContext<Names>({ users: {}, channels: {}, groups: {} });

/** A person, channel, user group or everybody, mentioned in a text. */
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

/** The permalink of a message. */
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

/** Returns the place on this page that a URL leads to, if it does. */
function placeOf(url: string): Place | undefined {
  const [, conversation, seconds, micros, thread] = PERMALINK.exec(url) ?? [];
  if (conversation) return { conversation, thread: thread ?? `${seconds}.${micros}` };
  return url.startsWith('slack://app?') ? { conversation: HOME } : undefined;
}

/** Slack's names that differ from those of gemoji. */
const ALSO: Record<string, string> = {
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
  octagonal_sign: '🛑',
  thinking_face: '🤔',
  hugging_face: '🤗',
  robot_face: '🤖',
  simple_smile: '🙂',
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
