/** Who is in a user group, as Slack says it now. */
import { failureOf } from '../client/failure.ts';
import type { GroupUsers } from './read-people.ts';
import { createCache, createLooks } from './remembered.ts';

/** Asks Slack for the members of a group. */
type Ask = () => Promise<GroupUsers>;

export type GroupMembers = {
  /** Undefined where the group is gone or can't be read: then nobody is known to be in it. */
  isInGroup(workspace: string, group: string, user: string, ask: Ask): Promise<boolean | undefined>;
  /** The members, asked for now: whoever asks at the same moment shares the answer. */
  list(workspace: string, group: string, ask: Ask): Promise<GroupUsers>;
  /**
   * The same for a decision, or as another decision has read them a moment ago. What is remembered for `isInGroup`
   * is none of that; it is replaced.
   */
  readNow(workspace: string, group: string, ask: Ask): Promise<GroupUsers>;
  /** The next question is asked anew, also where an answer is under way. */
  forget(workspace: string, group: string): void;
};

/** Slack tells of groups twenty times a minute: requests that are decided within this time share one list. */
const SHARED_MS = 3_000;

/** For so long somebody who was not in a group is not, unless Slack tells that its members have changed. */
const REFUSED_MS = 10_000;

/**
 * Slack tells who is in a group twenty times a minute. Whoever was in it within the last minute still is; for anybody
 * else it is asked again, and where it wants us to slow down, what it said within that minute holds. Whoever keeps trying
 * to vote is asked about once in ten seconds: they must not use up what decisions need.
 */
export function createGroupMembers(now: () => number): GroupMembers {
  const lists = createCache<readonly string[]>(now);
  const looks = createLooks<GroupUsers>(now);
  const asking = new Map<string, Promise<GroupUsers>>();
  /** Who was found not to be in a group a moment ago. */
  const refused = createCache<true>(now, REFUSED_MS);
  const keyOf = (workspace: string, group: string) => `${workspace} ${group}`;

  /** One question for all who want to know at the same moment. What was forgotten meanwhile is not kept. */
  function askOnce(key: string, ask: Ask): Promise<GroupUsers> {
    const under = asking.get(key);
    if (under) return under;
    const isCurrent = () => asking.get(key) === question;
    const question = ask()
      .then((users) => {
        if (users && isCurrent()) lists.set(key, users);
        return users;
      })
      .finally(() => isCurrent() && asking.delete(key));
    asking.set(key, question);
    return question;
  }

  function forget(key: string): void {
    lists.delete(key);
    for (const each of [...refused.keys()]) if (each.startsWith(`${key} `)) refused.delete(each);
    asking.delete(key);
  }

  return {
    async isInGroup(workspace, group, user, ask) {
      const key = keyOf(workspace, group);
      const known = lists.get(key);
      if (known?.includes(user)) return true;
      if (refused.has(`${key} ${user}`)) return false;
      try {
        const isIn = (await askOnce(key, ask))?.includes(user);
        if (isIn === false) refused.set(`${key} ${user}`, true);
        return isIn;
      } catch (error) {
        if (known && failureOf(error).code === 'ratelimited') return false;
        throw error;
      }
    },
    list: (workspace, group, ask) => askOnce(keyOf(workspace, group), ask),
    readNow(workspace, group, ask) {
      const key = keyOf(workspace, group);
      const read = async () => {
        forget(key);
        const users = await ask();
        if (users) lists.set(key, users);
        return users;
      };
      return looks.look(key, read, SHARED_MS);
    },
    forget(workspace, group) {
      forget(keyOf(workspace, group));
      looks.forget(keyOf(workspace, group));
    },
  };
}
