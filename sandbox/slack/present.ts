/** Converts what the world holds to the formats of Slack: for answers of the Web API, events and payloads. */
import { isReplyOf, repliesOf } from './world/messages.ts';
import type { Channel, HomePage, Installation, Message, User, UserGroup, View } from './world/types.ts';
import {
  isExternallyShared,
  isExternalUser,
  isSameCompany,
  rolesIn,
  teamsOfUser,
  userOf,
} from './world/users.ts';
import type { World } from './world/world.ts';

/** @see https://docs.slack.dev/reference/events/message/ekm_access_denied */
const REDACTED = {
  subtype: 'ekm_access_denied',
  user: 'UREVOKEDU',
  text: "Your admins have suspended everyone's access to this content.",
};

/** Converts a message to Slack's format. Metadata are left out unless requested. */
export function presentMessage(
  world: World,
  channel: Channel,
  message: Message,
  { withMetadata = false }: { withMetadata?: boolean } = {},
) {
  const { user, ts, text, bot_id, app_id, blocks, edited, metadata, thread_ts } = message;
  if (message.is_redacted) return { type: 'message', ts, ...(thread_ts && { thread_ts }), ...REDACTED };
  const reactions = presentReactions(message);
  return {
    type: 'message',
    ...(message.is_tombstone && { subtype: 'tombstone', hidden: true }),
    user,
    ...(world.users.has(user) && { team: userOf(world, user).team_id }),
    ts,
    text,
    ...(bot_id && { bot_id, app_id }),
    ...(blocks && { blocks }),
    ...(edited && { edited }),
    ...(thread_ts && { thread_ts, ...presentThread(channel, message) }),
    ...(reactions.length > 0 && { reactions }),
    ...(withMetadata && metadata && { metadata }),
  };
}

export function presentReactions({ reactions }: Message) {
  return [...reactions].map(([name, users]) => ({ name, users, count: users.length }));
}

function presentThread(channel: Channel, message: Message) {
  if (isReplyOf(message)) {
    const parent = channel.messages.get(message.thread_ts ?? '');
    return { parent_user_id: parent?.user };
  }
  return { reply_count: repliesOf(channel, message.ts).length };
}

/** Converts a conversation to the format of conversations.*. @see https://docs.slack.dev/reference/objects/conversation-object */
export function presentChannel(world: World, channel: Channel, app: Installation) {
  return channel.kind === 'im' ? presentDirectMessage(channel, app) : presentNamed(world, channel, app);
}

function presentDirectMessage({ id, members }: Channel, app: Installation) {
  const other = [...members].find((member) => member !== app.bot_user_id);
  return { id, is_im: true, is_org_shared: false, user: other };
}

/** Lists the teams that have a channel. An organization that has it stands for its workspaces. */
function teamsOf(world: World, { team_id, connected_team_ids }: Channel): string[] {
  const teams = [team_id, ...connected_team_ids];
  return teams.filter((team) => !teams.includes(world.teams.get(team)?.enterprise_id ?? ''));
}

function presentNamed(world: World, channel: Channel, app: Installation) {
  const { team_id, connected_team_ids } = channel;
  const isOwn = (team: string) => isSameCompany(world, team, team_id);
  const is_ext_shared = isExternallyShared(world, channel);
  const is_org_shared = connected_team_ids.some(isOwn);
  const is_shared = is_ext_shared || is_org_shared;
  return {
    id: channel.id,
    name: channel.name,
    is_im: false,
    is_private: channel.kind === 'private',
    is_archived: channel.is_archived,
    is_shared,
    is_ext_shared,
    is_org_shared,
    is_pending_ext_shared: false,
    context_team_id: app.is_enterprise_install ? team_id : app.team_id,
    shared_team_ids: teamsOf(world, channel),
    ...(is_shared && { conversation_host_id: team_id }),
    ...(is_ext_shared && { connected_team_ids: connected_team_ids.filter((team) => !isOwn(team)) }),
    is_member: channel.members.has(app.bot_user_id),
  };
}

/**
 * Converts a user to the format of users.info for an app in a workspace. E-mail addresses need a scope that the bot lacks.
 * The token of an organization does not tell who administers a workspace (github.com/slackapi/bolt-js/issues/1566): the
 * flags are those of the person's own workspace, whichever that is.
 *
 * @param teamId the workspace of the app's installation, or the organization
 */
export function presentUser(world: World, teamId: string, user: User) {
  const { is_admin, is_owner, is_restricted, is_ultra_restricted } = rolesIn(user, teamId);
  return {
    id: user.id,
    team_id: user.team_id,
    name: user.name,
    deleted: user.deleted,
    real_name: user.real_name,
    tz: 'Europe/Amsterdam',
    profile: { real_name: user.real_name, display_name: user.name },
    is_admin,
    is_owner,
    is_primary_owner: is_owner,
    is_restricted,
    is_ultra_restricted,
    is_bot: user.is_bot,
    ...(isExternalUser(world, teamId, user) && { is_stranger: true }),
    ...enterpriseField(world, user),
  };
}

function enterpriseField(world: World, user: User) {
  const { id, team_id, is_org_admin: is_admin = false } = user;
  const enterprise = world.enterprises.get(world.teams.get(team_id)?.enterprise_id ?? '');
  if (!enterprise) return {};
  const { id: enterprise_id, name: enterprise_name } = enterprise;
  const teams = teamsOfUser(user);
  return { enterprise_user: { id, enterprise_id, enterprise_name, is_admin, is_owner: false, teams } };
}

export function presentUserGroup({ id, team_id, name, handle, deleted }: UserGroup) {
  return { id, team_id, name, handle, date_delete: deleted ? 1 : 0 };
}

/** Converts a view to Slack's format, for answers to views.* and for payloads. */
export function presentView(view: View) {
  const { title, close = null, submit = null } = view.definition;
  return { ...common(view), title, close, submit };
}

export const presentHome = (page: HomePage) => ({
  ...common(page),
  close: null,
  submit: null,
});

export const presentAny = (view: View | HomePage) => (isHome(view) ? presentHome(view) : presentView(view));

const isHome = (view: View | HomePage): view is HomePage => view.definition.type === 'home';

function common({ definition, ...view }: View | HomePage) {
  return {
    id: view.id,
    team_id: view.team_id,
    type: definition.type,
    blocks: definition.blocks,
    private_metadata: definition.private_metadata,
    callback_id: definition.callback_id,
    state: { values: view.values },
    clear_on_close: false,
    notify_on_close: false,
    hash: view.hash,
    previous_view_id: view.previous_view_id,
    root_view_id: view.root_view_id,
    app_id: view.app_id,
    external_id: definition.external_id,
    app_installed_team_id: view.app_installed_team_id,
    bot_id: view.bot_id,
  };
}
