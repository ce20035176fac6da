import { useNames } from './names.ts';

/** A person, channel, user group or everybody, mentioned in a text. */
export function Mention({ of, id }: { of: 'user' | 'channel' | 'group' | 'broadcast'; id: string }) {
  const { users, channels, groups } = useNames();
  const shown = {
    user: `@${users[id] ?? id}`,
    channel: channels[id] === undefined ? '🔒 private channel' : `#${channels[id]}`,
    group: `@${groups[id] ?? id}`,
    broadcast: `@${id}`,
  }[of];
  return <span className={`mention mention-${of}`}>{shown}</span>;
}
