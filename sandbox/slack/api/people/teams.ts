import { SlackError } from '../../slack-error.ts';
import { teamsServed } from '../../world/app/installations.ts';
import type { Installation } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { ApiMethod } from '../method.ts';

/** The workspaces that a call is about. `team_id` counts with the token of an org-wide installation alone. */
export function teamsOfCall(
  world: World,
  app: Installation,
  { needsTeam }: Pick<ApiMethod, 'needsTeam'>,
  { team_id }: Record<string, unknown>,
): readonly string[] {
  const served = teamsServed(world, app);
  if (!app.is_enterprise_install) return served;
  if (typeof team_id !== 'string' || team_id === '') {
    if (needsTeam) throw new SlackError('missing_argument');
    return served;
  }
  if (!served.includes(team_id)) throw new SlackError('team_access_not_granted');
  return [team_id];
}
