/** What admins have set is in force: the token they connected with last, and each policy that was saved. */
import type { Plan } from '../draw/plan.ts';
import type { Replica, World } from '../replica.ts';
import { DESKS, type Desk, idOf } from '../world/slack-side.ts';

export async function checkAdministration(world: World, plan: Plan, replica: Replica): Promise<void> {
  for (const desk of DESKS) {
    await checkConnection(world, replica, desk);
    await checkPolicies(world, plan, replica, desk);
  }
}

/** What is learnt of one token is never said of the next one: a good one is called with. */
async function checkConnection(world: World, replica: Replica, desk: Desk): Promise<void> {
  const token = world.connected.get(desk);
  const isGood = world.service.organizations.get(desk)?.tokens.some((each) => each.token === token);
  const state = await replica.bot().context.workspaces.connection(idOf('T', desk));
  if (isGood && state === 'token_refused')
    world.witness.violated(`connection: the good token of ${desk} is taken for a refused one`);
}

/** All policies at once, or all that is stored, replace those of single kinds. */
const REPLACE: readonly string[] = ['set_policy', 'uninstall', 'install'];

async function checkPolicies(world: World, plan: Plan, replica: Replica, desk: Desk): Promise<void> {
  if (plan.acts.some((act) => REPLACE.includes(act.type) && 'desk' in act && act.desk === desk)) return;
  const { policies } = await replica.bot().context.adapters.settings.read(idOf('T', desk));
  for (const saved of world.savedPolicies) {
    if (saved.desk === desk && policies?.[saved.kind]?.expiresAfterMs !== saved.expiresAfterMs)
      world.witness.violated(`settings: a policy of ${desk} was saved, and is lost`);
  }
}
