/** Performs the acts of a plan. */
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { Act } from '../draw/plan.ts';
import type { Replica } from '../replica.ts';
import type { World } from '../world/world.ts';
import { type Admins, createAdmins } from './admins.ts';
import { type ActHandlers, createPeopleContext } from './context.ts';
import { environmentActs } from './environment.ts';
import { operatorActs } from './operators.ts';
import { teamActs } from './team.ts';
import { voterActs } from './voters.ts';

export type People = Pick<Admins, 'prepare'> & { act(act: Act): void };

/** @param nextMoment Slack's timestamps, microseconds; never the same twice */
export function createPeople(
  world: World,
  deliveries: Deliveries,
  replicas: readonly Replica[],
  nextMoment: () => number,
): People {
  const context = createPeopleContext(world, deliveries, nextMoment);
  const { acts: adminActs, prepare } = createAdmins(context);
  const acts: ActHandlers<Act['type']> = {
    ...teamActs(context),
    ...voterActs(context),
    ...environmentActs(context),
    ...operatorActs(context, replicas),
    ...adminActs,
  };
  return { prepare, act: (act) => (acts[act.type] as (given: Act) => void)(act) };
}
