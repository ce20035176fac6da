import { createContext, useContext } from 'react';
import type { Names } from '../../../view-model/workspace.ts';

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

const NamesContext = createContext<Names>({ users: {}, channels: {}, groups: {} });

/** Provides the names for the ids that texts mention. */
export const NamesProvider = NamesContext;

/** Returns the names for the ids in texts. */
export const useNames = (): Names => useContext(NamesContext);
