/** What runs that which records owe. The record holds the truth: a trigger that is lost delays, and loses nothing. */
import type { Log, Trigger } from '../requests/ports/ports.ts';
import type { RecordRef } from '../requests/ports/record-store.ts';
import type { Runtime } from '../requests/ports/runtime.ts';

export type RunnerDeps = {
  runtime: Pick<Runtime, 'after' | 'sleep'>;
  /** Does what the request owes; in how many milliseconds it owes something again. */
  advance: (ref: RecordRef) => Promise<number | undefined>;
  due: (limit: number) => Promise<RecordRef[]>;
  /** Puts off a request that can't be advanced, so that others don't wait behind it. */
  postpone: (ref: RecordRef, ms: number) => Promise<void>;
  /** Names a record in the log. */
  about: (ref: RecordRef) => object;
  log: Log;
  options?: Partial<RunnerOptions>;
};

export type RunnerOptions = {
  sweepMs: number;
  /**
   * How many records are worked on at once, and how many of one workspace: less than a tenth, so that even where all
   * are taken, one whose calls are slow moves nobody else by more than that (test/jobs/fairness.test.ts).
   */
  concurrency: number;
  share: number;
  /** Between replicas: how many jobs one of them takes at once, to choose from. */
  taken: number;
  /** How long a stop waits for what is under way. */
  stopMs: number;
  /** Between replicas: how long one that says nothing keeps what it took. */
  lockMs: number;
};

export type Runner = { trigger: Trigger; start(): void; stop(): Promise<void> };

export const DEFAULTS: RunnerOptions = {
  sweepMs: 5_000,
  concurrency: 128,
  share: 10,
  taken: 512,
  stopMs: 25_000,
  lockMs: 30_000,
};

export const POSTPONED_MS = 60_000;
/** What is due later than this is left to the sweep: no timer is kept for it. */
export const LONGEST_TIMER_MS = 60_000;

/** How runners name a record among the others. */
export const keyOf = ({ workspace, id }: RecordRef): string => `${workspace}/${id}`;
