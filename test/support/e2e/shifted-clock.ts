import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { createRateLimiter } from '../../../src/storage/rate-limiter.ts';
import type { HarnessOptions } from './harness.ts';

/**
 * A clock of the core, of the rate limits and of Slack that can be advanced. The storage does not use it, so every open
 * request is treated as due.
 */
export function shiftedClock() {
  let ahead = 0;
  const requests = (store: RequestStore): RequestStore => ({
    ...store,
    due: (limit) => store.listHolding(SEED.team, limit),
    now: async () => (await store.now()) + ahead,
    get: async (ref) => {
      const found = await store.get(ref);
      return found && { ...found, now: found.now + ahead };
    },
  });
  const options = {
    overrides: {
      requests,
      limiter: () => createRateLimiter(() => Math.floor(RUNTIME.monotonic()) + ahead),
      runner: { sweepMs: 10 },
    },
    slack: { now: () => Date.now() + ahead },
  } satisfies HarnessOptions;
  return {
    options,
    pass: (ms: number) => {
      ahead += ms;
    },
  };
}
