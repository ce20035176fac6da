/** Who and what there is in a workspace, as Slack says it now; what was asked within the last minute is not asked again. */
import type { Channel, Directory, Person } from '../requests/ports.ts';
import { channelProblem, personProblem } from '../requests/rules.ts';
import type { Installation, SlackClients } from './clients.ts';
import { platformCode } from './failure.ts';

/** Nobody keeps a right longer than this after it was taken away. */
const CACHE_MS = 60_000;
const CACHE_ENTRIES = 10_000;
/** Slack's largest page; larger channels are read page by page. */
const MEMBERS_PAGE = 1_000;

export function createDirectory(clients: SlackClients, now: () => number): Directory {
  const cached = createCache(now);
  return {
    person: (workspace, user) =>
      cached(
        `person ${workspace} ${user}`,
        () => findPerson(clients, workspace, user),
        (person) => personProblem(person) === undefined,
      ),
    isInGroup: (workspace, group, user) =>
      cached(
        `group ${workspace} ${group} ${user}`,
        () => isInGroup(clients, workspace, group, user),
        (isIn) => isIn === true,
      ),
    channel: (workspace, channel) =>
      cached(
        `channel ${workspace} ${channel}`,
        () => findChannel(clients, workspace, channel),
        (found) => channelProblem(found) === undefined,
      ),
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

async function isInGroup(clients: SlackClients, workspace: string, usergroup: string, user: string) {
  const client = await clients.interactive(workspace);
  return orUndefined(NO_GROUP, async () => {
    const { users } = await client.usergroups.users.list({ usergroup });
    return users?.includes(user) ?? false;
  });
}

async function findPerson(clients: SlackClients, workspace: string, id: string): Promise<Person | undefined> {
  const installation = await clients.installation(workspace);
  const client = await clients.interactive(workspace);
  const user = await orUndefined(['user_not_found', 'user_not_visible'], async () => {
    return (await client.users.info({ user: id })).user;
  });
  return user && toPerson(user, id, installation);
}

type SlackUser = {
  team_id?: string;
  is_stranger?: boolean;
  is_bot?: boolean;
  deleted?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
  is_admin?: boolean;
  is_owner?: boolean;
  is_primary_owner?: boolean;
};

function toPerson(user: SlackUser, id: string, { workspace }: Installation): Person {
  return {
    id,
    ownTeam: user.team_id === workspace && !user.is_stranger,
    isBot: user.is_bot === true,
    isDeactivated: user.deleted === true,
    isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
    isAdmin: user.is_admin === true || user.is_owner === true || user.is_primary_owner === true,
  };
}

async function findChannel(
  clients: SlackClients,
  workspace: string,
  id: string,
): Promise<Channel | undefined> {
  const client = await clients.interactive(workspace);
  const channel = await orUndefined(['channel_not_found'], async () => {
    return (await client.conversations.info({ channel: id })).channel;
  });
  if (!channel) return undefined;
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
  return <T>(key: string, ask: () => Promise<T>, isKept: (value: T) => boolean): Promise<T> => {
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
}
