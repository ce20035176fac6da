/** Who and what there is in a workspace, as Slack says it now; what was asked within the last minute is not asked again. */
import type { Channel, Directory, Person } from '../requests/ports.ts';
import { channelProblem, personProblem } from '../requests/rules.ts';
import { isHome } from './channel-home.ts';
import type { SlackClients } from './clients.ts';
import { failureOf, platformCode } from './failure.ts';
import type { Installation } from './installations.ts';

/** Nobody keeps a right longer than this after it was taken away. */
const CACHE_MS = 60_000;
const CACHE_ENTRIES = 10_000;
/** Slack's largest page; larger channels are read page by page. */
const MEMBERS_PAGE = 1_000;

export function createDirectory(clients: SlackClients, now: () => number): Directory {
  const { cached, forget } = createCache(now);
  const channelKey = (workspace: string, channel: string, needs?: 'private') =>
    `channel ${workspace} ${channel} ${needs}`;
  const look = async (workspace: string, channel: string) => {
    const found = await findChannel(clients, workspace, channel);
    // What was just seen to be closed is not open for the rest of a minute.
    if (channelProblem(found))
      for (const needs of [undefined, 'private'] as const) forget(channelKey(workspace, channel, needs));
    return found;
  };
  return {
    person: (workspace, user) =>
      cached(
        `person ${workspace} ${user}`,
        () => findPerson(clients, workspace, user),
        (person) => personProblem(person) === undefined,
      ),
    isInGroup: createGroups(clients, now),
    channel: (workspace, channel, needs) =>
      cached(
        channelKey(workspace, channel, needs),
        () => findChannel(clients, workspace, channel),
        (found) => channelProblem(found) === undefined && (needs === undefined || found?.isPrivate === true),
      ),
    channelNow: createLooks(now, look),
    isChannelMember: (workspace, channel, user) =>
      cached(
        `member ${workspace} ${channel} ${user}`,
        () => isMember(clients, workspace, channel, user),
        (isIn) => isIn,
      ),
  };
}

/** The answers of Slack where a user group is gone, or never was. */
const NO_GROUP = ['no_such_subteam', 'subteam_not_found', 'invalid_usergroup'];

/**
 * Slack tells who is in a group twenty times a minute. Whoever was in it within the last minute still is; for anybody
 * else it is asked again, and where it wants us to slow down, what it said within that minute holds: somebody who keeps
 * trying to vote must not keep the others from it.
 */
function createGroups(clients: SlackClients, now: () => number): Directory['isInGroup'] {
  const lists = new Map<string, { until: number; users: readonly string[] }>();
  const asking = new Map<string, Promise<readonly string[] | undefined>>();

  async function ask(key: string, workspace: string, usergroup: string) {
    const client = await clients.interactive(workspace);
    const asked = await orUndefined(NO_GROUP, () =>
      client.usergroups.users.list({ usergroup, team_id: workspace }),
    );
    if (!asked) return undefined;
    const { users = [] } = asked;
    if (lists.size >= CACHE_ENTRIES) lists.clear();
    lists.set(key, { until: now() + CACHE_MS, users });
    return users;
  }

  return async (workspace, group, user) => {
    const key = `${workspace} ${group}`;
    const known = lists.get(key);
    const fresh = known && known.until > now() ? known.users : undefined;
    if (fresh?.includes(user)) return true;
    const under = asking.get(key) ?? ask(key, workspace, group).finally(() => asking.delete(key));
    asking.set(key, under);
    try {
      return (await under)?.includes(user);
    } catch (error) {
      if (fresh && failureOf(error).code === 'ratelimited') return false;
      throw error;
    }
  };
}

async function findPerson(clients: SlackClients, workspace: string, id: string): Promise<Person | undefined> {
  const installation = await clients.installation(workspace);
  const client = await clients.interactive(workspace);
  const user = await orUndefined(['user_not_found', 'user_not_visible'], async () => {
    return (await client.users.info({ user: id })).user;
  });
  return user && toPerson(user, id, installation);
}

/** A member as Slack tells of them. */
export type SlackUser = {
  team_id?: string;
  /** Of people in an organization, whose `team_id` may be that of another workspace of theirs. */
  enterprise_user?: { teams?: string[] };
  is_stranger?: boolean;
  is_bot?: boolean;
  deleted?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
  is_admin?: boolean;
  is_owner?: boolean;
  is_primary_owner?: boolean;
};

export function toPerson(user: SlackUser, id: string, installation: Installation): Person {
  return {
    id,
    ownTeam: isOwn(user, installation) && !user.is_stranger,
    isBot: user.is_bot === true,
    isDeactivated: user.deleted === true,
    isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
    isAdmin: user.is_admin === true || user.is_owner === true || user.is_primary_owner === true,
  };
}

const isOwn = ({ team_id, enterprise_user }: SlackUser, { workspace }: Installation) =>
  team_id === workspace || enterprise_user?.teams?.includes(workspace) === true;

async function findChannel(
  clients: SlackClients,
  workspace: string,
  id: string,
): Promise<Channel | undefined> {
  const installation = await clients.installation(workspace);
  const client = await clients.interactive(workspace);
  const channel = await orUndefined(['channel_not_found'], async () => {
    return (await client.conversations.info({ channel: id })).channel;
  });
  if (!channel || !isHome(channel, installation)) return undefined;
  const pending = 'is_pending_ext_shared' in channel && channel.is_pending_ext_shared === true;
  return {
    id,
    isPrivate: channel.is_private === true,
    isShared: channel.is_ext_shared === true || pending,
    isArchived: channel.is_archived === true,
    isMember: channel.is_member === true,
  };
}

async function isMember(
  clients: SlackClients,
  workspace: string,
  channel: string,
  user: string,
): Promise<boolean> {
  const client = await clients.interactive(workspace);
  const found = await orUndefined(['channel_not_found', 'fetch_members_failed'], async () => {
    for await (const page of client.paginate('conversations.members', { channel, limit: MEMBERS_PAGE })) {
      if ((page as { members?: string[] }).members?.includes(user)) return true;
    }
    return false;
  });
  return found === true;
}

/** What `read` says, or undefined where Slack answers with one of `codes`. Everything else stays a fault. */
async function orUndefined<T>(codes: readonly string[], read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (codes.includes(platformCode(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * Remembers for a minute the answers that are worth keeping. A fault is not remembered, nor a "no", which somebody may
 * be mending right now; callers at the same moment share one question.
 */
function createCache(now: () => number) {
  const entries = new Map<string, { until: number; value: Promise<unknown> }>();
  const cached = <T>(key: string, ask: () => Promise<T>, isKept: (value: T) => boolean): Promise<T> => {
    const entry = entries.get(key);
    if (entry && entry.until > now()) return entry.value as Promise<T>;
    if (entries.size >= CACHE_ENTRIES) entries.clear();
    const value = ask();
    const made = { until: now() + CACHE_MS, value };
    entries.set(key, made);
    const forget = () => entries.get(key) === made && entries.delete(key);
    value.then((answer) => isKept(answer) || forget(), forget);
    return value;
  };
  return { cached, forget: (key: string) => void entries.delete(key) };
}

/** Slack tells of channels fifty times a minute: those who want to know at about the same moment share one look. */
function createLooks(
  now: () => number,
  look: (workspace: string, channel: string) => Promise<Channel | undefined>,
): Directory['channelNow'] {
  const looks = new Map<string, { at: number; value: Promise<Channel | undefined> }>();
  return (workspace, channel, maxAgeMs = 0) => {
    const key = `${workspace} ${channel}`;
    const known = looks.get(key);
    if (known && now() - known.at < maxAgeMs) return known.value;
    if (looks.size >= CACHE_ENTRIES) looks.clear();
    const made = { at: now(), value: look(workspace, channel) };
    looks.set(key, made);
    made.value.catch(() => looks.get(key) === made && looks.delete(key));
    return made.value;
  };
}
