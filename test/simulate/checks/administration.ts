/** Checks that the settings of admins are in force: the stored token, and each saved policy. */
import type { Plan } from '../draw/plan.ts';
import type { Replica } from '../replica.ts';
import { idOf, TEAMS, type Team } from '../teams.ts';
import type { World } from '../world/world.ts';

export async function checkAdministration(world: World, plan: Plan, replica: Replica): Promise<void> {
  for (const team of TEAMS) {
    await checkConnection(world, replica, team);
    await checkPolicies(world, plan, replica, team);
  }
}

/** Checks that a stored token that the service accepts counts as valid, also after an earlier one was refused. */
async function checkConnection(world: World, replica: Replica, team: Team): Promise<void> {
  const { connections } = replica.bot().context.adapters;
  const row = await connections.find(idOf('T', team));
  const token = row && connections.token(row);
  const isGood = world.service.organizations.get(team)?.tokens.some((each) => each.token === token);
  const state = await replica.bot().context.workspaces.connection(idOf('T', team));
  if (isGood && state === 'token_refused')
    world.witness.violated(`connection: the good token of ${team} counts as refused`);
}

/** Acts that replace or remove all policies of a team. */
const REPLACING_ACTS: readonly string[] = ['set_policy', 'uninstall', 'install'];

async function checkPolicies(world: World, plan: Plan, replica: Replica, team: Team): Promise<void> {
  if (plan.acts.some((act) => REPLACING_ACTS.includes(act.type) && 'team' in act && act.team === team))
    return;
  const { policies } = await replica.bot().context.adapters.settings.read(idOf('T', team));
  for (const saved of world.savedPolicies) {
    if (saved.team === team && policies?.[saved.kind]?.expiresAfterMs !== saved.expiresAfterMs)
      world.witness.violated(`settings: a policy of ${team} was saved, and is lost`);
  }
}
