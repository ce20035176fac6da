/** Spaces out what goes to a service that takes only so much at a time: a port, shared by all replicas. */

/** Names what is limited: one thing of a workspace or, without a workspace, one that all of them share. */
export type BucketName = { workspace?: string; name: string };

/** Whatever is taken from one bucket waits for the others there, and for nothing else. */
export type Bucket = {
  workspace: string;
  name: string;
  /** One in so many milliseconds, on average. */
  everyMs: number;
  /** How many may go at once where nobody went for a while. */
  burst: number;
  /** A pause of this shared name holds this bucket, too. */
  pausedWith?: string;
};

/** `ms`: in how long to ask again. `why`: the reason of the pause that holds the bucket, if there is one. */
export type Wait = { ms: number; why?: string };

export const NOW: Wait = { ms: 0 };

/** @throws where the storage is away: a fault */
export type RateLimiter = {
  /**
   * Takes one from the bucket, if it is time.
   *
   * @param who asks; asked again, the same one keeps its place in the queue
   * @param yields takes one only where nobody else waits, and keeps no place
   */
  take(bucket: Bucket, who: string, yields?: boolean): Promise<Wait>;
  /** Nobody gets anything from the bucket for so long; then they go one after the other. @param why a word */
  pause(name: BucketName, ms: number, why: string): Promise<void>;
  /** Forgets the queues and pauses of a workspace. */
  forget(workspace: string): Promise<void>;
};
