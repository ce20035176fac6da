import type { Channel, Installation } from '../world/types.ts';

/** A conversation as conversations.* show it to an app. */
export function presentChannel(channel: Channel, app: Installation) {
  return channel.kind === 'im' ? presentDirectMessage(channel, app) : presentNamed(channel, app);
}

function presentDirectMessage({ id, created, is_archived, members }: Channel, app: Installation) {
  const other = [...members].find((member) => member !== app.bot_user_id);
  return { id, created, is_archived, is_im: true, is_org_shared: false, user: other, is_open: true };
}

function presentNamed(channel: Channel, app: Installation) {
  const is_ext_shared = channel.connected_team_ids.length > 0;
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
    is_shared: is_ext_shared,
    is_ext_shared,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    context_team_id: app.is_enterprise_install ? channel.team_id : app.team_id,
    shared_team_ids: [channel.team_id, ...channel.connected_team_ids],
    ...(is_ext_shared && { connected_team_ids: channel.connected_team_ids }),
    is_member: channel.members.has(app.bot_user_id),
    topic: empty,
    purpose: empty,
    previous_names: [],
  };
}
