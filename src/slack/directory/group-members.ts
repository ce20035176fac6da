/** Reads the members of user groups, with Slack's low rate limit in mind, and lists the groups. */
import type { webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import { failureOf, platformCode } from '../client/failure.ts';
import type { GroupUsers } from './read-people.ts';
import { createRemembered, MOST_REMEMBERED, REMEMBERED_MS } from './remembered.ts';

/** Asks Slack for the members of a group. */
type Ask = () => Promise<GroupUsers>;

export type GroupMembers = {
  /** Undefined if the group is gone or unreadable, so that nobody is known to be a member. */
  isInGroup(workspace: string, group: string, user: string, ask: Ask): Promise<boolean | undefined>;
  /** Reads the members now, or takes a list of the last minute; concurrent callers share the answer. */
  list(workspace: string, group: string, age: 'remembered' | 'now', ask: Ask): Promise<GroupUsers>;
  /**
   * Reads the members for a decision, or shares what another decision has just read. It ignores the cache of
   * `isInGroup`, and replaces it.
   */
  readNow(workspace: string, group: string, ask: Ask): Promise<GroupUsers>;
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
export function createGroupMembers(now: () => number): GroupMembers {
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
  function askOnce(key: string, ask: Ask): Promise<GroupUsers> {
    const at = now();
    const under = asking.get(key);
    if (under && at - under.at < SHARED_MS) return under.question;
    const isCurrent = () => asking.get(key) === made;
    const question = ask()
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
    list: async (workspace, group, age, ask) =>
      (age === 'remembered' && lists.get(keyOf(workspace, group))) || askOnce(keyOf(workspace, group), ask),
    readNow(workspace, group, ask) {
      const key = keyOf(workspace, group);
      const read = () => {
        forget(key);
        return askOnce(key, ask);
      };
      return looks.cached(key, read, { maxAgeMs: SHARED_MS });
    },
    forget(workspace, group) {
      forget(keyOf(workspace, group));
      looks.forget(keyOf(workspace, group));
    },
  };
}

/** A user group for display. */
export type UserGroup = { id: string; name: string };

/** Names a group. One that is gone or unreadable is shown by its id, because it still applies until it is changed. */
export async function nameGroup(client: webApi.WebClient, workspace: string, id: string): Promise<UserGroup> {
  const groups = await listGroups(client, workspace).catch(() => []);
  return { id, name: groups.find((group) => group.id === id)?.name ?? id };
}

/**
 * Lists the user groups; none if the workspace's plan has none
 * (https://docs.slack.dev/reference/methods/usergroups.list).
 *
 * @param workspace required by Slack if the bot is installed in an organization
 */
export async function listGroups(client: webApi.WebClient, workspace: string) {
  try {
    const { usergroups = [] } = await client.usergroups.list({ team_id: workspace });
    return usergroups;
  } catch (error) {
    if (platformCode(error) === 'plan_upgrade_required') return [];
    throw error;
  }
}
