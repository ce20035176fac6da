/** Makes things go wrong as they were planned, and counts what did. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScheduledFault } from '../../../sandbox/lib/control/faults.ts';
import type { ChaosHarness } from '../processes/harness.ts';
import { type Disturbance, disturb } from './disturb.ts';
import type { PlannedFault } from './plan.ts';

export type Injector = {
  /** Begins what was planned for a story, and waits while too much is under way. */
  reach(story: number): Promise<void>;
  /** Lets what was begun come to its end, and takes back what has struck nothing. */
  finish(): Promise<void>;
  /** By sort: how often something went wrong. */
  counts(): Record<string, number>;
};

/** The most faults that wait for one process: they come one after the other. */
const MOST_WAITING = 1;
const LOOK_MS = 50;

export function createInjector(harness: ChaosHarness, plan: readonly PlannedFault[]): Injector {
  const counts: Record<string, number> = {};
  const scheduled: ScheduledFault[] = [];
  const lanes = new Map<string, { waiting: number; last: Promise<void> }>();
  const pending = new Set<Promise<void>>();
  const left = new Set(plan);

  const count = (sort: string) => {
    counts[sort] = (counts[sort] ?? 0) + 1;
  };

  function run(lane: string, act: () => Promise<void>): Promise<void> {
    const { waiting, last } = lanes.get(lane) ?? { waiting: 0, last: Promise.resolve() };
    const next = last.then(act).finally(() => {
      const now = lanes.get(lane);
      if (now) now.waiting -= 1;
    });
    lanes.set(lane, { waiting: waiting + 1, last: next });
    return next;
  }

  async function inject({ afterMs, fault }: PlannedFault): Promise<void> {
    await sleep(afterMs);
    if ('on' in fault) {
      scheduled.push(harness[fault.type].faults.schedule({ on: fault.on, fault: fault.fault }));
      return;
    }
    const done = await run(laneOf(fault), async () => {
      if (await disturb(harness, fault)) count(fault.type);
    });
    return done;
  }

  return {
    async reach(story) {
      for (const planned of left) {
        if (planned.at > story) continue;
        left.delete(planned);
        const injected = inject(planned).finally(() => pending.delete(injected));
        pending.add(injected);
      }
      while ([...lanes.values()].some(({ waiting }) => waiting > MOST_WAITING)) await sleep(LOOK_MS);
    },
    async finish() {
      await Promise.all(pending);
      for (const { rule, remaining } of scheduled)
        if (remaining === 0) count(nameOf(rule.on, rule.fault.type));
      harness.slack.faults.clear();
      harness.service.faults.clear();
    },
    counts: () => counts,
  };
}

const nameOf = (on: string, fault: string) => `${on === '*' ? 'service' : on}: ${fault}`;

function laneOf(fault: Disturbance): string {
  if ('replica' in fault) return `replica ${fault.replica}`;
  return fault.type.split('_')[0] ?? '';
}
