/** Injects the planned faults, and counts those that struck. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScheduledFault } from '../../../sandbox/lib/faults/faults.ts';
import type { ChaosHarness } from '../processes/harness.ts';
import { applyFault, type ProcessFault } from './apply-fault.ts';
import type { PlannedFault } from './plan.ts';

export type Injector = {
  /** Injects the faults planned for the stories up to this one, and waits while too many are under way. */
  injectUpTo(story: number): Promise<void>;
  /** Waits for the faults that are under way, and cancels those that struck nothing. */
  finish(): Promise<void>;
  /** The number of faults that struck, by type. */
  counts(): Record<string, number>;
};

/** The most faults that wait for one process, which gets them one after the other. */
const MOST_WAITING = 3;
const POLL_MS = 50;

export function createInjector(harness: ChaosHarness, plan: readonly PlannedFault[]): Injector {
  const counts: Record<string, number> = {};
  const scheduled: ScheduledFault[] = [];
  const queues = new Map<string, { waiting: number; last: Promise<void> }>();
  const pending = new Set<Promise<void>>();
  const planned = new Set(plan);

  const count = (type: string) => {
    counts[type] = (counts[type] ?? 0) + 1;
  };

  function run(queue: string, act: () => Promise<void>): Promise<void> {
    const { waiting, last } = queues.get(queue) ?? { waiting: 0, last: Promise.resolve() };
    const next = last.then(act).finally(() => {
      const now = queues.get(queue);
      if (now) now.waiting -= 1;
    });
    queues.set(queue, { waiting: waiting + 1, last: next });
    return next;
  }

  async function inject({ afterMs, fault }: PlannedFault): Promise<void> {
    await sleep(afterMs);
    if ('on' in fault) {
      scheduled.push(harness[fault.type].faults.schedule({ on: fault.on, fault: fault.fault }));
      return;
    }
    await run(queueOf(fault), async () => {
      if (await applyFault(harness, fault)) count(fault.type);
    });
  }

  return {
    async injectUpTo(story) {
      for (const fault of planned) {
        if (fault.at > story) continue;
        planned.delete(fault);
        const injected = inject(fault).finally(() => pending.delete(injected));
        pending.add(injected);
      }
      while ([...queues.values()].some(({ waiting }) => waiting > MOST_WAITING)) await sleep(POLL_MS);
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

function queueOf(fault: ProcessFault): string {
  if ('replica' in fault) return `replica ${fault.replica}`;
  return fault.type.split('_')[0] ?? '';
}
