/**
 * Listens to events about the bot, its channels and its approvers: the bot leaves a channel or is uninstalled; a channel is
 * archived, unarchived or deleted, gets another id or becomes shared; members join or leave, or a user group changes.
 */
import { joinAgain } from '../client/join-again.ts';
import { authorizedFor, type Concerned, inEachConcerned } from '../listeners/concerned.ts';
import {
  type EventArgs,
  type EventName,
  type Feature,
  type Listener,
  type ListenerDeps,
  workspaceOf,
} from '../listeners/listener.ts';

export const lifecycle: Feature = (deps) => ({
  events: {
    app_uninstalled: uninstalledEvent(deps),
    tokens_revoked: uninstalledEvent(deps),
    team_access_revoked: accessRevokedEvent(deps),
    channel_shared: channelSharingEvent(deps),
    channel_unshared: channelSharingEvent(deps),
    channel_id_changed: channelMovedEvent(deps),
    channel_left: channelLeftEvent(deps),
    group_left: channelLeftEvent(deps),
    channel_archive: reachChangedEvent(deps),
    group_archive: reachChangedEvent(deps),
    channel_unarchive: channelLeftEvent(deps),
    group_unarchive: reachChangedEvent(deps),
    channel_deleted: reachChangedEvent(deps),
    group_deleted: reachChangedEvent(deps),
    member_joined_channel: membersChangedEvent(deps),
    member_left_channel: membersChangedEvent(deps),
    subteam_updated: groupChangedEvent(deps),
    subteam_members_changed: groupChangedEvent(deps),
  },
});

type On<Name extends EventName> = Listener<EventArgs<Name>>;

/**
 * Also listens to a public channel that is unarchived: unlike a private one, it has no members any more, and no event told that
 * (https://slack.com/help/articles/213185307-Archive-or-delete-a-channel).
 */
function channelLeftEvent(deps: ListenerDeps): On<'channel_left' | 'group_left' | 'channel_unarchive'> {
  return (args) => {
    const { channel } = args.event;
    return inEachConcerned(deps, args, channel, (concerned) => botLeft(deps, concerned, channel));
  };
}

function botLeft(
  deps: ListenerDeps,
  { workspace, client }: Pick<Concerned, 'workspace' | 'client'>,
  channel: string,
): Promise<void> {
  const where = { workspace, channel };
  deps.directory.forgetChannel(workspace, channel);
  return deps.botLeft(where, () => joinAgain(deps, client, where));
}

type ReachChanged = `${'channel' | 'group'}_${'archive' | 'unarchive' | 'deleted'}`;

/**
 * The bot can't post in a channel any more, or can again. Public channels are reported even if the bot was never in them
 * (https://docs.slack.dev/reference/events/channel_archive).
 */
function reachChangedEvent(deps: ListenerDeps): On<ReachChanged> {
  return (args) => {
    const { channel } = args.event;
    return inEachConcerned(deps, args, channel, ({ workspace }) => reachChanged(deps, workspace, channel));
  };
}

function reachChanged(deps: ListenerDeps, workspace: string, channel: string): Promise<void> {
  deps.directory.forgetChannel(workspace, channel);
  return deps.reachChanged({ workspace, channel });
}

/**
 * Replaces the id of a private channel, which Slack changes when somebody begins to share the channel. Slack reports no
 * other new id (https://docs.slack.dev/reference/events/channel_id_changed). When the sharing ends, the channel gets a new
 * id in the workspaces that were guests, without an event, and its former id yields `channel_not_found` there
 * (https://docs.slack.dev/apis/slack-connect/).
 */
function channelMovedEvent(deps: ListenerDeps): On<'channel_id_changed'> {
  return (args) => {
    const { old_channel_id: from, new_channel_id: to } = args.event;
    return inEachConcerned(deps, args, to, ({ workspace }) => {
      deps.directory.forgetChannel(workspace, from);
      return deps.channelMoved({ workspace, from, to });
    });
  };
}

/** Acknowledges once the updates are recorded; otherwise Slack delivers the event again. */
function channelSharingEvent(deps: ListenerDeps): On<'channel_shared' | 'channel_unshared'> {
  return (args) => {
    const { channel } = args.event;
    // Otherwise a workspace that has just got the channel would not be found.
    deps.directory.forgetChannel(authorizedFor(args.context), channel);
    return inEachConcerned(deps, args, channel, ({ workspace }) => {
      deps.directory.forgetChannel(workspace, channel);
      return deps.sharingChanged({ workspace, channel });
    });
  };
}

/**
 * @see https://docs.slack.dev/reference/events/member_joined_channel
 * @see https://docs.slack.dev/reference/events/member_left_channel
 */
function membersChangedEvent(deps: ListenerDeps): On<'member_joined_channel' | 'member_left_channel'> {
  const { directory } = deps;
  return (args) => {
    const { channel, user, type } = args.event;
    return inEachConcerned(deps, args, channel, async (concerned) => {
      const { workspace, botUserId } = concerned;
      const isBot = user === botUserId;
      if (isBot && type === 'member_left_channel') return botLeft(deps, concerned, channel);
      if (isBot) await reachChanged(deps, workspace, channel);
      else directory.forgetMember(workspace, channel, user);
      return deps.approversChanged({ workspace, channel });
    });
  };
}

/**
 * @see https://docs.slack.dev/reference/events/subteam_updated, which also tells that a group was disabled
 * @see https://docs.slack.dev/reference/events/subteam_members_changed
 */
function groupChangedEvent(deps: ListenerDeps): On<'subteam_updated' | 'subteam_members_changed'> {
  return async ({ event, context }) => {
    const workspace = workspaceOf(context);
    const group = event.type === 'subteam_updated' ? event.subteam.id : event.subteam_id;
    deps.directory.forgetGroup(workspace, group);
    await deps.approversChanged({ workspace, group });
  };
}

/** Records an uninstall. Bolt authorizes neither event, because the token no longer exists. */
function uninstalledEvent({ recordUninstall, log }: ListenerDeps): On<'app_uninstalled' | 'tokens_revoked'> {
  return async ({ body, event }) => {
    // Only a person's own token was revoked: the bot's tokens still work.
    if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return;
    const id = installationIn(body);
    if (id === undefined)
      return log.warn({ name: event.type }, 'uninstall ignored: no workspace or organization named');
    const named = organizationIn(body);
    await recordUninstall({
      id,
      uninstalled: event.type === 'app_uninstalled',
      ...(named !== undefined && named !== id ? { named } : {}),
    });
  };
}

type UninstalledBody = EventArgs<'app_uninstalled' | 'tokens_revoked' | 'team_access_revoked'>['body'];

/** The id of the organization of an org-wide installation, else of the workspace. */
function installationIn(body: UninstalledBody): string | undefined {
  const { authorizations, team_id } = body;
  const orgWide = authorizations?.[0]?.is_enterprise_install === true || !team_id;
  return orgWide ? organizationIn(body) : team_id;
}

/** The id of the organization, which Slack also names beside a workspace (bolt-python, test_events_socket_mode.py). */
const organizationIn = ({ authorizations, enterprise_id }: UninstalledBody): string | undefined =>
  authorizations?.[0]?.enterprise_id ?? enterprise_id ?? undefined;

/**
 * Records an uninstall for each workspace. Slack is asked before anything is removed.
 *
 * @see https://docs.slack.dev/reference/events/team_access_revoked
 */
function accessRevokedEvent({ recordUninstall, log }: ListenerDeps): On<'team_access_revoked'> {
  return async ({ body, event: { type, team_ids } }) => {
    const organization = organizationIn(body);
    if (!organization) return log.warn({ name: type }, 'revoked access ignored: no organization named');
    for (const id of team_ids) await recordUninstall({ id, uninstalled: true, organization });
  };
}
