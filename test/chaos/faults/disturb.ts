/** Disturbs a process, or what comes and goes between processes, once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosHarness } from '../processes/harness.ts';
import type { ChaosStorage } from '../processes/storage.ts';
import { createRandom } from '../random.ts';
import type { Fault } from './plan.ts';

/** How long the moment is waited for at which it is to come. */
const LONGEST_MOMENT_MS = 2_000;

/** All but what strikes a single call. */
export type Disturbance = Exclude<Fault, { type: 'slack' | 'service' }>;

/** @returns whether there was something to disturb */
export async function disturb(harness: ChaosHarness, fault: Disturbance): Promise<boolean> {
  const { service, slack, replicas, storage } = harness;
  switch (fault.type) {
    case 'service_away':
      await service.setReachable(false);
      await sleep(fault.forMs);
      await service.setReachable(true);
      return true;
    case 'service_repeats': {
      const told = service.deliveries().filter(({ state }) => state === 'delivered');
      const delivery = told[fault.which % Math.max(1, told.length)];
      if (delivery) service.redeliver(delivery.id);
      return delivery !== undefined;
    }
    case 'slack_repeats': {
      const told = slack.events.list().filter(({ state }) => state === 'delivered');
      const event = told[fault.which % Math.max(1, told.length)];
      if (event) slack.events.redeliver(event.event_id);
      return event !== undefined;
    }
    case 'service_reorders':
      return reorderService(harness, fault);
    case 'slack_reorders':
      return reorderSlack(harness, fault);
    case 'kill':
      await momentOf(harness, fault.during);
      await replicas[fault.replica]?.kill(fault.downMs);
      return true;
    case 'freeze':
      await momentOf(harness, fault.during);
      await replicas[fault.replica]?.freeze(fault.forMs, fault.dies);
      return true;
    case 'failover_killed':
    case 'failover_frozen':
      await storage.watched?.failOver(fault.type === 'failover_killed' ? 'killed' : 'frozen', fault.forMs);
      return storage.watched !== undefined;
    default:
      await disturbRedis(storage, fault);
      return true;
  }
}

/** Resolves while the bot waits for the answer to a call of that name; or after a while, where none comes. */
async function momentOf({ journal }: ChaosHarness, name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const forget = journal.onBegin((begun) => {
    if (begun.from === 'bot' && begun.name === name) resolve();
  });
  await Promise.race([promise, sleep(LONGEST_MOMENT_MS)]);
  forget();
}

async function reorderService({ service }: ChaosHarness, { forMs, seed }: { forMs: number; seed: number }) {
  service.events.pause();
  await sleep(forMs);
  const kept = service.events.takeKept();
  service.events.resume();
  for (const { event } of createRandom(seed, 'order').shuffled(kept)) service.deliver(event);
  return kept.length > 1;
}

async function reorderSlack({ slack }: ChaosHarness, { forMs, seed }: { forMs: number; seed: number }) {
  const held = slack.events.hold('reaction_added', 'reaction_removed');
  await sleep(forMs);
  const places = [...held.list().keys()];
  for (const place of createRandom(seed, 'order').shuffled(places)) held.deliver(place);
  held.release();
  return places.length > 1;
}

async function disturbRedis(
  { redis }: ChaosStorage,
  { type, forMs }: Extract<Disturbance, { type: `redis_${string}` }>,
): Promise<void> {
  if (!redis) return;
  const { server, line } = redis;
  if (type === 'redis_killed') await server.kill();
  if (type === 'redis_frozen') server.pause();
  if (type === 'redis_cut') line.cut();
  if (type === 'redis_deaf') line.deafen();
  await sleep(forMs);
  if (type === 'redis_killed') await server.restart();
  if (type === 'redis_frozen') server.resume();
  line.mend();
}
