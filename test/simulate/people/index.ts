/** Performs the acts of a plan. */

import type { Act } from '../draw/plan.ts';
import type { World } from '../replica.ts';
import type { Deliveries } from '../world/deliveries.ts';
import { type Admins, createAdmins } from './admins.ts';
import { type Acts, createCast } from './cast.ts';
import { happenings } from './happenings.ts';
import { teamActs } from './team.ts';

export type People = Pick<Admins, 'prepare'> & { act(act: Act): void };

/** @param moments microseconds by Slack's clock, never the same twice */
export function createPeople(world: World, deliveries: Deliveries, moments: () => number): People {
  const cast = createCast(world, deliveries, moments);
  const { acts: ofAdmins, prepare } = createAdmins(cast);
  const acts: Acts<Act['type']> = { ...teamActs(cast), ...happenings(cast), ...ofAdmins };
  return { prepare, act: (act) => (acts[act.type] as (given: Act) => void)(act) };
}
