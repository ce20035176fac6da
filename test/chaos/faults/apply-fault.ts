/** Applies one fault to a process, or to the traffic between processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosHarness } from '../processes/harness.ts';
import type { ChaosStorage } from '../processes/storage.ts';
import { createRandom } from '../random.ts';
import type { Fault } from './plan.ts';

/** The longest wait for the call during which a fault is to strike. */
const LONGEST_WAIT_MS = 2_000;

/** Every fault except those of a single call, which the sandbox applies. */
export type ProcessFault = Exclude<Fault, { type: 'slack' | 'service' }>;

/** @returns whether the fault had anything to strike */
export async function applyFault(harness: ChaosHarness, fault: ProcessFault): Promise<boolean> {
  const { service, slack, replicas, storage } = harness;
  switch (fault.type) {
    case 'service_away':
      await service.setReachable(false);
      await sleep(fault.forMs);
      await service.setReachable(true);
      return true;
    case 'service_repeats': {
      const delivered = service.deliveries().filter(({ state }) => state === 'delivered');
      const delivery = delivered[fault.which % Math.max(1, delivered.length)];
      if (delivery) service.redeliver(delivery.id);
      return delivery !== undefined;
    }
    case 'slack_repeats': {
      const delivered = slack.events.list().filter(({ state }) => state === 'delivered');
      const event = delivered[fault.which % Math.max(1, delivered.length)];
      if (event) slack.events.redeliver(event.event_id);
      return event !== undefined;
    }
    case 'service_reorders':
      return reorderService(harness, fault);
    case 'slack_reorders':
      return reorderSlack(harness, fault);
    case 'kill':
      await untilCalled(harness, fault.during);
      await replicas[fault.replica]?.kill(fault.downMs);
      return true;
    case 'freeze':
      await untilCalled(harness, fault.during);
      await replicas[fault.replica]?.freeze(fault.forMs, fault.dies);
      return true;
    case 'failover_killed':
    case 'failover_frozen':
      await storage.watched?.failOver(fault.type === 'failover_killed' ? 'killed' : 'frozen', fault.forMs);
      return storage.watched !== undefined;
    default:
      await applyRedisFault(storage, fault);
      return true;
  }
}

/** Resolves while the bot waits for the answer to a call of that name, or after a while if none comes. */
async function untilCalled({ journal }: ChaosHarness, name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const forget = journal.onBegin((begun) => {
    if (begun.from === 'bot' && begun.name === name) resolve();
  });
  await Promise.race([promise, sleep(LONGEST_WAIT_MS)]);
  forget();
}

async function reorderService({ service }: ChaosHarness, { forMs, seed }: { forMs: number; seed: number }) {
  service.events.pause();
  await sleep(forMs);
  const kept = service.events.takeKept();
  service.events.resume();
  for (const { event, organization } of createRandom(seed, 'order').shuffled(kept))
    service.deliver(event, { organization });
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

async function applyRedisFault(
  { redis }: ChaosStorage,
  { type, forMs }: Extract<ProcessFault, { type: `redis_${string}` }>,
): Promise<void> {
  if (!redis) return;
  const { server, proxy } = redis;
  if (type === 'redis_killed') await server.kill();
  if (type === 'redis_frozen') server.pause();
  if (type === 'redis_cut') proxy.cut();
  if (type === 'redis_deaf') proxy.dropAnswers();
  await sleep(forMs);
  if (type === 'redis_killed') await server.restart();
  if (type === 'redis_frozen') server.resume();
  proxy.restore();
}
