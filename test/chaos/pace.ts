/** Limits as they are in real life, only faster: a run has no hour to wait for fifty updates a minute. */
import type { RateLimiter } from '../../src/requests/ports/rate-limiter.ts';

const TIMES_FASTER = 200;
/** For as long as a Retry-After of this run; a service that fails in a row is left alone for no longer. */
const LONGEST_PAUSE_MS = 1_000;

export function faster(limiter: RateLimiter): RateLimiter {
  return {
    ...limiter,
    take: (bucket, ...rest) =>
      limiter.take({ ...bucket, everyMs: Math.ceil(bucket.everyMs / TIMES_FASTER) }, ...rest),
    pause: (name, ms, why) => limiter.pause(name, Math.min(ms, LONGEST_PAUSE_MS), why),
  };
}
