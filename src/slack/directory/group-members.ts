/** Who is in a user group, as Slack says it now. */
import { failureOf } from '../client/failure.ts';
import type { GroupUsers } from './read-people.ts';
import { createLooks, MOST_REMEMBERED, REMEMBERED_MS } from './remembered.ts';

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
  const lists = new Map<string, { until: number; users: readonly string[] }>();
  const looks = createLooks<GroupUsers>(now);
  const asking = new Map<string, Promise<GroupUsers>>();
  const refused = createRefused(now);
  const keyOf = (workspace: string, group: string) => `${workspace} ${group}`;

  /** One question for all who want to know at the same moment. What was forgotten meanwhile is not kept. */
  function askOnce(key: string, ask: Ask): Promise<GroupUsers> {
    const under = asking.get(key);
    if (under) return under;
    const isCurrent = () => asking.get(key) === question;
    const question = ask()
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

  function forget(key: string): void {
    lists.delete(key);
    refused.forget(key);
    asking.delete(key);
  }

  return {
    async isInGroup(workspace, group, user, ask) {
      const key = keyOf(workspace, group);
      const known = lists.get(key);
      const fresh = known && known.until > now() ? known.users : undefined;
      if (fresh?.includes(user)) return true;
      if (refused.has(key, user)) return false;
      try {
        return refused.unless((await askOnce(key, ask))?.includes(user), key, user);
      } catch (error) {
        if (fresh && failureOf(error).code === 'ratelimited') return false;
        throw error;
      }
    },
    list: (workspace, group, ask) => askOnce(keyOf(workspace, group), ask),
    readNow(workspace, group, ask) {
      const key = keyOf(workspace, group);
      const read = async () => {
        forget(key);
        const users = await ask();
        if (users) keep(key, users);
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

/** Who was found not to be in a group a moment ago. */
function createRefused(now: () => number) {
  const until = new Map<string, Map<string, number>>();
  return {
    has: (key: string, user: string): boolean => (until.get(key)?.get(user) ?? 0) > now(),
    /** Notes a "no". @returns `isIn` */
    unless(isIn: boolean | undefined, key: string, user: string): boolean | undefined {
      if (isIn !== false) return isIn;
      const users = until.get(key) ?? new Map<string, number>();
      if (users.size >= MOST_REMEMBERED || until.size >= MOST_REMEMBERED) until.clear();
      until.set(key, users.set(user, now() + REFUSED_MS));
      return isIn;
    },
    forget: (key: string) => void until.delete(key),
  };
}
