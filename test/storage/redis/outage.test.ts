/** Redis goes away: everything fails, nothing that failed is done later, and it goes on by itself. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { RedisClientType } from '@keyv/redis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { NOT_STORED } from '../../../src/outbox/record-store.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import {
  createRedisClient,
  createRedisConnection,
} from '../../../src/storage/redis/connection/connection.ts';
import { openRedisKeyv, openRedisStorage } from '../../../src/storage/redis/open.ts';
import { createRedisRecordStore } from '../../../src/storage/redis/record-store.ts';
import { isUnavailable, StorageUnavailableError } from '../../../src/storage/storage.ts';
import { deafProxy } from '../../support/redis/deaf-proxy.ts';
import { needsRedis, SOON } from '../../support/redis/redis.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { queued, restingEntry } from '../../support/requests/records.ts';
import { inAnyVersion, overwrite, versionOf } from '../../support/storage/versions.ts';
import { eventually } from '../../support/time/eventually.ts';

needsRedis(true);

async function open(url: string, limits = SOON) {
  const logged: string[] = [];
  const note = (_: object, text: string) => void logged.push(text);
  const connection = createRedisConnection(url, limits);
  await connection.open({ debug() {}, info: note, warn: note, error: note });
  onTestFinished(connection.close);
  const requests = createRedisRecordStore(connection, 'p', 'requests', RequestRecord);
  const settings = openRedisKeyv(connection, 'p', 'settings');
  return { connection, requests, settings, logged };
}

/** `version`: of the record that is stored. */
async function setUp() {
  const server = await startRedisServer();
  onTestFinished(server.stop);
  const opened = await open(server.url);
  // Once each before it counts: a script that the server does not know yet is refused in any case. A busy machine may be too
  // late for the first ones.
  const all = () => Promise.all(everything({ ...opened, version: NOT_STORED }));
  await expect.poll(() => all().then(() => 'done', String)).toBe('done');
  await opened.requests.remove({ workspace: 'T1', id: 'second' });
  await opened.requests.create(restingEntry(queued()));
  await opened.settings.set('T1', 'before');
  return { server, ...opened, version: await versionOf(opened.requests, queued()) };
}

type Harness = Awaited<ReturnType<typeof setUp>>;

const changed = { ...restingEntry({ ...queued(), reason: 'changed' }), subjects: ['changed'] };

/** One of each, all at once. */
const everything = ({ requests, settings, version }: Pick<Harness, 'requests' | 'settings' | 'version'>) => [
  requests.update(changed, version),
  requests.create(restingEntry(queued({ id: 'second', target: 'B' }))),
  requests.get(queued()),
  requests.due(1),
  requests.now(),
  requests.postpone(queued(), 1),
  requests.remove({ workspace: 'T1', id: 'x' }),
  requests.list('T1', { limit: 1 }),
  settings.get('T1'),
  settings.set('T1', 'after'),
  settings.delete('T1'),
];

async function mustAllFail(harness: Parameters<typeof everything>[0]) {
  const results = await Promise.allSettled(everything(harness));
  expect(results.map(({ status }) => status)).toEqual(Array(results.length).fill('rejected'));
}

/**
 * Waits until it works, and then looks: by a connection of its own, too, behind all that was sent before. On a busy machine a
 * look may be too late, and is repeated.
 */
async function mustBeAsBefore({ server, requests, settings }: Harness) {
  await expect.poll(() => requests.now().catch(() => undefined)).toBeDefined();
  for (const seen of [{ requests, settings }, await open(server.url)])
    await eventually(async () => {
      expect((await seen.requests.get(queued()))?.record).toEqual(inAnyVersion(queued()));
      expect(await seen.requests.list('T1', { limit: 10 })).toHaveLength(1);
      expect((await seen.requests.listBySubject('T1', 'order:a-1001', 10)).records).toHaveLength(1);
      expect((await seen.requests.listBySubject('T1', 'changed', 10)).records).toEqual([]);
      expect(await seen.settings.get('T1')).toBe('before');
    });
  await eventually(async () => expect(await overwrite(requests, changed)).toBe('updated'));
}

describe('a Redis that is paused', () => {
  test('makes everything fail, and does nothing of it when it goes on', async () => {
    const harness = await setUp();
    harness.server.pause();
    await mustAllFail(harness);
    await mustAllFail(harness);
    harness.server.resume();
    await mustBeAsBefore(harness);
  });

  test('is given up after a while, and found again', async () => {
    const harness = await setUp();
    harness.server.pause();
    await mustAllFail(harness);
    await expect.poll(() => harness.logged).toEqual(['connection to Redis lost']);
    await mustAllFail(harness);
    harness.server.resume();
    await mustBeAsBefore(harness);
    expect(harness.logged).toEqual(['connection to Redis lost', 'connection to Redis restored']);
  });

  test('makes a command fail in time, long before its connection is given up', async () => {
    const server = await startRedisServer();
    onTestFinished(server.stop);
    const { requests } = await open(server.url, { ...SOON, silence: 3_600_000, ping: 3_600_000 });
    server.pause();
    await expect(requests.now()).rejects.toThrow('Redis did not answer within 800 ms.');
    await expect(requests.now()).rejects.toThrow('Redis does not answer.');
    server.resume();
  });

  test('for a moment only is waited for', async () => {
    const harness = await setUp();
    harness.server.pause();
    const written = harness.requests.update(changed, harness.version);
    harness.server.resume();
    expect(await written).toMatchObject({ type: 'updated' });
  });

  test('holds up no end', async () => {
    const { server, connection, requests, version } = await setUp();
    server.pause();
    const written = requests.update(changed, version);
    await Promise.all([expect(written).rejects.toThrow(), connection.close()]);
  });
});

describe('a Redis that is killed', () => {
  test('makes everything fail, and has what it had when it is started again', async () => {
    const harness = await setUp();
    // Paused first, so that it dies with all of it before its eyes.
    harness.server.pause();
    const failed = mustAllFail(harness);
    await harness.server.kill();
    await failed;
    await mustAllFail(harness);
    await harness.server.restart();
    await mustBeAsBefore(harness);
  });

  test('is unavailable, as its client says', async () => {
    const { server, connection, logged } = await setUp();
    await server.kill();
    await expect.poll(() => logged).toHaveLength(1);
    const error = await connection.read((client) => client.ping()).catch((refused) => refused);
    expect([String(error), isUnavailable(error)]).toEqual(['Error: The client is offline', true]);
  });

  test('is in the log once, and so is its return', async () => {
    const harness = await setUp();
    for (let i = 0; i < 2; i++) {
      await harness.server.kill();
      await expect.poll(() => harness.logged).toHaveLength(2 * i + 1);
      await mustAllFail(harness);
      await harness.server.restart();
      await expect.poll(() => harness.logged).toHaveLength(2 * i + 2);
    }
    expect(new Set(harness.logged).size).toBe(2);
    await mustBeAsBefore(harness);
  });

  test('holds up no end', async () => {
    const { server, connection, requests } = await setUp();
    await server.kill();
    await connection.close();
    await expect(requests.now()).rejects.toThrow();
  });
});

test('a ping that Redis refuses is no lost connection, and hides none that is lost later', async () => {
  const server = await startRedisServer();
  onTestFinished(server.stop);
  const admin = await createRedisClient({ url: server.url }).connect();
  onTestFinished(() => admin.destroy());
  admin.on('error', () => {});
  const { logged } = await open(server.url);
  await admin.sendCommand(['ACL', 'SETUSER', 'default', '-ping']);
  const refused = async () => String(await admin.sendCommand(['INFO', 'commandstats']));
  await expect.poll(refused).toMatch(/cmdstat_ping:.*rejected_calls=[2-9]/);
  expect(logged).toEqual([]);
  await server.kill();
  await expect.poll(() => logged).toEqual(['connection to Redis lost']);
});

describe('a write whose answer is lost', () => {
  test('fails though it was done; done again, it meets itself', async () => {
    const { server, requests: behind, version } = await setUp();
    const proxy = await deafProxy(server.url);
    const { requests } = await open(proxy.url);
    await requests.now();
    proxy.loseAnswers();
    await expect(requests.create(restingEntry(queued({ id: 'lost', target: 'B' })))).rejects.toThrow();
    proxy.recover();
    await expect.poll(() => requests.now().catch(() => undefined)).toBeDefined();
    expect((await behind.get({ workspace: 'T1', id: 'lost' }))?.record.target).toBe('B');
    const again = await requests.create(restingEntry(queued({ id: 'lost', target: 'B' })));
    expect(again).toMatchObject({ type: 'exists', record: { id: 'lost' } });
    proxy.loseAnswers();
    await expect(requests.update(changed, version)).rejects.toThrow();
    proxy.recover();
    await expect.poll(() => requests.now().catch(() => undefined)).toBeDefined();
    expect(await requests.update(changed, version)).toEqual({ type: 'conflict' });
    expect((await requests.get(queued()))?.record).toMatchObject({ reason: 'changed' });
  });
});

/** Leaves no connection behind: the server may be killed next. */
async function administer(url: string, work: (client: RedisClientType) => Promise<unknown>): Promise<void> {
  const client = createRedisClient({ url });
  await client.connect();
  try {
    await work(client);
  } finally {
    client.destroy();
  }
}

describe('a server is unavailable at the start, and may be opened later,', () => {
  // With a password, node-redis waits for an answer before it is connected, and fails in another way.
  test.each(['', 'default:secret@'])('while it does not answer ("%s" in its address)', async (login) => {
    const server = await startRedisServer();
    onTestFinished(server.stop);
    server.pause();
    const connection = createRedisConnection(server.url.replace('//', `//${login}`), SOON);
    await expect(connection.open(SILENT)).rejects.toThrow(StorageUnavailableError);
    server.resume();
    await connection.open(SILENT);
    await connection.close();
  });

  test('while each connection is lost before the server could be checked', async () => {
    const port = await freePort();
    const server = createServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', (sent) => {
          if (sent.includes('HELLO')) socket.destroy();
          else for (const _command of sent.toString().matchAll(/^\*/gm)) socket.write('+OK\r\n');
        });
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const connection = createRedisConnection(`redis://127.0.0.1:${port}`, SOON);
    await expect(connection.open(SILENT)).rejects.toThrow(StorageUnavailableError);
  });

  test('while it reads its file', async () => {
    // It answers in between: after each KiB that it has read.
    const slowly = ['--key-load-delay', '100000', '--loading-process-events-interval-bytes', '1024'];
    const server = await startRedisServer(slowly);
    onTestFinished(server.stop);
    await administer(server.url, async (client) => {
      for (let n = 0; n < 300; n++) await client.set(`key ${n}`, randomBytes(1_024).toString('hex'));
      await client.bgRewriteAof();
      await expect.poll(() => client.info('persistence')).toContain('aof_rewrite_in_progress:0');
    });
    await server.kill();
    const restarted = server.restart();
    const opening = () => openRedisStorage({ url: server.url, prefix: 'p' }).open(SILENT);
    const refusal = () => opening().catch((error) => error);
    await expect.poll(async () => String(await refusal())).toContain('LOADING');
    expect(await refusal()).toBeInstanceOf(StorageUnavailableError);
    await administer(server.url, (client) => client.configSet('key-load-delay', '0'));
    await restarted;
    const storage = openRedisStorage({ url: server.url, prefix: 'p' });
    await storage.open(SILENT);
    await storage.close();
  });
});
