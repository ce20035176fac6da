import type { UserGroup } from '../world/types.ts';

/** Converts a user group to Slack's format, without its members. */
export function presentUserGroup({ id, team_id, name, handle, deleted }: UserGroup) {
  return {
    id,
    team_id,
    is_usergroup: true,
    is_subteam: true,
    name,
    description: '',
    handle,
    is_external: false,
    date_create: 0,
    date_update: 0,
    date_delete: deleted ? 1 : 0,
    auto_type: null,
    prefs: { channels: [], groups: [] },
  };
}
