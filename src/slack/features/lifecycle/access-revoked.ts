/** An organization has taken the app out of some of its workspaces. */
import type { EventArgs, Listener, ListenerDeps } from '../listener.ts';

/**
 * For each of them it is an uninstall, and Slack is asked before anything is removed.
 *
 * @see https://docs.slack.dev/reference/events/team_access_revoked
 */
export function accessRevokedEvent({
  noteDeparture,
  log,
}: ListenerDeps): Listener<EventArgs<'team_access_revoked'>> {
  return async ({ body: { authorizations, enterprise_id }, event: { type, team_ids } }) => {
    const organization = authorizations?.[0]?.enterprise_id ?? enterprise_id;
    if (!organization) return log.warn({ event: type }, 'Slack did not say which organization it is about');
    for (const id of team_ids) await noteDeparture({ id, uninstalled: true, organization });
  };
}
