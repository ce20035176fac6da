/**
 * Caches Slack's answers for a minute, and group members by rules of their own. Callers share a call that is under way, except
 * those that ask for an answer of now.
 */
import type { webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import { failureOf } from '../client/call-slack.ts';
import type { GroupUsers } from './read-people.ts';

/** The longest time for which a right that was taken away stays cached. */
const REMEMBERED_MS = 60_000;
/** The limit of cached answers; the least recently used one is dropped first. */
export const MOST_REMEMBERED = 10_000;

/**
 * `maxAgeMs`: the age up to which a cached answer will do; 0: Slack is asked now. `isKept`: whether this answer is cached once it
 * is known: a denial may be fixed at any moment. A fault is never cached.
 */
type Reuse<T> = { maxAgeMs?: number; isKept?: (value: T) => boolean };

export function createRemembered(monotonic: () => number) {
  const answers = createCache<{ at: number; value: Promise<unknown> }>(MOST_REMEMBERED, {
    ttlMs: REMEMBERED_MS,
    now: monotonic,
  });
  return {
    /** @returns an answer as fresh as `maxAgeMs` demands @throws whatever `ask` throws */
    cached<T>(
      key: string,
      ask: () => Promise<T>,
      { maxAgeMs = REMEMBERED_MS, isKept = () => true }: Reuse<T>,
    ): Promise<T> {
      const known = answers.get(key);
      if (known && monotonic() - known.at < maxAgeMs) return known.value as Promise<T>;
      const value = ask();
      const answer = { at: monotonic(), value };
      answers.set(key, answer);
      const forget = () => answers.peek(key) === answer && answers.delete(key);
      value.then((found) => isKept(found) || forget(), forget);
      return value;
    },
    /** Clears an answer: the next caller asks Slack again; a call under way answers only those who already wait for it. */
    forget: (key: string): void => void answers.delete(key),
    forgetAll(prefix: string): void {
      for (const key of [...answers.keys()]) if (key.startsWith(prefix)) answers.delete(key);
    },
  };
}

/** Reads the members of a group. @param client if left out, the client for interactive calls */
type ReadGroup = (workspace: string, group: string, client?: webApi.WebClient) => Promise<GroupUsers>;

export type GroupMembers = ReturnType<typeof createGroupMembers>;

/** Callers within this time share one read of a group. */
const SHARED_MS = 3_000;

/**
 * The time for which Slack is not asked again about a person who was found not to be a member, unless Slack reports a change of
 * the members.
 */
const REFUSED_MS = 10_000;

const keyOf = (workspace: string, group: string) => `${workspace} ${group}`;

/**
 * Caches group members, because Slack allows twenty reads of groups a minute. Whoever was a member within the last minute counts
 * as one. For anybody else Slack is asked again; if Slack rate-limits that, its answer of the last minute applies. A person who
 * keeps trying to vote costs one read in ten seconds, so that they can't use up what decisions need.
 */
export function createGroupMembers(monotonic: () => number, readGroup: ReadGroup) {
  const lists = createCache<{ users: GroupUsers }>(MOST_REMEMBERED, { ttlMs: REMEMBERED_MS, now: monotonic });
  /** The lists that decisions have just read. */
  const recentReads = createRemembered(monotonic);
  const asking = new Map<string, { at: number; question: Promise<GroupUsers> }>();
  const refused = createCache<true>(MOST_REMEMBERED, { ttlMs: REFUSED_MS, now: monotonic });

  /** Caches a list, which is as old as its question: a process may have been frozen before it read the answer. */
  function keep(key: string, users: GroupUsers, askedAt: number): void {
    const ttl = REMEMBERED_MS - (monotonic() - askedAt);
    if (ttl > 0) lists.set(key, { users }, { ttl });
  }

  /** Shares one read among concurrent callers. A result that was cleared meanwhile is not cached. */
  function askOnce(...[workspace, group, client]: Parameters<ReadGroup>): Promise<GroupUsers> {
    const key = keyOf(workspace, group);
    const at = monotonic();
    const running = asking.get(key);
    if (running && at - running.at < SHARED_MS) return running.question;
    const isCurrent = () => asking.get(key) === asked;
    const question = readGroup(workspace, group, client)
      .then((users) => {
        if (isCurrent()) keep(key, users, at);
        return users;
      })
      .finally(() => isCurrent() && asking.delete(key));
    const asked = { at, question };
    asking.set(key, asked);
    return question;
  }

  function forget(key: string): void {
    lists.delete(key);
    for (const each of [...refused.keys()]) if (each.startsWith(`${key} `)) refused.delete(each);
    asking.delete(key);
  }

  return {
    /** See Directory.isInGroup. */
    async isInGroup(...[workspace, group, user, age]: Parameters<Directory['isInGroup']>) {
      const key = keyOf(workspace, group);
      const known = lists.get(key);
      const wasIn = known?.users?.includes(user);
      if (wasIn || (known && age === 'remembered')) return wasIn;
      if (refused.has(`${key} ${user}`)) return false;
      try {
        const users = await askOnce(workspace, group);
        const isIn = users?.includes(user);
        // If the group was cleared while Slack was asked, the person may have joined it since.
        if (isIn === false && lists.get(key)?.users === users) refused.set(`${key} ${user}`, true);
        return isIn;
      } catch (error) {
        if (known?.users && failureOf(error).code === 'ratelimited') return false;
        throw error;
      }
    },
    /** Reads the members now, or takes a list of the last minute; concurrent callers share the answer. */
    list: async (workspace: string, group: string, age: 'remembered' | 'now'): Promise<GroupUsers> =>
      (age === 'remembered' && lists.get(keyOf(workspace, group))?.users) || askOnce(workspace, group),
    /**
     * Reads the members for a decision, or shares what another decision has just read. It ignores the cache of
     * `isInGroup`, and replaces it.
     */
    readNow(...[workspace, group, client]: Parameters<ReadGroup>): Promise<GroupUsers> {
      const key = keyOf(workspace, group);
      const read = () => {
        forget(key);
        return askOnce(workspace, group, client);
      };
      return recentReads.cached(key, read, { maxAgeMs: SHARED_MS });
    },
    /** Clears the group: the next call asks Slack again, even if an answer is under way. */
    forget(workspace: string, group: string): void {
      forget(keyOf(workspace, group));
      recentReads.forget(keyOf(workspace, group));
    },
  };
}
