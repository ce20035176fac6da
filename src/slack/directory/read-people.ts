/** Reads people, groups and channels from Slack. All functions throw if Slack can't be asked. */
import type { webApi } from '@slack/bolt';
import type { Channel, Person } from '../../requests/ports/ports.ts';
import { isBlank } from '../../requests/use-cases/input.ts';
import { lacksOtherScopes } from '../client/access.ts';
import { platformCode } from '../client/call-slack.ts';
import type { Installation } from '../client/installation.ts';

export type Reader = { client: webApi.WebClient; installation: Installation };

/**
 * Slack's largest page of a person's channels (https://docs.slack.dev/reference/methods/users.conversations) and of a channel's
 * members, "under 1000" (https://docs.slack.dev/reference/methods/conversations.members).
 */
const PAGE = 999;

/**
 * Slack's errors for a user group that is gone or never existed, or for a plan without groups
 * (https://docs.slack.dev/reference/methods/usergroups.users.list).
 */
const NO_GROUP = ['no_such_subteam', 'subteam_not_found', 'invalid_usergroup', 'plan_upgrade_required'];

/** Slack's errors for a channel that the bot can't see (https://docs.slack.dev/reference/methods/conversations.info). */
const NO_CHANNEL = ['channel_not_found', 'channel_is_limited_access'];

/** Slack's error for a channel whose members can't be read (https://docs.slack.dev/reference/methods/conversations.members). */
const MEMBERS_UNREAD = 'fetch_members_failed';

/** Slack's errors for a person whom the workspace does not know (https://docs.slack.dev/reference/methods/users.info). */
const NO_PERSON = ['user_not_found', 'user_not_visible'];

/** The members of a user group; undefined: the group is gone or unreadable. */
export type GroupUsers = readonly string[] | undefined;

export async function findGroupUsers(
  { client, installation }: Reader,
  usergroup: string,
): Promise<GroupUsers> {
  const { workspace } = installation;
  const asked = await orUndefined(NO_GROUP, () =>
    client.usergroups.users.list({ usergroup, team_id: workspace }),
  );
  return asked && (asked.users ?? []);
}

/** @returns undefined if the workspace does not know the person */
export async function findPerson({ client, installation }: Reader, id: string): Promise<Person | undefined> {
  const user = await orUndefined(NO_PERSON, async () => (await client.users.info({ user: id })).user);
  return user && toPerson(user, id, installation);
}

/**
 * A member, as Slack describes them (https://docs.slack.dev/reference/objects/user-object). `is_admin`, `is_owner`: of the
 * workspace of the token; with an organization's token they don't tell of which workspace
 * (https://github.com/slackapi/bolt-js/issues/1566). The same fields of `enterprise_user` are about the organization, and its
 * `teams` are the workspaces of a person whose `team_id` may be another of theirs.
 */
export type SlackUser = NonNullable<webApi.UsersInfoResponse['user']>;

export function toPerson(user: SlackUser, id: string, installation: Installation): Person {
  const { profile, real_name, tz } = user;
  const names = [profile?.real_name, real_name, profile?.display_name];
  // A name of invisible characters alone would leave a gap in a sentence.
  const name = names.find((each) => each && !isBlank(each));
  return {
    id,
    ...(name ? { name } : {}),
    ...(tz ? { timeZone: tz } : {}),
    ownTeam: isOwn(user, installation) && !user.is_stranger,
    isBot: user.is_bot === true,
    isDeactivated: user.deleted === true,
    isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
    isAdmin: isAdmin(installation.organization === undefined ? user : (user.enterprise_user ?? {})),
  };
}

const isAdmin = ({
  is_admin,
  is_owner,
  is_primary_owner,
}: Pick<SlackUser, 'is_admin' | 'is_owner' | 'is_primary_owner'>) =>
  is_admin === true || is_owner === true || is_primary_owner === true;

const isOwn = ({ team_id, enterprise_user }: SlackUser, { workspace }: Installation) =>
  team_id === workspace || enterprise_user?.teams?.includes(workspace) === true;

/** @returns undefined if the bot can't see the channel, or the channel does not belong to the workspace */
export async function findChannel(
  { client, installation }: Reader,
  id: string,
): Promise<Channel | undefined> {
  const channel = await infoOf(client, id);
  if (!channel || !isChannelOf(channel, installation)) return undefined;
  const pending = 'is_pending_ext_shared' in channel && channel.is_pending_ext_shared === true;
  return {
    id,
    isPrivate: channel.is_private === true,
    isShared: channel.is_ext_shared === true || pending,
    isArchived: channel.is_archived === true,
    isMember: channel.is_member === true,
  };
}

const infoOf = (client: webApi.WebClient, channel: string) =>
  orUndefined(NO_CHANNEL, async () => (await client.conversations.info({ channel })).channel);

/** Lists who has a channel: workspaces, and organizations (`ChannelTeams`). */
export async function findTeams({ client }: Reader, id: string): Promise<readonly string[]> {
  const found = await infoOf(client, id).catch((error) => {
    // The bot has no scope to look up direct messages, of two people or of a group: no other workspace has those with the bot in
    // them.
    if (lacksOtherScopes(error)) return undefined;
    throw error;
  });
  return found ? teamsOf(found) : [];
}

/**
 * Whether a person is a member of a channel. If it has more than a page of members, the person's channels are read, which are
 * fewer; its other pages only where those do not tell.
 */
export async function isMember(reader: Reader, channel: string, user: string): Promise<boolean> {
  try {
    return (await orUndefined(NO_CHANNEL, () => isAmongMembers(reader, channel, user))) === true;
  } catch (error) {
    // It says nothing about the person, whose channels may tell. If they don't, Slack is asked again.
    if (platformCode(error) === MEMBERS_UNREAD && (await isListed(reader, channel, user))) return true;
    throw error;
  }
}

async function isAmongMembers(reader: Reader, channel: string, user: string): Promise<boolean> {
  let isFirst = true;
  for await (const { members, isMore } of memberPages(reader.client, channel)) {
    if (members.includes(user)) return true;
    const told = isFirst && isMore ? await toldByTheirChannels(reader, channel, user) : undefined;
    if (told !== undefined) return told;
    isFirst = false;
  }
  return false;
}

/**
 * @returns undefined if a person's channels do not tell: for a bot's token Slack lists those that the bot shares with the person
 *   (https://docs.slack.dev/reference/methods/users.conversations), and may leave out those of several workspaces or companies
 */
async function toldByTheirChannels(reader: Reader, id: string, user: string): Promise<boolean | undefined> {
  if (await isListed(reader, id, user)) return true;
  const channel = await infoOf(reader.client, id);
  return channel?.is_member && !channel.is_shared ? false : undefined;
}

async function isListed({ client, installation }: Reader, channel: string, user: string): Promise<boolean> {
  const types = 'public_channel,private_channel';
  const asked = { user, types, limit: PAGE, team_id: installation.workspace };
  const found = await orUndefined(NO_PERSON, async () => {
    for await (const page of client.paginate('users.conversations', asked)) {
      const { channels = [] } = page as { channels?: { id?: string }[] };
      if (channels.some(({ id }) => id === channel)) return true;
    }
    return false;
  });
  return found === true;
}

/** More members than anybody looks at (`MOST_MEMBERS_READ` in requests/use-cases/approvals/approvers.ts). */
const MOST_MEMBERS = 100;

/**
 * Members of a channel, a hundred or more if it has as many; undefined if the bot can't see it. Slack may give short pages
 * before the end (https://docs.slack.dev/apis/web-api/pagination/).
 */
export async function findChannelMembers(
  { client }: Reader,
  channel: string,
): Promise<readonly string[] | undefined> {
  return orUndefined([...NO_CHANNEL, MEMBERS_UNREAD], async () => {
    const found: string[] = [];
    for await (const { members } of memberPages(client, channel)) {
      found.push(...members);
      if (found.length >= MOST_MEMBERS) break;
    }
    return found;
  });
}

async function* memberPages(
  client: webApi.WebClient,
  channel: string,
): AsyncGenerator<{ members: readonly string[]; isMore: boolean }> {
  for await (const page of client.paginate('conversations.members', { channel, limit: PAGE })) {
    const { members = [], response_metadata }: webApi.ConversationsMembersResponse = page;
    yield { members, isMore: Boolean(response_metadata?.next_cursor) };
  }
}

/** Returns the result of `read`, or undefined if Slack answers with one of `codes`. Any other error stays a fault. */
async function orUndefined<T>(codes: readonly string[], read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (codes.includes(platformCode(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * The owners of a channel (https://docs.slack.dev/reference/objects/conversation-object). `context_team_id`: its workspace, which
 * the page shows without a description. `conversation_host_id`: the workspace or organization that hosts a shared channel.
 * `shared_team_ids`: the workspaces that have it; an organization stands for all its workspaces, or for another company's.
 */
type ChannelTeams = Pick<
  NonNullable<webApi.ConversationsInfoResponse['channel']>,
  'context_team_id' | 'conversation_host_id' | 'shared_team_ids' | 'is_org_shared' | 'is_ext_shared'
>;

/**
 * Whether a channel belongs to a workspace. The token of an org-wide installation opens the channels of every workspace, and
 * an id in a form proves nothing. If Slack does not say, the channel does not belong to it: for a channel of several workspaces
 * that is also shared with a company, Slack may name only the organization.
 */
export function isChannelOf(
  channel: ChannelTeams,
  { workspace, organization }: Pick<Installation, 'workspace' | 'organization'>,
): boolean {
  // Any other token opens only the channels of its own workspace.
  if (organization === undefined) return true;
  if (teamsOf(channel).includes(workspace)) return true;
  const isOfWholeOrganization = channel.is_org_shared === true && channel.is_ext_shared !== true;
  return isOfWholeOrganization && channel.shared_team_ids?.includes(organization) === true;
}

const teamsOf = ({ shared_team_ids = [], context_team_id, conversation_host_id }: ChannelTeams): string[] =>
  [...shared_team_ids, context_team_id, conversation_host_id].filter((team) => team !== undefined);

export type UserGroup = { id: string; name: string };

/** Names a group. A group that is gone or unreadable is shown by its id, because it still applies until it is changed. */
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
