/** Plays many plays, each from its own seed, on several threads. Which thread plays what changes nothing of the result. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createTrace } from '../trace.ts';
import type { Given, PlayedOne } from './worker.ts';

export type Failed = { seed: number; violations: readonly string[] };

export type Result = {
  played: number;
  perSecond: number;
  /** Of the traces of all plays. */
  hash: string;
  failed: readonly Failed[];
  coverage: ReadonlyMap<string, number>;
};

type Options = {
  seed: number;
  plays: number;
  workers?: number;
  /** Plays what was found once, and no other seed. */
  found?: boolean;
  /** Begins no play after so long. */
  seconds?: number;
  /** A guard that the bot has to do without. */
  without?: string | undefined;
  /** Ends with the first play that fails. */
  stopAtFirst?: boolean;
  /** Told of each play that failed, as soon as it has. */
  onFailed?: (failed: Failed) => void;
};

export async function playMany(options: Options): Promise<Result> {
  const { seed, plays, without, found = false, stopAtFirst = false } = options;
  const { workers = availableParallelism(), seconds, onFailed = () => {} } = options;
  const began = performance.now();
  const given: Given = {
    seed,
    found,
    without,
    next: new Int32Array(new SharedArrayBuffer(4)),
    end: new Int32Array(new SharedArrayBuffer(4)).fill(plays),
  };
  const done: PlayedOne[] = [];
  const stop = () => {
    given.end[0] = Math.min(Atomics.load(given.next, 0), given.end[0] ?? 0);
  };
  const timer = seconds === undefined ? undefined : setTimeout(stop, seconds * 1_000);
  await Promise.all(
    Array.from({ length: Math.min(workers, plays) }, () =>
      playOnThread(given, (one) => {
        done[one.n] = one;
        if (one.violations.length === 0) return;
        if (stopAtFirst) given.end[0] = Math.min(one.n + 1, given.end[0] ?? 0);
        onFailed({ seed: seed + one.n, violations: one.violations });
      }),
    ),
  );
  clearTimeout(timer);
  // A thread may have been ahead of the play that ended it.
  const counted = done.slice(0, given.end[0]);
  const perSecond = Math.round((done.length / (performance.now() - began)) * 1_000);
  return { played: counted.length, perSecond, ...sum(seed, counted) };
}

async function playOnThread(given: Given, onPlayed: (one: PlayedOne) => void): Promise<void> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: given, execArgv: [] });
  worker.on('message', onPlayed);
  // Rejects with what the thread has thrown.
  await once(worker, 'exit');
}

function sum(seed: number, all: readonly PlayedOne[]): Pick<Result, 'hash' | 'failed' | 'coverage'> {
  const trace = createTrace(false);
  const coverage = new Map<string, number>();
  for (const one of all) {
    trace.note(one.hash);
    for (const [cell, hits] of one.coverage) coverage.set(cell, (coverage.get(cell) ?? 0) + hits);
  }
  const failed = all
    .filter(({ violations }) => violations.length > 0)
    .map(({ n, violations }) => ({ seed: seed + n, violations }));
  return { hash: trace.hash(), failed, coverage };
}
