/** Plans the faults of a run and their times from the seed, before anything begins. */
import type { Fault as HttpFault } from '../../../sandbox/lib/control/fault-schema.ts';
import type { StorageName } from '../options.ts';
import { createRandom, type Random, shareOut } from '../random.ts';
import { TIMINGS } from '../timings.ts';
import { SLACK_METHODS, serviceFault, slackFault } from './http.ts';

export type Fault =
  /** Strikes the next call of that name. */
  | { type: 'slack' | 'service'; on: string; fault: HttpFault }
  /** Nothing listens where the service was. */
  | { type: 'service_away'; forMs: number }
  /** An event that was told before is told again; those of a while are told in another order. */
  | { type: 'service_repeats' | 'slack_repeats'; which: number }
  | { type: 'service_reorders' | 'slack_reorders'; forMs: number; seed: number }
  /** `during`: as soon as a call of this name comes in, be it from this replica or another; else at once. */
  | { type: 'kill'; replica: number; during?: string; downMs: number }
  /** Past every lease; `dies`: and is killed before it goes on. */
  | { type: 'freeze'; replica: number; during?: string; forMs: number; dies: boolean }
  | { type: 'redis_killed' | 'redis_frozen' | 'redis_cut' | 'redis_deaf'; forMs: number }
  /** The master goes, and another server takes its place. */
  | { type: 'failover_killed' | 'failover_frozen'; forMs: number };

/** `at`: the number of the story with which it comes, and how long after that. */
export type PlannedFault = { at: number; afterMs: number; fault: Fault };

type Sort = Fault['type'];

const EVERYWHERE: Record<Sort, number> = {
  slack: 54,
  service: 17,
  service_away: 1,
  service_repeats: 3,
  service_reorders: 3,
  slack_repeats: 2,
  slack_reorders: 2,
  kill: 7,
  freeze: 4,
  redis_killed: 0,
  redis_frozen: 0,
  redis_cut: 0,
  redis_deaf: 0,
  failover_killed: 0,
  failover_frozen: 0,
};

const WEIGHTS: Record<StorageName, Record<Sort, number>> = {
  redis: { ...EVERYWHERE, redis_killed: 2, redis_frozen: 2, redis_cut: 2, redis_deaf: 2 },
  // Each takes a quarter of a minute, until the former master follows the new one.
  sentinel: { ...EVERYWHERE, failover_killed: 1, failover_frozen: 1 },
  sqlite: { ...EVERYWHERE, kill: 13, freeze: 3 },
};

export function planFaults(
  seed: number,
  { faults, requests, storage }: { faults: number; requests: number; storage: StorageName },
): PlannedFault[] {
  const random = createRandom(seed, 'faults');
  const sorts = random.shuffled(shareOut(WEIGHTS[storage], faults));
  return sorts.map((sort) => ({
    at: random.between(0, requests - 1),
    afterMs: random.between(0, 1_500),
    fault: makeFault(sort, random, storage === 'sqlite' ? 1 : 2),
  }));
}

function makeFault(sort: Sort, random: Random, replicas: number): Fault {
  const replica = random.between(0, replicas - 1);
  switch (sort) {
    case 'slack':
      return { type: sort, on: random.pick(SLACK_METHODS), fault: slackFault(random) };
    case 'service':
      return { type: sort, on: '*', fault: serviceFault(random) };
    case 'service_away':
    case 'redis_deaf':
      return { type: sort, forMs: random.between(200, 1_500) };
    case 'service_repeats':
    case 'slack_repeats':
      return { type: sort, which: random.between(0, 1_000_000) };
    case 'service_reorders':
    case 'slack_reorders':
      return { type: sort, forMs: random.between(300, 1_500), seed: random.between(0, 1_000_000) };
    case 'kill':
      return { type: sort, replica, ...moment(random), downMs: random.between(0, 1_000) };
    case 'freeze': {
      const forMs = TIMINGS.claimMs + random.between(300, 1_500);
      return { type: sort, replica, ...moment(random), forMs, dies: random.chance(0.2) };
    }
    case 'redis_killed':
    case 'redis_cut':
      return { type: sort, forMs: random.between(100, 2_500) };
    case 'failover_killed':
    case 'failover_frozen':
      return { type: sort, forMs: random.between(500, 4_000) };
    case 'redis_frozen':
      return { type: sort, forMs: random.between(1_000, 4_500) };
  }
}

/** The moments in which an interruption hurts most. */
const DELICATE = [
  'chat.postMessage',
  'chat.postMessage',
  'cancel_order',
  'send_offer',
  'chat.update',
] as const;

const moment = (random: Random) => (random.chance(0.7) ? { during: random.pick(DELICATE) } : {});
