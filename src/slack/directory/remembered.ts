/**
 * Caches Slack's answers for a moment, and the members of user groups in a way of their own, because Slack allows twenty reads
 * of user groups a minute. Concurrent callers share one call.
 */
import type { webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import { failureOf } from '../client/failure.ts';
import type { GroupUsers } from './read-people.ts';

/** A right that was taken away stays cached for at most so long. */
const REMEMBERED_MS = 60_000;
/** The limit of cached answers; the least recently used one is dropped first. */
export const MOST_REMEMBERED = 10_000;

/**
 * `maxAgeMs`: how old the answer may be that another caller was given; 0: Slack is asked now. `isKept`: whether others may be
 * given this answer once it is known: a denial may be fixed at any moment. A fault is never cached.
 */
type Reuse<T> = { maxAgeMs?: number; isKept?: (value: T) => boolean };

export type Remembered = {
  /** @returns an answer as fresh as `maxAgeMs` demands. @throws whatever `ask` throws */
  cached<T>(key: string, ask: () => Promise<T>, reuse?: Reuse<T>): Promise<T>;
  /** Clears an answer: the next caller asks Slack again; a call under way answers only those who already wait for it. */
  forget(key: string): void;
  /** The same for all keys with this prefix. */
  forgetAll(prefix: string): void;
};

/** @param now milliseconds that only ever grow */
export function createRemembered(now: () => number): Remembered {
  const answers = createCache<{ at: number; value: Promise<unknown> }>(MOST_REMEMBERED, {
    ttlMs: REMEMBERED_MS,
    now,
  });
  return {
    cached<T>(
      key: string,
      ask: () => Promise<T>,
      { maxAgeMs = REMEMBERED_MS, isKept = () => true }: Reuse<T> = {},
    ): Promise<T> {
      const known = answers.get(key);
      if (known && now() - known.at < maxAgeMs) return known.value as Promise<T>;
      const value = ask();
      const answer = { at: now(), value };
      answers.set(key, answer);
      const forget = () => answers.peek(key) === answer && answers.delete(key);
      value.then((found) => isKept(found) || forget(), forget);
      return value;
    },
    forget: (key) => void answers.delete(key),
    forgetAll(prefix) {
      for (const key of [...answers.keys()]) if (key.startsWith(prefix)) answers.delete(key);
    },
  };
}

/** Reads the members of a group. @param client if left out, the client for interactive calls */
type ReadGroup = (workspace: string, group: string, client?: webApi.WebClient) => Promise<GroupUsers>;

export type GroupMembers = {
  /** Undefined if the group is gone or unreadable, so that nobody is known to be a member. */
  isInGroup(workspace: string, group: string, user: string): Promise<boolean | undefined>;
  /** Reads the members now, or takes a list of the last minute; concurrent callers share the answer. */
  list(workspace: string, group: string, age: 'remembered' | 'now'): Promise<GroupUsers>;
  /**
   * Reads the members for a decision, or shares what another decision has just read. It ignores the cache of
   * `isInGroup`, and replaces it.
   */
  readNow: ReadGroup;
  /** Clears the group: the next call asks Slack again, even if an answer is under way. */
  forget(workspace: string, group: string): void;
};

/** Slack allows twenty reads of groups a minute: callers within this time share one read. */
const SHARED_MS = 3_000;

/** The time for which a non-member counts as one, unless Slack reports a change of the members. */
const REFUSED_MS = 10_000;

const keyOf = (workspace: string, group: string) => `${workspace} ${group}`;

/**
 * Caches group members, because Slack allows twenty reads a minute. A member within the last minute still is one. For
 * anybody else Slack is asked again; if Slack rate-limits that, its answer of the last minute applies. A person who
 * keeps trying to vote costs one read in ten seconds, so that they can't use up what decisions need.
 */
export function createGroupMembers(now: () => number, readGroup: ReadGroup): GroupMembers {
  const lists = createCache<readonly string[]>(MOST_REMEMBERED, { ttlMs: REMEMBERED_MS, now });
  /** The lists that decisions have just read. */
  const looks = createRemembered(now);
  const asking = new Map<string, { at: number; question: Promise<GroupUsers> }>();
  /** People who were just found not to be members. */
  const refused = createCache<true>(MOST_REMEMBERED, { ttlMs: REFUSED_MS, now });

  /** A list is as old as its question: a process may have been frozen before it read the answer. */
  function keep(key: string, users: readonly string[], askedAt: number): void {
    const ttl = REMEMBERED_MS - (now() - askedAt);
    if (ttl > 0) lists.set(key, users, { ttl });
  }

  /** Shares one read among concurrent callers. A result that was cleared meanwhile is not cached. */
  function askOnce(...[workspace, group, client]: Parameters<ReadGroup>): Promise<GroupUsers> {
    const key = keyOf(workspace, group);
    const at = now();
    const under = asking.get(key);
    if (under && at - under.at < SHARED_MS) return under.question;
    const isCurrent = () => asking.get(key) === made;
    const question = readGroup(workspace, group, client)
      .then((users) => {
        if (users && isCurrent()) keep(key, users, at);
        return users;
      })
      .finally(() => isCurrent() && asking.delete(key));
    const made = { at, question };
    asking.set(key, made);
    return question;
  }

  function forget(key: string): void {
    lists.delete(key);
    for (const each of [...refused.keys()]) if (each.startsWith(`${key} `)) refused.delete(each);
    asking.delete(key);
  }

  return {
    async isInGroup(workspace, group, user) {
      const key = keyOf(workspace, group);
      const known = lists.get(key);
      if (known?.includes(user)) return true;
      if (refused.has(`${key} ${user}`)) return false;
      try {
        const isIn = (await askOnce(workspace, group))?.includes(user);
        if (isIn === false) refused.set(`${key} ${user}`, true);
        return isIn;
      } catch (error) {
        if (known && failureOf(error).code === 'ratelimited') return false;
        throw error;
      }
    },
    list: async (workspace, group, age) =>
      (age === 'remembered' && lists.get(keyOf(workspace, group))) || askOnce(workspace, group),
    readNow(workspace, group, client) {
      const key = keyOf(workspace, group);
      const read = () => {
        forget(key);
        return askOnce(workspace, group, client);
      };
      return looks.cached(key, read, { maxAgeMs: SHARED_MS });
    },
    forget(workspace, group) {
      forget(keyOf(workspace, group));
      looks.forget(keyOf(workspace, group));
    },
  };
}
