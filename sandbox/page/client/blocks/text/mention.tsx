import { useNames } from './names.ts';

/** A person, channel, user group or everybody, mentioned in a text. */
export function Mention({ of, id }: { of: 'user' | 'channel' | 'group' | 'broadcast'; id: string }) {
  const { users, channels, groups } = useNames();
  const shown = {
    user: `@${users[id] ?? 'unknown user'}`,
    channel: channels[id] === undefined ? '🔒 private channel' : `#${channels[id]}`,
    group: `@${groups[id] ?? 'unknown group'}`,
    broadcast: `@${id}`,
  }[of];
  return <span className="mention">{shown}</span>;
}
