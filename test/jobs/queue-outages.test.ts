/** The queue while Redis is away, or refuses what is asked of it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectQueues } from '../../src/jobs/bullmq.ts';
import { openQueues } from '../../src/jobs/queue.ts';
import type { RecordRef } from '../../src/outbox/record-store.ts';
import { clientOf, replica } from '../support/jobs/replicas.ts';
import { deafProxy } from '../support/redis/deaf-proxy.ts';
import { emptyRedis, needsRedis, type RedisAddress } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { eventually } from '../support/time/eventually.ts';

needsRedis(true);

const A: RecordRef = { workspace: 'T1', id: 'a' };

test('all goes on by itself after Redis was away', async () => {
  const server = await startRedisServer();
  onTestFinished(server.stop);
  const advance = vi.fn(async () => undefined);
  const swept = Array.from({ length: 20 }, (_, n) => ({ workspace: 'T1', id: `${n}` }));
  const address: RedisAddress = { type: 'redis', url: server.url, prefix: 'test' };
  // A job that was running when Redis went away is resumed once its lock has expired.
  await replica(address, advance, { sweepMs: 10, lockMs: 500 }, { due: async () => swept });
  await eventually(() => expect(advance.mock.calls.length).toBeGreaterThan(20));
  await server.kill();
  await server.restart();
  advance.mockClear();
  // When an answer is lost, its connection is given up first.
  await eventually(() => expect(advance.mock.calls.length).toBeGreaterThan(20));
});

test('all goes on by itself after the way to Redis was cut, though wake-ups are written to what is left of it', async () => {
  const server = await startRedisServer();
  onTestFinished(server.stop);
  const proxy = await deafProxy(server.url);
  const advance = vi.fn(async () => undefined);
  const address: RedisAddress = { type: 'redis', url: proxy.url, prefix: 'test' };
  await replica(address, advance, { sweepMs: 1_000 }, { due: async () => [A] });
  await eventually(() => expect(advance).toHaveBeenCalled());
  proxy.cutOff();
  advance.mockClear();
  await eventually(() => expect(advance).toHaveBeenCalled());
});

test('an error of a connection after its queue was closed does no harm', async () => {
  const { connection } = connectQueues(await clientOf(await emptyRedis()), 'p');
  // As BullMQ does for a worker that waits for jobs: nobody listens to the second one any more.
  const waiting = connection.duplicate();
  onTestFinished(() => waiting.disconnect());
  expect(() => waiting.emit('error', new Error('read ECONNRESET'))).not.toThrow();
});

test('whether Redis takes jobs is tried with one of its own, of which nothing is left', async () => {
  const redis = await startRedisServer();
  onTestFinished(redis.stop);
  const { hostname, port } = new URL(redis.url);
  const admin = await clientOf({ type: 'redis', url: redis.url, prefix: '' });
  await admin.sendCommand(['ACL', 'SETUSER', 'full', 'on', '>pw', '~*', '&*', '+@all']);
  await admin.sendCommand(['ACL', 'SETUSER', 'limited', 'on', '>pw', '~*', '&*', '+@all', '-xadd']);
  const as = (user: string) =>
    clientOf({ type: 'redis', url: `redis://${user}:pw@${hostname}:${port}`, prefix: '' });
  await expect(openQueues(await as('limited'), 'p').check()).rejects.toThrow(/NOPERM|can't run/);
  await openQueues(await as('full'), 'q').check();
  // Several operators at once.
  const queues = openQueues(await as('full'), 'q');
  await Promise.all(Array.from({ length: 20 }, () => queues.check()));
  expect(await admin.sendCommand(['KEYS', 'q:*'])).toEqual([]);
});

test('that Redis refuses to hand out jobs is in the log', async () => {
  const redis = await startRedisServer();
  onTestFinished(redis.stop);
  const { hostname, port } = new URL(redis.url);
  const admin = await clientOf({ type: 'redis', url: redis.url, prefix: '' });
  await admin.sendCommand(['ACL', 'SETUSER', 'limited', 'on', '>pw', '~*', '&*', '+@all', '-bzpopmin']);
  const address = { type: 'redis', url: `redis://limited:pw@${hostname}:${port}`, prefix: 'p' } as const;
  const { errors } = await replica(address, async () => undefined);
  await expect.poll(() => errors).toContain('Redis refused a queue command');
});

test('while Redis refuses all writes, jobs that wait are not asked for without a pause', async () => {
  const redis = await startRedisServer();
  onTestFinished(redis.stop);
  const address: RedisAddress = { type: 'redis', url: redis.url, prefix: 'p' };
  const hanging = Promise.withResolvers<undefined>();
  const { runner, client } = await replica(address, () => hanging.promise, { concurrency: 1, taken: 16 });
  for (let n = 0; n < 100; n++) runner.wake({ workspace: `T${n}`, id: 'a' });
  const waiting = () => client.lLen('p:jobs:requests:wait');
  await eventually(async () => expect(await waiting()).toBe(100 - 16));
  const admin = await clientOf(address);
  const refusals = async () =>
    Number(/NOREPLICAS:count=(\d+)/.exec(await admin.info('errorstats'))?.[1] ?? 0);
  await admin.configSet('min-replicas-to-write', '1');
  hanging.resolve(undefined);
  await eventually(async () => expect(await refusals()).toBeGreaterThan(20));
  const [since, before] = [performance.now(), await refusals()];
  await eventually(async () => expect(await refusals()).toBeGreaterThan(before + 5));
  expect(performance.now() - since).toBeGreaterThan(1_000);
  await admin.configSet('min-replicas-to-write', '0');
  await eventually(async () => expect(await waiting()).toBe(0));
});
