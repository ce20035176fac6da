/** Checks that what admins have set is in force: the last token, and each saved policy. */
import type { Plan } from '../draw/plan.ts';
import type { Replica, World } from '../replica.ts';
import { idOf, TEAMS, type Team } from '../world/slack-side.ts';

export async function checkAdministration(world: World, plan: Plan, replica: Replica): Promise<void> {
  for (const team of TEAMS) {
    await checkConnection(world, replica, team);
    await checkPolicies(world, plan, replica, team);
  }
}

/** Checks that a good token is used, whatever was learnt of the one before. */
async function checkConnection(world: World, replica: Replica, team: Team): Promise<void> {
  const token = world.connected.get(team);
  const isGood = world.service.organizations.get(team)?.tokens.some((each) => each.token === token);
  const state = await replica.bot().context.workspaces.connection(idOf('T', team));
  if (isGood && state === 'token_refused')
    world.witness.violated(`connection: the good token of ${team} is taken for a refused one`);
}

/** All policies at once, or all that is stored, replace those of single kinds. */
const REPLACE: readonly string[] = ['set_policy', 'uninstall', 'install'];

async function checkPolicies(world: World, plan: Plan, replica: Replica, team: Team): Promise<void> {
  if (plan.acts.some((act) => REPLACE.includes(act.type) && 'team' in act && act.team === team)) return;
  const { policies } = await replica.bot().context.adapters.settings.read(idOf('T', team));
  for (const saved of world.savedPolicies) {
    if (saved.team === team && policies?.[saved.kind]?.expiresAfterMs !== saved.expiresAfterMs)
      world.witness.violated(`settings: a policy of ${team} was saved, and is lost`);
  }
}
