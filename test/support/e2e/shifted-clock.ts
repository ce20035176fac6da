import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { OPEN } from '../../../src/requests/store/subjects.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { createRateLimiter } from '../../../src/storage/rate-limiter.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { HarnessOptions } from './harness.ts';

/**
 * A clock of the core, of the rate limits and of Slack that can be advanced. The storage does not use it, so every open
 * request is treated as due.
 */
export function shiftedClock() {
  let ahead = 0;
  const requests = (store: RequestStore): RequestStore => ({
    ...store,
    due: (limit) => store.list(SEED.team, { subject: OPEN, limit }),
    now: async () => (await store.now()) + ahead,
    get: async (ref) => {
      const found = await store.get(ref);
      return found && { ...found, now: found.now + ahead };
    },
  });
  const options = {
    overrides: {
      storage: (storage: Storage): Storage => ({
        ...storage,
        requests: requests(storage.requests),
        limiter: createRateLimiter(() => Math.floor(RUNTIME.monotonic()) + ahead),
      }),
      runner: { sweepMs: 10 },
    },
    slack: { now: () => Date.now() + ahead },
  } satisfies HarnessOptions;
  return {
    options,
    /** @param ms less than the time of a claim where an effect may be under way */
    pass: (ms: number) => {
      ahead += ms;
    },
  };
}
