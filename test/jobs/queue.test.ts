/** The queue between replicas. */
import { Queue } from 'bullmq';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openQueues } from '../../src/jobs/queue.ts';
import type { RecordRef } from '../../src/outbox/record-store.ts';
import { createQueueClient } from '../../src/storage/redis/connection/connection.ts';
import { type Client, clientOf, createIdle, replica } from '../support/jobs/replicas.ts';
import { emptyRedis, needsRedis, type RedisAddress } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { readRaw } from '../support/storage/raw-storage.ts';
import { eventually } from '../support/time/eventually.ts';

needsRedis(true);

const A: RecordRef = { workspace: 'T1', id: 'a' };
const B: RecordRef = { workspace: 'T1', id: 'b' };
const HOUR = 3_600_000;

/**
 * Resolves once one replica, with a place for one record and for 16 jobs, has taken all: one runs, one waits as a job, and the
 * others are only remembered.
 */
async function untilTaken(client: Client, { prefix }: RedisAddress, count: number): Promise<void> {
  const jobs = `${prefix}:jobs:requests`;
  const counts = () =>
    Promise.all([client.get(`${jobs}:id`), client.lLen(`${jobs}:wait`), client.lLen(`${jobs}:active`)]);
  await eventually(async () => expect(await counts()).toEqual([`${count}`, 0, 2]));
}

describe('between replicas', () => {
  test('a backlog whose calls hang keeps no job of anybody else from being taken, and is worked off after it, without a sweep', async () => {
    const hanging = Promise.withResolvers<undefined>();
    const begun = new Set<string>();
    const backlog = Array.from({ length: 60 }, (_, n) => ({ workspace: 'T1', id: `${n}` }));
    const { runner } = await replica(
      await emptyRedis(),
      async ({ workspace, id }) => {
        begun.add(`${workspace} ${id}`);
        return workspace === 'T1' ? hanging.promise : undefined;
      },
      { concurrency: 4, share: 1, taken: 16 },
    );
    for (const ref of backlog) runner.wake(ref);
    runner.wake({ workspace: 'T2', id: 'a' });
    await eventually(() => expect(begun).toContain('T2 a'));
    expect(begun.size).toBe(2);
    hanging.resolve(undefined);
    await eventually(() => expect(begun.size).toBe(61));
  });

  test('of the longest backlog 2,000 wait in a replica, and the sweep finds the others', async () => {
    const address = await emptyRedis();
    const hanging = Promise.withResolvers<undefined>();
    const begun = new Set<string>();
    const backlog = Array.from({ length: 2_200 }, (_, n) => ({ workspace: 'T1', id: `${n}` }));
    const left = () => backlog.filter(({ id }) => !begun.has(id));
    const advance = async ({ id }: RecordRef) => {
      begun.add(id);
      return hanging.promise;
    };
    const { runner, client } = await replica(address, advance, { concurrency: 1, share: 1, taken: 16 });
    for (const ref of backlog) runner.wake(ref);
    await untilTaken(client, address, backlog.length);
    hanging.resolve(undefined);
    await eventually(() => expect(begun.size).toBeGreaterThan(1_000));
    // It comes after all that the replica holds.
    runner.wake({ workspace: 'T1', id: 'last' });
    await eventually(() => expect(begun).toContain('last'));
    expect(left()).toHaveLength(2_200 - 1 - 2_000);
    // One sweep is enough, at the start: more would wake the same records again, faster than a busy machine works them off.
    await replica(address, advance, {}, { due: async (limit) => left().slice(0, limit) });
    await eventually(() => expect(left()).toEqual([]));
  });

  test('what cannot be advanced in a backlog is told, and postponed', async () => {
    const held = Promise.withResolvers<undefined>();
    const postponed: string[] = [];
    const { runner, errors } = await replica(
      await emptyRedis(),
      async ({ id }) => {
        await held.promise;
        if (id !== '0') throw new Error('cannot be read');
        return undefined;
      },
      { concurrency: 1, share: 1, taken: 16 },
      { postpone: async ({ id }) => void postponed.push(id) },
    );
    for (const id of ['0', '1', '2', '3']) runner.wake({ workspace: 'T1', id });
    held.resolve(undefined);
    await eventually(() => expect(postponed).toEqual(expect.arrayContaining(['2', '3'])));
    expect(errors).toContain('not advanced, will retry');
  });

  test('a fault is told at each of the four tries, and postpones the record at the last one, after which no failed job is left', async () => {
    const postponed: RecordRef[] = [];
    const told: number[] = [];
    const address = await emptyRedis();
    const { runner, client, errors } = await replica(
      address,
      () => Promise.reject(new Error('storage away')),
      {},
      {
        postpone: async (ref) => {
          postponed.push(ref);
          told.push(errors.length);
        },
      },
    );
    runner.wake(A);
    await eventually(() => expect(postponed).toEqual([A]));
    expect(await client.zCard(`${address.prefix}:jobs:requests:failed`)).toBe(0);
    expect(told).toEqual([4]);
    expect(new Set(errors)).toEqual(new Set(['not advanced, will retry']));
  });

  test('a wake-up is taken by one of them, and both take part', async () => {
    const address = await emptyRedis();
    const taken: string[] = [];
    const slowly = (name: string) => async () => {
      taken.push(name);
      await eventually(() => expect(taken.length).toBeGreaterThanOrEqual(2));
      return undefined;
    };
    const one = await replica(address, slowly('one'), { concurrency: 1, taken: 1 });
    await replica(address, slowly('two'), { concurrency: 1, taken: 1 });
    one.runner.wake(A);
    one.runner.wake(B);
    await eventually(() => expect(taken.toSorted()).toEqual(['one', 'two']));
  });

  test('what becomes due while it is being advanced is not advanced twice at once', async () => {
    const address = await emptyRedis();
    const gate = Promise.withResolvers<void>();
    let [begun, running, most] = [0, 0, 0];
    const { runner, client } = await replica(address, async ({ id }) => {
      if (id === 'a') most = Math.max(most, ++running);
      const round = id === 'a' ? ++begun : 0;
      if (round === 2) await gate.promise;
      if (id === 'a') running -= 1;
      return round === 1 ? 200 : undefined;
    });
    const delayed = () => client.zCard(`${address.prefix}:jobs:requests:delayed`);
    runner.wake(A);
    await eventually(async () => expect(await delayed()).toBe(1));
    runner.wake(A);
    await eventually(() => expect(begun).toBe(2));
    await eventually(async () => expect(await delayed()).toBe(0));
    gate.resolve();
    await eventually(() => expect(begun).toBe(3));
    expect(most).toBe(1);
  });

  test('what one has woken right before it stops reaches another, without a sweep', async () => {
    const address = await emptyRedis();
    const taken: RecordRef[] = [];
    await replica(address, async (ref) => void taken.push(ref));
    const client = createQueueClient(address.url);
    const { runner, warnings } = createIdle(client, address);
    runner.wake(A);
    await runner.stop();
    if (client.isOpen) client.destroy();
    await eventually(() => expect(taken).toEqual([A]));
    expect(warnings).toEqual([]);
  });

  test('what a dead one had taken is done by another', async () => {
    const address = await emptyRedis();
    const hangs = vi.fn(() => new Promise<undefined>(() => {}));
    const dying = await replica(address, hangs, { lockMs: 500, stopMs: 1 });
    dying.runner.wake(A);
    await eventually(() => expect(hangs).toHaveBeenCalledTimes(1));
    // It says nothing any more, as after SIGKILL: without its connection it can't keep its lock.
    dying.client.destroy();
    const advance = vi.fn(async () => undefined);
    await replica(address, advance, { lockMs: 500 });
    await eventually(() => expect(advance).toHaveBeenCalledWith(A));
  });

  test('what one that stops has not finished is handed to another', async () => {
    const address = await emptyRedis();
    const stopping = new AbortController();
    const begun = vi.fn(async () => {
      await eventually(() => expect(stopping.signal.aborted).toBe(true));
      return 0;
    });
    const leaving = await replica(address, begun);
    leaving.runner.wake(A);
    await eventually(() => expect(begun).toHaveBeenCalledTimes(1));
    const advance = vi.fn(async () => undefined);
    await replica(address, advance);
    const stopped = leaving.runner.stop();
    stopping.abort();
    await stopped;
    await eventually(() => expect(advance).toHaveBeenCalledWith(A));
    expect(begun).toHaveBeenCalledTimes(1);
  });

  test('one that has stopped leaves no job that seems to run, and no connection of its own', async () => {
    const address = await emptyRedis();
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    const { runner, client, own } = await replica(address, () => {
      begun.resolve();
      return ended.promise;
    });
    runner.wake(A);
    await begun.promise;
    expect(own()).toEqual([true]);
    const stopped = runner.stop();
    ended.resolve(undefined);
    await stopped;
    // As the storage does then.
    client.destroy();
    expect(own()).toEqual([false]);
    const observer = await clientOf(address);
    expect(await observer.lLen(`${address.prefix}:jobs:requests:active`)).toBe(0);
  });

  test('what one that stops only remembers is handed to another, without a sweep', async () => {
    const address = await emptyRedis();
    const hanging = Promise.withResolvers<undefined>();
    const begun: string[] = [];
    const { runner, client } = await replica(
      address,
      ({ id }) => {
        begun.push(id);
        return hanging.promise;
      },
      { concurrency: 1, share: 1, taken: 16 },
    );
    const ids = ['0', '1', '2', '3', '4'];
    for (const id of ids) runner.wake({ workspace: 'T1', id });
    await untilTaken(client, address, ids.length);
    const stopped = runner.stop();
    hanging.resolve(undefined);
    await stopped;
    client.destroy();
    const advanced: string[] = [];
    await replica(address, async ({ id }) => void advanced.push(id));
    const [, ...left] = ids;
    await eventually(() => expect(advanced.toSorted()).toEqual(left));
    expect(begun).toEqual(['0']);
  });

  test('what is due in a moment waits for a moment, and not for whole seconds', async () => {
    const server = await startRedisServer();
    onTestFinished(server.stop);
    const address: RedisAddress = { type: 'redis', url: server.url, prefix: 'test' };
    const monitor = await clientOf(address);
    const waits: number[] = [];
    await monitor.monitor((line) => {
      const seconds = /"BZPOPMIN" "[^"]*" "([\d.]+)"/i.exec(`${line}`)?.[1];
      if (seconds !== undefined) waits.push(Number(seconds));
    });
    const { runner } = await replica(address, async () => 1_500);
    runner.wake(A);
    await eventually(() => expect(waits.some((seconds) => !Number.isInteger(seconds))).toBe(true));
  });

  test('of a workspace that is forgotten no job is left, once what runs has ended', async () => {
    const address = await emptyRedis();
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const advance = vi.fn(async () => {
      begun.resolve();
      await ended.promise;
      return undefined;
    });
    const { runner } = await replica(address, advance, { concurrency: 1, taken: 1 });
    runner.wake(A);
    await begun.promise;
    const named = async (name: string) => (await readRaw(address)).filter((line) => line.includes(name));
    for (const ref of [A, B, { workspace: 'T2', id: 'c' }]) runner.wake(ref);
    await eventually(async () => expect((await named('T2/c')).length).toBeGreaterThan(0));
    const client = await clientOf(address);
    await openQueues(client, address.prefix).forget('T1');
    expect(await named('T1/b')).toEqual([]);
    ended.resolve();
    await eventually(() => expect(advance).toHaveBeenCalledWith({ workspace: 'T2', id: 'c' }));
    await eventually(async () => expect(await named('T1')).toEqual([]));
    expect(advance).not.toHaveBeenCalledWith(B);
  });

  test('of a forgotten workspace no job is left in any queue, due or not, however many it and others have', async () => {
    const address = await emptyRedis();
    const client = await clientOf(address);
    const queue = new Queue('audit_entries', {
      connection: client,
      prefix: `${address.prefix}:jobs`,
      skipVersionCheck: true,
    });
    onTestFinished(() => queue.close());
    const jobOf = (n: number) => ({
      name: 'wake',
      data: { workspace: n % 3 === 0 ? 'T2' : 'T1', id: `r${n}` },
      opts: { delay: n % 2 === 0 ? 0 : HOUR },
    });
    await queue.addBulk(Array.from({ length: 900 }, (_, n) => jobOf(n)));
    await openQueues(client, address.prefix).forget('T1');
    const left = await queue.getJobs();
    expect(left).toHaveLength(300);
    expect(new Set(left.map(({ data }) => data.workspace))).toEqual(new Set(['T2']));
  });

  test('a job that names no record is dropped, and told', async () => {
    const address = await emptyRedis();
    const advance = vi.fn(async () => undefined);
    const { runner, errors } = await replica(address, advance);
    const queue = new Queue('requests', {
      connection: await clientOf(address),
      prefix: `${address.prefix}:jobs`,
      skipVersionCheck: true,
    });
    await queue.add('advance', { workspace: 'T1' });
    await eventually(() => expect(errors).toEqual(['job without a record dropped']));
    runner.wake(A);
    await eventually(() => expect(advance.mock.calls).toEqual([[A]]));
  });
});
