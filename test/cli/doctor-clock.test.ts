/** What doctor says of the clock of Redis. */
import { expect, test } from 'vitest';
import { checkClock } from '../../src/cli/doctor/storage.ts';

const NOW = 1_000_000;

const checked = (ahead: number, { isRedis = true } = {}) =>
  checkClock({
    queues: isRedis ? {} : undefined,
    storage: { requests: { now: async () => NOW + ahead } },
    outside: { runtime: { now: () => NOW } },
  } as never);

test.each([
  [360_000, "The clock of Redis is 360 s ahead of this machine's. Set it (NTP)."],
  [-31_000, "The clock of Redis is 31 s behind this machine's. Set it (NTP)."],
])('doctor warns where the clock of Redis is %d ms ahead', async (ahead, text) => {
  expect(await checked(ahead)).toEqual([{ check: 'clock', status: 'warning', text }]);
});

test('doctor says that the clock of Redis agrees, and nothing of SQLite, which has none of its own', async () => {
  expect(await checked(30_000)).toMatchObject([{ check: 'clock', status: 'ok' }]);
  expect(await checked(360_000, { isRedis: false })).toEqual([]);
});
