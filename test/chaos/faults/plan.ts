/** Draws the faults of a run and their times from the seed, before the run begins. */
import type { Fault as HttpFault } from '../../../sandbox/lib/faults/faults.ts';
import { REPLICAS, type StorageName } from '../options.ts';
import { createRandom, type Random, shareOut } from '../random.ts';
import { TIMINGS } from '../timings.ts';
import { SLACK_METHODS, serviceFault, slackFault } from './http.ts';

export type Fault =
  /** Strikes the next call of that name. */
  | { type: 'slack' | 'service'; on: string; fault: HttpFault }
  /** Nothing listens at the address of the service. */
  | { type: 'service_away'; forMs: number }
  /** A delivered event is delivered again. */
  | { type: 'service_repeats' | 'slack_repeats'; which: number }
  /** The events of this time are held, and then delivered in another order. */
  | { type: 'service_reorders' | 'slack_reorders'; forMs: number; seed: number }
  /** `during`: the fault waits until a replica makes a call of this name; undefined: it comes at once. */
  | { type: 'kill'; replica: number; during?: string; downMs: number }
  /** Longer than every claim and lock. `dies`: the process is killed instead of resumed. */
  | { type: 'freeze'; replica: number; during?: string; forMs: number; dies: boolean }
  | { type: 'redis_killed' | 'redis_frozen' | 'redis_cut' | 'redis_deaf'; forMs: number }
  /** The master is killed or frozen, and another server takes its place. */
  | { type: 'failover_killed' | 'failover_frozen'; forMs: number };

/** `at`: the number of the story with which it comes. `afterMs`: how long after the start of that story. */
export type PlannedFault = { at: number; afterMs: number; fault: Fault };

type FaultType = Fault['type'];

/** Longer than the time-out of a command to Redis, 1.5 s. Nothing happens after that, so a longer outage would show no more. */
const LONGEST_OUTAGE_MS = 2_000;

const COMMON: Record<FaultType, number> = {
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

const WEIGHTS: Record<StorageName, Record<FaultType, number>> = {
  redis: { ...COMMON, redis_killed: 2, redis_frozen: 2, redis_cut: 2, redis_deaf: 2 },
  // Each takes a quarter of a minute, until the former master follows the new one.
  sentinel: { ...COMMON, failover_killed: 1, failover_frozen: 1 },
  sqlite: { ...COMMON, kill: 13, freeze: 3 },
};

export function planFaults(
  seed: number,
  { faults, requests, storage }: { faults: number; requests: number; storage: StorageName },
): PlannedFault[] {
  const random = createRandom(seed, 'faults');
  const types = random.shuffled(shareOut(WEIGHTS[storage], faults));
  return types.map((type) => ({
    at: random.between(0, requests - 1),
    afterMs: random.between(0, 1_500),
    fault: makeFault(type, random, REPLICAS[storage]),
  }));
}

function makeFault(type: FaultType, random: Random, replicas: number): Fault {
  const replica = random.between(0, replicas - 1);
  switch (type) {
    case 'slack':
      return { type, on: random.pick(SLACK_METHODS), fault: slackFault(random) };
    case 'service':
      return { type, on: '*', fault: serviceFault(random) };
    case 'service_away':
    case 'redis_deaf':
      return { type, forMs: random.between(200, 1_500) };
    case 'service_repeats':
    case 'slack_repeats':
      return { type, which: random.between(0, 1_000_000) };
    case 'service_reorders':
    case 'slack_reorders':
      return { type, forMs: random.between(300, 1_500), seed: random.between(0, 1_000_000) };
    case 'kill':
      return { type, replica, ...moment(random), downMs: random.between(0, 1_000) };
    case 'freeze': {
      const forMs = TIMINGS.claimMs + random.between(300, 1_500);
      return { type, replica, ...moment(random), forMs, dies: random.chance(0.2) };
    }
    case 'redis_killed':
    case 'redis_cut':
      return { type, forMs: random.between(100, LONGEST_OUTAGE_MS) };
    case 'failover_killed':
    case 'failover_frozen':
      return { type, forMs: random.between(500, 4_000) };
    case 'redis_frozen':
      return { type, forMs: random.between(1_000, LONGEST_OUTAGE_MS) };
  }
}

/** Calls whose interruption is hardest to recover from. */
const INTERRUPTED_CALLS = [
  'chat.postMessage',
  'chat.postMessage',
  'cancel_order',
  'send_offer',
  'chat.update',
] as const;

const moment = (random: Random) => (random.chance(0.7) ? { during: random.pick(INTERRUPTED_CALLS) } : {});
