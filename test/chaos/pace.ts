/** Shortens the limits of real life in proportion, and caps its waits: a run has no hour for fifty updates a minute. */
import type { Bucket, RateLimiter } from '../../src/outbox/ports.ts';
import type { RequestStore } from '../../src/requests/ports/ports.ts';

const TIMES_FASTER = 200;
/** The Retry-After of this run. A pause after failures in a row lasts no longer. */
const LONGEST_PAUSE_MS = 1_000;
/** The wait for a record that could not be advanced. */
const LONGEST_POSTPONEMENT_MS = 1_500;

const faster = <B extends { everyMs: number }>(bucket: B): B => ({
  ...bucket,
  everyMs: Math.ceil(bucket.everyMs / TIMES_FASTER),
});

const fasterBucket = ({ within, ...bucket }: Bucket): Bucket => ({
  ...faster(bucket),
  ...(within && { within: faster(within) }),
});

export function fasterLimiter(limiter: RateLimiter): RateLimiter {
  return {
    ...limiter,
    take: (bucket, ...rest) => limiter.take(fasterBucket(bucket), ...rest),
    pause: (name, ms, why, probeMs) => limiter.pause(name, Math.min(ms, LONGEST_PAUSE_MS), why, probeMs),
  };
}

export function fasterRetries(store: RequestStore): RequestStore {
  return { ...store, postpone: (ref, ms) => store.postpone(ref, Math.min(ms, LONGEST_POSTPONEMENT_MS)) };
}
