/** One run: people submit requests while faults are injected; in the end the result is checked. */
import { check } from './checks/check.ts';
import { checkLeftBehind } from './checks/left-behind.ts';
import { see } from './checks/seen.ts';
import { createInjector } from './faults/inject.ts';
import { planFaults } from './faults/plan.ts';
import { watch } from './observed/witness.ts';
import type { ChaosOptions } from './options.ts';
import { voteOnTheRest } from './people/approvers.ts';
import { CHANNELS, createPeople, requireApproval } from './people/people.ts';
import type { UnansweredCommand } from './people/submit-request.ts';
import { openUninstallingWorkspace } from './people/uninstalling-workspace.ts';
import { playAll } from './play.ts';
import { type ChaosHarness, openHarness } from './processes/harness.ts';
import { makeReport, type Report } from './report.ts';
import { drawStories } from './stories.ts';
import { untilIdle } from './wait-until-idle.ts';

/** So many that a fault holds up many stories at once: the faults of a run take minutes, one after the other. */
const IN_FLIGHT = 200;
/** `storyMs`: for the outcome of a story. `idleMs`: until no effect is pending, once all stories were played. */
const TIMEOUTS = { storyMs: 15_000, idleMs: 150_000 };
/** Without one of its guards a bot may never become idle. */
const TIMEOUTS_WITHOUT_A_GUARD = { storyMs: 4_000, idleMs: 8_000 };

/** A card that comes late is voted on late. */
const LAST_ROUNDS = 2;

export type RunOptions = ChaosOptions & {
  /** Called from time to time with the progress of the run. */
  progress?: (line: string) => void;
  /** Called with the harness before it is closed. */
  keep?: (harness: ChaosHarness, report: Report) => void;
};

export async function run(options: RunOptions): Promise<Report> {
  const { seed, requests, storage, transport, without, progress = () => {} } = options;
  const timeouts = without ? TIMEOUTS_WITHOUT_A_GUARD : TIMEOUTS;
  const begun = Date.now();
  const harness = await openHarness({ storage, transport, without });
  const witness = watch(harness.slack);
  try {
    const people = createPeople(harness.slack, Math.min(IN_FLIGHT, requests));
    // With every second seed approvers vote where the request was made.
    await requireApproval(harness, seed % 2 === 0 ? 'where_requested' : 'approvals_channel');
    const uninstalling = await openUninstallingWorkspace(harness);
    const injector = createInjector(harness, planFaults(seed, options));
    const unanswered: UnansweredCommand[] = [];
    const played = await playAll(drawStories(seed, requests, CHANNELS), {
      harness,
      people,
      witness,
      before: async ({ n }) => {
        if (n === Math.floor(requests / 2)) uninstalling.uninstall();
        await injector.injectUpTo(n);
        if (n > 0 && n % 100 === 0) progress(`${n} requests after ${seconds(begun)} s`);
      },
      onUnanswered: (command) => unanswered.push(command),
      timeoutMs: timeouts.storyMs,
    });
    await injector.finish();
    await uninstalling.done;
    progress(`all played after ${seconds(begun)} s`);
    let pending = await untilIdle(harness, timeouts.idleMs);
    const stories = played.map(({ story }) => story);
    for (let round = 0; round < LAST_ROUNDS && (await voteOnTheRest(stories, people, witness)); round++) {
      pending = await untilIdle(harness, timeouts.idleMs);
    }
    progress(`nothing is pending after ${seconds(begun)} s`);
    const leftBehind = without ? [] : await checkLeftBehind(harness.storage, uninstalling.traces);
    await Promise.all(harness.replicas.map((replica) => replica.stop()));
    progress(`all stopped after ${seconds(begun)} s`);
    const seen = see(harness, { played, witness, unanswered });
    const violations = [...check(seen), ...leftBehind];
    if (pending) violations.push({ type: 'lost', promise: 3, what: `an effect stays pending: ${pending}` });
    const report = makeReport(seen, {
      options,
      faults: injector.counts(),
      callsOfUninstalled: uninstalling.calls(),
      violations,
      ms: Date.now() - begun,
    });
    options.keep?.(harness, report);
    return report;
  } finally {
    witness.stop();
    await harness.close();
  }
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1_000);
