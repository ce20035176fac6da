import { describe, expect, onTestFinished, test } from 'vitest';
import { LockedError } from '../../src/requests/ports/locks.ts';
import { openRedisStorage } from '../../src/storage/redis/open.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const NO_WAIT = { ttlMs: 60_000, timeoutMs: 0 };
const LONG_WAIT = { ttlMs: 60_000, timeoutMs: 60_000 };

needsRedis();

/** Two processes over one storage. */
const STORAGES: Record<string, () => Promise<[Opened, Opened]>> = {
  'in SQLite': async () => {
    const path = `${temporaryFolder()}/test.db`;
    return opened([openSqliteStorage(path), openSqliteStorage(path)]);
  },
  'in Redis': async () => {
    const address = await emptyRedis();
    return opened([openRedisStorage(address), openRedisStorage(address)]);
  },
};

type Opened = Pick<ReturnType<typeof openSqliteStorage>, 'open' | 'close' | 'locks' | 'keyv' | 'indexed'>;

/** As SIGSTOP does, for so many milliseconds. */
const freeze = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

async function opened([one, other]: [Opened, Opened]): Promise<[Opened, Opened]> {
  for (const storage of [one, other]) {
    await storage.open(silent);
    onTestFinished(storage.close);
  }
  return [one, other];
}

describe.for(Object.entries(STORAGES))('a lock %s', ([, open]) => {
  test('is held by one at a time, and the next one follows', async () => {
    const [one, other] = await open();
    const inside = { now: 0, most: 0 };
    const act = async () => {
      inside.most = Math.max(inside.most, ++inside.now);
      await other.locks.withLock('something else', NO_WAIT, async () => {});
      inside.now--;
    };
    await Promise.all([one, other, one, other].map(({ locks }) => locks.withLock('a', LONG_WAIT, act)));
    expect(inside).toEqual({ now: 0, most: 1 });
  });

  test('gives what was done, and what went wrong, and is free again after either', async () => {
    const [one, other] = await open();
    expect(await one.locks.withLock('a', NO_WAIT, async () => 'done')).toBe('done');
    const failing = one.locks.withLock('a', NO_WAIT, () => Promise.reject(new Error('it broke')));
    await expect(failing).rejects.toThrow('it broke');
    expect(await other.locks.withLock('a', NO_WAIT, async () => 'free')).toBe('free');
  });

  test('refuses whoever does not want to wait, and nothing is done', async () => {
    const [one, other] = await open();
    let done = false;
    await one.locks.withLock('a', NO_WAIT, async () => {
      const second = other.locks.withLock('a', NO_WAIT, async () => {
        done = true;
      });
      await expect(second).rejects.toThrow(LockedError);
    });
    expect(done).toBe(false);
  });

  test('that was held for too long lets nothing more be written', async () => {
    const [one] = await open();
    const values = one.keyv('values');
    let written = 0;
    const late = one.locks.withLock('a', { ttlMs: 20, timeoutMs: 0 }, async ({ write }) => {
      for (;;) await write(() => values.set('key', ++written));
    });
    await expect(late).rejects.toThrow();
    expect(await values.get('key')).toBe(written === 1 ? undefined : written - 1);
    await one.locks.withLock('b', LONG_WAIT, ({ write }) => write(() => values.set('key', 'b')));
    expect(await values.get('key')).toBe('b');
  });

  test('refuses a write that its process was frozen in the middle of', async () => {
    const [one] = await open();
    const [values, members] = [one.keyv('values'), one.indexed('members').index];
    const frozen = async (work: () => Promise<unknown>) =>
      one.locks.withLock('a', { ttlMs: 20, timeoutMs: 1_000 }, ({ write }) =>
        write(() => {
          const written = work();
          freeze(40);
          return written;
        }),
      );
    await values.set('kept', 1);
    await expect(frozen(() => values.set('key', 1))).rejects.toThrow();
    await expect(frozen(() => values.delete('kept'))).rejects.toThrow();
    await expect(frozen(() => members.add('member', ['key']))).rejects.toThrow();
    expect([await values.get('key'), await values.get('kept')]).toEqual([undefined, 1]);
    expect(await members.count('key')).toBe(0);
  });

  test('of a process that ended is free after its time, and is not taken from whoever has it then', async () => {
    const [one, other] = await open();
    await one.locks.withLock('a', { ttlMs: 1, timeoutMs: 0 }, async () => {
      // The time of the first is over: as if its process had ended.
      await other.locks.withLock('a', LONG_WAIT, async () => {});
      const ended = Promise.withResolvers<void>();
      const third = other.locks.withLock('a', LONG_WAIT, () => ended.promise);
      await expect(one.locks.withLock('a', NO_WAIT, async () => {})).rejects.toThrow(LockedError);
      ended.resolve();
      await third;
    });
  });
});
