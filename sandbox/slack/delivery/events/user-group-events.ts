import { presentUserGroup } from '../../present/user-group.ts';
import type { WorldChange } from '../../world/changes.ts';
import type { AppEvent } from './held-events.ts';

/** The most members that Slack lists in an event; their count includes all. */
const MOST_USERS = 500;

/**
 * Returns the events of a changed user group: its current state and, if its members changed, the added and removed ones. A
 * group that is disabled leads to the same events.
 * @see https://docs.slack.dev/reference/events/subteam_updated
 * @see https://docs.slack.dev/reference/events/subteam_members_changed
 */
export function userGroupEvents({
  group,
  added,
  removed,
}: Extract<WorldChange, { type: 'user_group_changed' }>): AppEvent[] {
  const scope = 'usergroups:read';
  const users = { users: group.users.slice(0, MOST_USERS), user_count: group.users.length };
  const updated = { type: 'subteam_updated', subteam: { ...presentUserGroup(group), ...users } };
  const events = [{ subscription: 'subteam_updated', scope, event: updated }];
  if (added.length + removed.length === 0) return events;
  const changed = {
    type: 'subteam_members_changed',
    subteam_id: group.id,
    team_id: group.team_id,
    date_previous_update: 0,
    date_update: 0,
    added_users: added,
    added_users_count: added.length,
    removed_users: removed,
    removed_users_count: removed.length,
  };
  return [...events, { subscription: 'subteam_members_changed', scope, event: changed }];
}
