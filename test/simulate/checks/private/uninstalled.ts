/** Checks promise 11: nothing is left of a workspace that has uninstalled the app. */

import { idOf, TEAMS } from '../../teams.ts';
import type { World } from '../../world/world.ts';

export function checkUninstalled(world: World): void {
  const { slack, reinstalled } = world;
  for (const team of TEAMS) {
    const workspace = idOf('T', team);
    const isGone = slack.world.installations.get(workspace)?.status === 'uninstalled';
    if (isGone && !reinstalled.has(team)) checkNothingLeft(world, workspace);
  }
}

function checkNothingLeft({ stored, witness }: World, workspace: string): void {
  const { requests, workspaceNotifications, uninstalls, settings, cells, members } = stored;
  const records = [requests, workspaceNotifications, uninstalls, settings].flatMap((store) => [
    ...store.entries(),
  ]);
  if (records.some(({ record }) => record.workspace === workspace))
    witness.violated(`uninstalled: a record of ${workspace} is left`);
  for (const [namespace, sets] of members) {
    if ([...sets.values()].some((each) => each.has(workspace)))
      witness.violated(`uninstalled: the index ${namespace} holds it`);
  }
  for (const [key, { value }] of cells) {
    if (key.includes(workspace) || value.includes(workspace)) witness.violated(`uninstalled: ${key} is left`);
  }
}
