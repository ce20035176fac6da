/**
 * Runs many plays, each from its own seed, on several threads. The result does not depend on which thread runs which play.
 * After Ctrl+C no more plays begin; the result covers those that have run.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Counts, NOTHING, sumOf } from '../tables/floors.ts';
import { createTrace } from '../trace.ts';
import type { PlayResult, WorkerInput } from './worker.ts';

export type Failed = { seed: number; violations: readonly string[] };

export type Result = {
  played: number;
  perSecond: number;
  /** Of the traces of all plays. */
  hash: string;
  failed: readonly Failed[];
  coverage: ReadonlyMap<string, number>;
  counts: Counts;
};

type Options = {
  seed: number;
  plays: number;
  workers?: number;
  /** Runs the plays that failed in the past (draw/found.ts), not those of seeds. */
  found?: boolean;
  /** Begins no play after so many seconds. */
  seconds?: number;
  /** The guard to remove from the bot. */
  without?: string | undefined;
  /** Stops at the first play that fails. */
  stopAtFirst?: boolean;
  /** Called with each failed play, as soon as it has failed. */
  onFailed?: (failed: Failed) => void;
};

export async function playMany(options: Options): Promise<Result> {
  const { seed, plays, without, found = false, stopAtFirst = false } = options;
  const { workers = availableParallelism(), seconds, onFailed = () => {} } = options;
  const began = performance.now();
  const given: WorkerInput = {
    seed,
    found,
    without,
    next: new Int32Array(new SharedArrayBuffer(4)),
    end: new Int32Array(new SharedArrayBuffer(4)).fill(plays),
  };
  // By the number of the play. Nothing more is kept of a play, so that a million fit into memory.
  const hashes: string[] = [];
  const failures: Failed[] = [];
  const coverage = new Map<string, number>();
  let counts = NOTHING;
  const stop = () => {
    given.end[0] = Math.min(Atomics.load(given.next, 0), given.end[0] ?? 0);
  };
  const timer = seconds === undefined ? undefined : setTimeout(stop, seconds * 1_000);
  process.once('SIGINT', stop);
  await Promise.all(
    Array.from({ length: Math.min(workers, plays) }, () =>
      playOnThread(given, ({ n, hash, violations, coverage: cells, counts: happened }) => {
        hashes[n] = hash;
        counts = sumOf(counts, happened);
        for (const [cell, hits] of cells) coverage.set(cell, (coverage.get(cell) ?? 0) + hits);
        if (violations.length === 0) return;
        failures[n] = { seed: seed + n, violations };
        if (stopAtFirst) given.end[0] = Math.min(n + 1, given.end[0] ?? 0);
        onFailed({ seed: seed + n, violations });
      }),
    ),
  );
  clearTimeout(timer);
  process.off('SIGINT', stop);
  const perSecond = Math.round((hashes.length / (performance.now() - began)) * 1_000);
  // Other threads may have run plays after the one that stopped the run.
  const counted = hashes.slice(0, given.end[0]);
  const failed = failures.slice(0, given.end[0]).filter((each) => each !== undefined);
  return { played: counted.length, perSecond, hash: hashOf(counted), failed, coverage, counts };
}

async function playOnThread(given: WorkerInput, onPlayed: (one: PlayResult) => void): Promise<void> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: given,
    execArgv: [],
    // What a play allocates is garbage when it ends. With a large young generation little of it is copied before, which saves a
    // twentieth of the time.
    resourceLimits: { maxYoungGenerationSizeMb: 128 },
  });
  worker.on('message', onPlayed);
  // Rejects with an error that the thread throws.
  await once(worker, 'exit');
}

function hashOf(hashes: readonly string[]): string {
  const trace = createTrace(false);
  for (const hash of hashes) trace.note(hash);
  return trace.hash();
}
