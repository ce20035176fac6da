/**
 * Declares what the outbox, the record types and the adapters share besides the stores: the log, wake-ups, the check of a claim,
 * replication, and the rate limits of all replicas.
 */
import type { RecordRef } from './record-store.ts';

export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;

/** A log that drops everything. */
export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Wakes the outbox for a record with pending effects: a runner (src/jobs) then calls `advance` (advance.ts; they are wired in
 * src/compose/background.ts). It returns at once and never throws.
 */
export type Wake = (ref: RecordRef) => void;

/**
 * Whether an effect may still be performed. A process can be frozen between any two instructions, and another one takes
 * over once the claim has expired.
 */
export type ClaimGuard = {
  /** Called in the tick in which a request is written to its socket: whether the claim still covers it. */
  inTime: () => boolean;
  /** Whether the stored record still carries the claim. */
  isHeld: () => Promise<boolean>;
};

/**
 * Runs `work`, and returns its result once every server that could take over holds what `work` has read and written.
 *
 * @throws if that is not known in time. What was written stands, and a failover may undo it: nobody may rely on it yet
 */
export type Replicated = <T>(work: () => Promise<T>) => Promise<T>;

/** For a storage on one server. */
export const unreplicated: Replicated = (work) => work();

/** Names a rate limit: of one workspace or, without a workspace, one that all workspaces share. */
export type BucketName = { workspace?: string; name: string };

/** Describes a bucket. Takers of one bucket wait for each other and, with `within`, for the takers of that bucket. */
export type Bucket = {
  workspace: string;
  name: string;
  /** The average interval between tokens, milliseconds. */
  everyMs: number;
  /** The number of tokens available at once after an idle time. */
  burst: number;
  /** A pause of this shared limit pauses the bucket, too. */
  pausedWith?: string;
  /** Another bucket of the workspace: each token of this bucket takes one of that, too. */
  within?: Omit<Bucket, 'workspace' | 'within'>;
};

/**
 * `ms`: the wait until the next try, milliseconds; 0: the caller has a token. `why`: the reason of the pause, if the bucket is
 * paused. `isProbe`: the caller is the first one after a pause that asks for a probe.
 */
export type Wait = { ms: number; why?: string; isProbe?: boolean };

export const NO_WAIT: Wait = { ms: 0 };

/** `name`: of the limit. `ms`: how much longer it is paused, milliseconds. `why`: the reason, as one word. */
export type LimitPause = { name: string; ms: number; why: string };

/** @throws if the storage is unavailable: a fault */
export type RateLimiter = {
  /**
   * Takes a token from the bucket, if one is available.
   *
   * @param who identifies the caller, who keeps their place in the queue across calls, unless they stay away for minutes
   * @param yields takes a token only if nobody else waits, and keeps no place
   */
  take(bucket: Bucket, who: string, yields?: boolean): Promise<Wait>;
  /**
   * Pauses the limit for `ms` milliseconds; afterwards callers proceed one by one.
   *
   * @param why the reason, as one word
   * @param probeMs afterwards one caller proceeds, and the others wait until it pauses or resumes the limit, for `probeMs`
   *   milliseconds at most. Only for the limit of one workspace
   */
  pause(name: BucketName, ms: number, why: string, probeMs?: number): Promise<void>;
  resume(name: BucketName): Promise<void>;
  /** Lists the pauses that hold a workspace now: of its own limits, and of those that all workspaces share. */
  pauses(workspace: string): Promise<LimitPause[]>;
  /** Removes the queues and pauses of a workspace. */
  forget(workspace: string): Promise<void>;
};
