/** A bot whose Redis goes away in the middle of the work, and comes back; and what its people then read. */
import { expect, onTestFinished } from 'vitest';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { type RedisServer, startRedisServer } from '../redis/redis-server.ts';
import { withRequests } from '../storage/with-requests.ts';
import { type Harness, type HarnessOptions, startHarness } from './harness.ts';
import { redisEnvironment } from './storage.ts';

/** The ways in which a Redis can go, and comes back. */
const WAYS = {
  killed: { go: (redis: RedisServer) => redis.kill(), comeBack: (redis: RedisServer) => redis.restart() },
  paused: {
    go: async (redis: RedisServer) => redis.pause(),
    comeBack: async (redis: RedisServer) => redis.resume(),
  },
};

/** Starts a bot with a Redis of its own. `at`: the operation during which Redis goes away, once the test says so. */
export async function startWithItsRedis(
  way: 'killed' | 'paused',
  { at, ...options }: HarnessOptions & { at?: 'create' | 'update' } = {},
) {
  const redis = await startRedisServer();
  onTestFinished(redis.stop);
  const { go, comeBack } = WAYS[way];
  let armed = false;
  const requests = (store: RequestStore): RequestStore => {
    const under =
      <Args extends unknown[], R>(operation: (...args: Args) => Promise<R>) =>
      async (...args: Args) => {
        if (!armed) return operation(...args);
        armed = false;
        // Paused first, so that it has the command before it when it dies.
        redis.pause();
        const [result] = await Promise.allSettled([operation(...args), go(redis)]);
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      };
    return at ? { ...store, [at]: under<never[], unknown>(store[at]) } : store;
  };
  const env = redisEnvironment({ type: 'redis', url: redis.url, prefix: 'countermand' });
  const overrides = { runner: { sweepMs: 50 }, storage: withRequests(requests), ...options.overrides };
  const harness = await startHarness({ ...options, overrides, env });
  const readiness = async () => (await fetch(`${harness.url}/readyz`)).status;
  return {
    ...harness,
    readiness,
    arm: () => {
      armed = true;
    },
    away: () => go(redis),
    async back() {
      await comeBack(redis);
      await expect.poll(readiness).toBe(200);
    },
  };
}

/** The sentence for a fault, whose reference is in the log. */
export function mustBeAFault(harness: Pick<Harness, 'logged'>, shown: unknown): void {
  const [, reference] =
    /Something went wrong in Countermand.*reference: ([A-Z0-9]{8})/.exec(JSON.stringify(shown)) ?? [];
  expect(harness.logged.text()).toContain(`"reference":"${reference}"`);
}
