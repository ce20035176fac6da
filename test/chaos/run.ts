/** One run: people ask, everything that can go wrong does, and in the end it is looked at what became of it. */

import { check, see } from './checks/check.ts';
import { checkLeftBehind } from './checks/left-behind.ts';
import { watch } from './checks/witness.ts';
import { createInjector } from './faults/inject.ts';
import { planFaults } from './faults/plan.ts';
import type { ChaosOptions } from './options.ts';
import { voteOnTheRest } from './people/approvers.ts';
import type { Silence } from './people/ask.ts';
import { openLeaving } from './people/leaving.ts';
import { CHANNELS, gather, needApproval } from './people/people.ts';
import { tellStories } from './people/stories.ts';
import { playAll } from './play.ts';
import { type ChaosHarness, openHarness } from './processes/harness.ts';
import { untilQuiet } from './quiet.ts';
import { makeReport, type Report } from './report.ts';

const IN_FLIGHT = 40;
/** How long an outcome is waited for, and, once all was played, that nothing is owed. */
const PATIENCE = { storyMs: 20_000, quietMs: 150_000 };
/** Without one of its guards a bot may never come to rest. */
const PATIENCE_WITH_A_BROKEN_BOT = { storyMs: 4_000, quietMs: 8_000 };

/** A card that came late is voted on late. */
const LAST_ROUNDS = 2;

export type RunOptions = ChaosOptions & {
  /** Told how far it is, now and then. */
  progress?: (line: string) => void;
  /** Called with the harness before it is closed. */
  keep?: (harness: ChaosHarness, report: Report) => void;
};

export async function run(options: RunOptions): Promise<Report> {
  const { seed, requests, storage, transport, without, progress = () => {} } = options;
  const patience = without ? PATIENCE_WITH_A_BROKEN_BOT : PATIENCE;
  const begun = Date.now();
  const harness = await openHarness({ storage, transport, without });
  const witness = watch(harness.slack);
  try {
    const people = gather(harness.slack, Math.min(IN_FLIGHT, requests));
    // Every second seed shows to the approvers where it was asked.
    await needApproval(harness, seed % 2 === 0 ? 'where_requested' : 'approvals_channel');
    const leaving = await openLeaving(harness);
    const injector = createInjector(harness, planFaults(seed, options));
    const silences: Silence[] = [];
    const played = await playAll(tellStories(seed, requests, CHANNELS), {
      harness,
      people,
      witness,
      before: async ({ n }) => {
        if (n === Math.floor(requests / 2)) leaving.leave();
        await injector.reach(n);
        if (n > 0 && n % 100 === 0) progress(`${n} requests after ${seconds(begun)} s`);
      },
      silent: (silence) => silences.push(silence),
      patienceMs: patience.storyMs,
    });
    await injector.finish();
    await leaving.done;
    progress(`all played after ${seconds(begun)} s`);
    let owed = await untilQuiet(harness, patience.quietMs);
    const stories = played.map(({ story }) => story);
    for (let round = 0; round < LAST_ROUNDS && (await voteOnTheRest(stories, people, witness)); round++) {
      owed = await untilQuiet(harness, patience.quietMs);
    }
    const leftBehind = without ? [] : await checkLeftBehind(harness.storage, leaving.traces);
    await Promise.all(harness.replicas.map((replica) => replica.stop()));
    const seen = see(harness, { played, witness, silences });
    const violations = [...check(seen), ...leftBehind];
    if (owed) violations.push({ type: 'lost', promise: 3, what: `something is owed for ever: ${owed}` });
    const report = makeReport(seen, {
      options,
      faults: injector.counts(),
      ofLeaving: leaving.calls(),
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
