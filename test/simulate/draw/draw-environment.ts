/** Draws what happens around a play: its storage, stops of replicas, moved channels, crowds. Each from a stream of its own. */
import { createRandom, type Random } from '../../chaos/random.ts';
import { TEAMS, UNREQUESTED_ITEM } from '../teams.ts';
import { drawClock, MINUTE_MS, soon } from './draw-acts.ts';
import type { Act, Plan, Request } from './plan.ts';

type Storage = Pick<Plan, 'longestStallMs' | 'failingCommits' | 'isReplicated'> & {
  replicas?: number;
  acts: Act[];
};

/** One kind of storage: usual, late by minutes, copied to another server, or SQLite with commits that fail. */
export function drawStorage(seed: number): Storage {
  const random = createRandom(seed, 'storage');
  const kind = random.between(1, 12);
  if (kind === 1) return { longestStallMs: 4 * MINUTE_MS, acts: [] };
  if (kind === 2) return { failingCommits: random.pick([5, 20, 60]), replicas: 1, acts: [] };
  if (kind > 3) return { acts: [] };
  const failOvers = Array.from({ length: random.between(1, 2) }, () => soon(random, 0));
  return { isReplicated: true, acts: failOvers.map((at) => ({ type: 'fail_over', at })) };
}

/** Moves some failovers to right after an event of the service: an event that the bot has acknowledged must not be lost. */
export function nearEvents(seed: number, failOvers: readonly Act[], acts: readonly Act[]): Act[] {
  const random = createRandom(seed, 'failovers');
  const events = acts.filter(({ type }) => type === 'review' || type === 'cancel_elsewhere');
  return failOvers.map((failOver) => {
    const [event] = random.shuffled(events);
    return event && random.chance(0.6) ? { ...failOver, at: event.at + random.between(40, 300) } : failOver;
  });
}

/** Stops of replicas, and clocks that are set. */
export function drawOperators(seed: number, mayFail: boolean): Act[] {
  const random = createRandom(seed, 'operators');
  if (!mayFail) return [];
  return [
    ...(random.chance(0.1) ? [drawStop(random)] : []),
    ...(random.chance(0.05) ? [drawClock(random)] : []),
    ...(random.chance(0.05)
      ? [{ type: 'move_channel', at: soon(random, 0), team: random.pick(TEAMS) } as const]
      : []),
  ];
}

/**
 * Draws the stop of a replica, or of all in turn, while the tokens of the bot are renewed: the first use of a token that is due
 * renews it.
 */
export function drawRenewalStop(random: Random, renewalInMs: number | undefined): Act[] {
  if (renewalInMs === undefined || random.chance(0.5)) return [];
  const at = renewalInMs + random.between(0, random.pick([1_000, MINUTE_MS]));
  return [drawStop(random, () => at)];
}

/** @param time drawn after the kind of the stop */
const drawStop = (random: Random, time = () => soon(random, 0)): Act =>
  random.chance(0.5)
    ? { type: 'stop', at: time(), replica: random.between(0, 2) }
    : { type: 'rolling_restart', at: time() };

const CROWD = 0.004;

/** Draws, rarely, hundreds of requests of one team within two minutes, and a few of the other team. */
export function drawCrowd(seed: number): { orders: number; requests: Request[]; acts: Act[] } | undefined {
  const random = createRandom(seed, 'crowd');
  if (!random.chance(CROWD)) return undefined;
  const count = random.between(200, 400);
  const others = [1, 2, 3].map(
    (item): Request => ({
      type: 'request',
      n: count + item,
      at: random.between(0, 2 * MINUTE_MS),
      team: 'globex',
      by: 'ana',
      kind: 'cancel_order',
      item,
    }),
  );
  const requests = Array.from(
    { length: count },
    (_, n): Request => ({
      type: 'request',
      n,
      at: random.between(0, 2 * MINUTE_MS),
      team: 'acme',
      by: random.pick(['ana', 'ben']),
      kind: 'cancel_order',
      item: UNREQUESTED_ITEM + 1 + n,
    }),
  );
  // More events that match no request than are posted one by one.
  const unmatched = Array.from(
    { length: 8 },
    (_, n): Act => ({
      type: 'cancel_elsewhere',
      at: random.between(0, 10 * MINUTE_MS),
      team: 'acme',
      item: UNREQUESTED_ITEM + 1 + count + n,
    }),
  );
  return { orders: UNREQUESTED_ITEM + count + 8, requests: [...requests, ...others], acts: unmatched };
}
