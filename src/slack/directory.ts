/** Who and what there is in a workspace, as Slack says it now; what was asked within the last minute is not asked again. */
import type { Channel, Directory, Log, Person } from '../requests/ports.ts';
import { channelProblem, personProblem } from '../requests/rules.ts';
import { checkScopes } from './access.ts';
import { isHome } from './channel-home.ts';
import type { SlackClients } from './clients.ts';
import { platformCode } from './failure.ts';
import { createGroupMembers } from './group-members.ts';
import type { Installation } from './installations.ts';
import { createLooks, createRemembered } from './remembered.ts';

/** Slack's largest page; larger channels are read page by page. */
const MEMBERS_PAGE = 1_000;

/** What is remembered is asked anew where Slack tells that it has changed. */
export type SlackDirectory = Directory & {
  /** The other workspaces that have a channel. Organizations, which are named in place of theirs at times, are left out. */
  sharedWith(workspace: string, channel: string): Promise<readonly string[]>;
  /** Its members, or what it is. */
  forgetGroup(workspace: string, group: string): void;
  /** That somebody is in a channel. */
  forgetMember(workspace: string, channel: string, user: string): void;
  /** Whatever there is to know of it. */
  forgetChannel(workspace: string, channel: string): void;
};

/** @param now epoch milliseconds */
export function createDirectory(clients: SlackClients, now: () => number, log: Log): SlackDirectory {
  const { cached, forget, forgetAll } = createRemembered(now);
  const looks = createLooks<Channel | undefined>(now);
  const groups = createGroupMembers((workspace, group) => findMembers(clients, workspace, group), now);
  const channelKey = (workspace: string, channel: string, needs?: 'private') =>
    `channel ${workspace} ${channel} ${needs}`;
  const memberKey = (workspace: string, channel: string, user: string) =>
    `member ${workspace} ${channel} ${user}`;
  const teamsKey = (workspace: string, channel: string) => `teams ${workspace} ${channel}`;
  const forgetWhatItIs = (workspace: string, channel: string) => {
    for (const needs of [undefined, 'private'] as const) forget(channelKey(workspace, channel, needs));
  };
  const look = async (workspace: string, channel: string) => {
    const found = await findChannel(clients, workspace, channel);
    // What was just seen to be closed is not open for the rest of a minute.
    if (channelProblem(found)) forgetWhatItIs(workspace, channel);
    return found;
  };
  return {
    person: (workspace, user) =>
      cached(
        `person ${workspace} ${user}`,
        () => findPerson(clients, workspace, user),
        (person) => personProblem(person) === undefined,
      ),
    isInGroup: groups.isInGroup,
    channel: (workspace, channel, needs) =>
      cached(
        channelKey(workspace, channel, needs),
        () => findChannel(clients, workspace, channel),
        (found) => channelProblem(found) === undefined && (needs === undefined || found?.isPrivate === true),
      ),
    // Slack tells of channels fifty times a minute: those who want to know at about the same moment share one look.
    channelNow: (workspace, channel, maxAgeMs = 0) =>
      looks.look(`${workspace} ${channel}`, () => look(workspace, channel), maxAgeMs),
    mayPost: (workspace) => mayPost(clients, workspace, log),
    isChannelMember: (workspace, channel, user) =>
      cached(
        memberKey(workspace, channel, user),
        () => isMember(clients, workspace, channel, user),
        (isIn) => isIn,
      ),
    sharedWith: (workspace, channel) =>
      cached(
        teamsKey(workspace, channel),
        () => findTeams(clients, workspace, channel),
        () => true,
      ),
    forgetGroup: groups.forget,
    forgetMember: (workspace, channel, user) => forget(memberKey(workspace, channel, user)),
    forgetChannel(workspace, channel) {
      forgetWhatItIs(workspace, channel);
      forget(teamsKey(workspace, channel));
      forgetAll(memberKey(workspace, channel, ''));
      looks.forget(`${workspace} ${channel}`);
    },
  };
}

/**
 * The answers of Slack where a user group is gone, or never was, or where the workspace's plan has none any more
 * (https://docs.slack.dev/reference/methods/usergroups.users.list).
 */
const NO_GROUP = ['no_such_subteam', 'subteam_not_found', 'invalid_usergroup', 'plan_upgrade_required'];

/** The answers of Slack where the bot can't see a channel (https://docs.slack.dev/reference/methods/conversations.info). */
const NO_CHANNEL = ['channel_not_found', 'channel_is_limited_access'];

async function findMembers(
  clients: SlackClients,
  workspace: string,
  usergroup: string,
): Promise<readonly string[] | undefined> {
  const client = await clients.interactive(workspace);
  const asked = await orUndefined(NO_GROUP, () =>
    client.usergroups.users.list({ usergroup, team_id: workspace }),
  );
  return asked && (asked.users ?? []);
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
  const channel = await orUndefined(NO_CHANNEL, async () => {
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

/** @see https://docs.slack.dev/reference/objects/conversation-object */
async function findTeams(clients: SlackClients, workspace: string, id: string): Promise<readonly string[]> {
  const client = await clients.interactive(workspace);
  const channel = await orUndefined(NO_CHANNEL, async () => {
    return (await client.conversations.info({ channel: id })).channel;
  });
  return (channel?.shared_team_ids ?? []).filter((team) => team.startsWith('T') && team !== workspace);
}

async function mayPost(clients: SlackClients, workspace: string, log: Log): Promise<boolean> {
  const client = await clients.interactive(workspace);
  return !checkScopes(log, workspace, await client.auth.test()).includes('chat:write');
}

async function isMember(
  clients: SlackClients,
  workspace: string,
  channel: string,
  user: string,
): Promise<boolean> {
  const client = await clients.interactive(workspace);
  const found = await orUndefined([...NO_CHANNEL, 'fetch_members_failed'], async () => {
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
