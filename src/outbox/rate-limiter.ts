/** The port for rate limits, shared by all replicas. */

/** Names a rate limit: of one workspace or, without a workspace, one that all workspaces share. */
export type BucketName = { workspace?: string; name: string };

/** Describes a bucket. Takers of one bucket wait for each other and for nobody else. */
export type Bucket = {
  workspace: string;
  name: string;
  /** The average interval between tokens, milliseconds. */
  everyMs: number;
  /** The number of tokens available at once after an idle time. */
  burst: number;
  /** A pause of this shared limit pauses the bucket, too. */
  pausedWith?: string;
  /** Another bucket of the workspace: each token of this one takes one of that, too. */
  within?: Omit<Bucket, 'workspace' | 'within'>;
};

/**
 * `ms`: when to try again. `why`: the reason of the pause, if the bucket is paused. `isProbe`: the caller is the first one
 * after a pause that asks for a probe.
 */
export type Wait = { ms: number; why?: string; isProbe?: boolean };

export const NOW: Wait = { ms: 0 };

/** `name`: of the limit. `ms`: how much longer. `why`: as one word. */
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
  /** Gives up the place of a caller, if they have one: those behind them move up. */
  leave(bucket: Bucket, who: string): Promise<void>;
  /**
   * Pauses the limit for so long; afterwards callers proceed one by one.
   *
   * @param why the reason, as one word
   * @param probeMs afterwards one caller proceeds, and the others wait until it pauses or resumes the limit, at most so
   *   long. Only for the limit of one workspace
   */
  pause(name: BucketName, ms: number, why: string, probeMs?: number): Promise<void>;
  /** Ends the pause of a limit. */
  resume(name: BucketName): Promise<void>;
  /** Lists the pauses that hold a workspace now: of its own limits, and of those that all workspaces share. */
  pauses(workspace: string): Promise<LimitPause[]>;
  /** Removes the queues and pauses of a workspace. */
  forget(workspace: string): Promise<void>;
};
