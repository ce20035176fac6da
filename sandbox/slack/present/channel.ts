import type { Channel, Installation } from '../world/types.ts';
import { isSameCompany } from '../world/users.ts';
import type { World } from '../world/world.ts';

/**
 * Converts a conversation to the format of conversations.*.
 * @see https://docs.slack.dev/reference/objects/conversation-object
 */
export function presentChannel(world: World, channel: Channel, app: Installation) {
  return channel.kind === 'im' ? presentDirectMessage(channel, app) : presentNamed(world, channel, app);
}

function presentDirectMessage({ id, created, members }: Channel, app: Installation) {
  const other = [...members].find((member) => member !== app.bot_user_id);
  return { id, created, is_im: true, is_org_shared: false, user: other, is_open: true };
}

function presentNamed(world: World, channel: Channel, app: Installation) {
  const { team_id, connected_team_ids } = channel;
  const isOwn = (team: string) => isSameCompany(world, team, team_id);
  const is_ext_shared = !connected_team_ids.every(isOwn);
  const is_org_shared = connected_team_ids.some(isOwn);
  const is_shared = is_ext_shared || is_org_shared;
  const is_private = channel.kind === 'private';
  const empty = { value: '', creator: '', last_set: 0 };
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private,
    created: channel.created,
    creator: channel.creator,
    is_archived: channel.is_archived,
    is_general: false,
    unlinked: 0,
    is_shared,
    is_ext_shared,
    is_org_shared,
    is_pending_ext_shared: false,
    pending_shared: [],
    context_team_id: app.is_enterprise_install ? team_id : app.team_id,
    shared_team_ids: [team_id, ...connected_team_ids],
    ...(is_shared && { conversation_host_id: team_id }),
    ...(is_ext_shared && { connected_team_ids: connected_team_ids.filter((team) => !isOwn(team)) }),
    is_member: channel.members.has(app.bot_user_id),
    topic: empty,
    purpose: empty,
    previous_names: [],
  };
}
