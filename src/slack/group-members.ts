/** Who is in a user group, as Slack says it now. */
import type { Directory } from '../requests/ports.ts';
import { failureOf } from './failure.ts';
import { MOST_REMEMBERED, REMEMBERED_MS } from './remembered.ts';

/** Undefined: the group is gone, or can't be read. */
type Members = readonly string[] | undefined;

export type GroupMembers = {
  isInGroup: Directory['isInGroup'];
  /** The next question is asked anew, also where an answer is under way. */
  forget(workspace: string, group: string): void;
};

/**
 * Slack tells who is in a group twenty times a minute. Whoever was in it within the last minute still is; for anybody
 * else it is asked again, and where it wants us to slow down, what it said within that minute holds: somebody who keeps
 * trying to vote must not keep the others from it.
 */
export function createGroupMembers(
  ask: (workspace: string, group: string) => Promise<Members>,
  now: () => number,
): GroupMembers {
  const lists = new Map<string, { until: number; users: readonly string[] }>();
  const asking = new Map<string, Promise<Members>>();
  const keyOf = (workspace: string, group: string) => `${workspace} ${group}`;

  /** One question for all who want to know at the same moment. What was forgotten meanwhile is not kept. */
  function askOnce(key: string, workspace: string, group: string): Promise<Members> {
    const under = asking.get(key);
    if (under) return under;
    const isCurrent = () => asking.get(key) === question;
    const question = ask(workspace, group)
      .then((users) => {
        if (users && isCurrent()) keep(key, users);
        return users;
      })
      .finally(() => isCurrent() && asking.delete(key));
    asking.set(key, question);
    return question;
  }

  function keep(key: string, users: readonly string[]): void {
    if (lists.size >= MOST_REMEMBERED) lists.clear();
    lists.set(key, { until: now() + REMEMBERED_MS, users });
  }

  return {
    async isInGroup(workspace, group, user) {
      const key = keyOf(workspace, group);
      const known = lists.get(key);
      const fresh = known && known.until > now() ? known.users : undefined;
      if (fresh?.includes(user)) return true;
      try {
        return (await askOnce(key, workspace, group))?.includes(user);
      } catch (error) {
        if (fresh && failureOf(error).code === 'ratelimited') return false;
        throw error;
      }
    },
    forget(workspace, group) {
      lists.delete(keyOf(workspace, group));
      asking.delete(keyOf(workspace, group));
    },
  };
}
