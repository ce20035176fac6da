/** Checks promise 11: nothing is left of a workspace that has uninstalled the app. */

import { TEAMS, type Team, workspaceOf } from '../../teams.ts';
import type { World } from '../../world/world.ts';

export function checkUninstalled(world: World): void {
  for (const team of TEAMS) if (isGone(world, team)) checkNothingLeft(world, workspaceOf(team));
}

/** Whether Slack has not installed the app anew; the bot may have missed that it has. */
const isGone = ({ slack }: World, team: Team): boolean =>
  slack.of[team].world.installations.get(workspaceOf(team))?.status === 'uninstalled';

function checkNothingLeft({ stored, witness }: World, workspace: string): void {
  const { requests, notices, uninstalls, settings } = stored;
  const { recentRequests, unsignedEvents, connections, auditEntries } = stored;
  const { tokens, installations, organizations, cells, limited } = stored;
  if (limited.has(workspace)) witness.violated(`uninstalled: the limits of ${workspace} are left`);
  const kept = [requests, notices, uninstalls, settings];
  const all = [...kept, recentRequests, unsignedEvents, connections, auditEntries, installations];
  const records = all.flatMap((store) => [...store.entries()]);
  if (records.some(({ record }) => record.workspace === workspace))
    witness.violated(`uninstalled: a record of ${workspace} is left`);
  for (const { record } of tokens.entries())
    if (record.holders.some((holder) => holder.workspace === workspace))
      witness.violated(`uninstalled: ${workspace} holds a token`);
  for (const { record } of organizations.entries())
    if (record.id === workspace) witness.violated(`uninstalled: the organization of ${workspace} is left`);
  for (const [key, { value }] of cells) {
    if (key.includes(workspace) || value.includes(workspace)) witness.violated(`uninstalled: ${key} is left`);
  }
}
