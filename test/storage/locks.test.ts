import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LockExpiredError, LockedError, type Locks } from '../../src/requests/ports/locks.ts';
import { openRedisStorage } from '../../src/storage/redis/open.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const NO_WAIT = { ttlMs: 60_000, timeoutMs: 0 };
const LONG_WAIT = { ttlMs: 60_000, timeoutMs: 60_000 };

needsRedis();

/** Two processes over one storage. */
const STORAGES: Record<string, () => Promise<[Locks, Locks]>> = {
  'in SQLite': async () => {
    const path = `${temporaryFolder()}/test.db`;
    return opened([openSqliteStorage(path), openSqliteStorage(path)]);
  },
  'in Redis': async () => {
    const address = await emptyRedis();
    return opened([openRedisStorage(address), openRedisStorage(address)]);
  },
};

type Opened = Pick<ReturnType<typeof openSqliteStorage>, 'open' | 'close' | 'locks'>;

async function opened([one, other]: [Opened, Opened]): Promise<[Locks, Locks]> {
  for (const storage of [one, other]) {
    await storage.open(silent);
    onTestFinished(storage.close);
  }
  return [one.locks, other.locks];
}

describe.for(Object.entries(STORAGES))('a lock %s', ([, open]) => {
  test('is held by one at a time, and the next one follows', async () => {
    const [one, other] = await open();
    const inside = { now: 0, most: 0 };
    const act = async () => {
      inside.most = Math.max(inside.most, ++inside.now);
      await other.withLock('something else', NO_WAIT, async () => {});
      inside.now--;
    };
    await Promise.all([one, other, one, other].map((locks) => locks.withLock('a', LONG_WAIT, act)));
    expect(inside).toEqual({ now: 0, most: 1 });
  });

  test('gives what was done, and what went wrong, and is free again after either', async () => {
    const [one, other] = await open();
    expect(await one.withLock('a', NO_WAIT, async () => 'done')).toBe('done');
    const failing = one.withLock('a', NO_WAIT, () => Promise.reject(new Error('it broke')));
    await expect(failing).rejects.toThrow('it broke');
    expect(await other.withLock('a', NO_WAIT, async () => 'free')).toBe('free');
  });

  test('refuses whoever does not want to wait, and nothing is done', async () => {
    const [one, other] = await open();
    let done = false;
    await one.withLock('a', NO_WAIT, async () => {
      const second = other.withLock('a', NO_WAIT, async () => {
        done = true;
      });
      await expect(second).rejects.toThrow(LockedError);
    });
    expect(done).toBe(false);
  });

  test('that was held for too long lets nothing more be written', async () => {
    const [one] = await open();
    const late = one.withLock('a', { ttlMs: 1, timeoutMs: 0 }, async ({ check }) => {
      for (;;) {
        check();
        await nextTurn();
      }
    });
    await expect(late).rejects.toThrow(LockExpiredError);
    await one.withLock('b', LONG_WAIT, async ({ check }) => check());
  });

  test('of a process that ended is free after its time, and is not taken from whoever has it then', async () => {
    const [one, other] = await open();
    await one.withLock('a', { ttlMs: 1, timeoutMs: 0 }, async () => {
      // The time of the first is over: as if its process had ended.
      await other.withLock('a', LONG_WAIT, async () => {});
      const ended = Promise.withResolvers<void>();
      const third = other.withLock('a', LONG_WAIT, () => ended.promise);
      await expect(one.withLock('a', NO_WAIT, async () => {})).rejects.toThrow(LockedError);
      ended.resolve();
      await third;
    });
  });
});
