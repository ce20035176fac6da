import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createClient } from '@keyv/redis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import { createRedisConnection } from '../../../src/storage/redis/connection/connection.ts';
import { place } from '../../../src/storage/redis/keys.ts';
import { openRedisStorage } from '../../../src/storage/redis/open.ts';
import { createRedisRecordStore } from '../../../src/storage/redis/record-store.ts';
import { emptyRedis, needsRedis, type RedisAddress } from '../../support/redis/redis.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { queued, restingEntry } from '../../support/requests/records.ts';
import { isolationContract } from '../contracts/isolation.contract.ts';
import { keyvContract } from '../contracts/keyv.contract.ts';
import { memberIndexContract } from '../contracts/member-index.contract.ts';
import { recordStoreContract } from '../contracts/record-store.contract.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

needsRedis();

async function open(address?: RedisAddress) {
  const { url, prefix } = address ?? (await emptyRedis());
  const storage = openRedisStorage({ url, prefix });
  await storage.open(silent);
  onTestFinished(storage.close);
  return { ...storage, url, prefix };
}

/** As an operator sees it. */
async function bareClient(url: string) {
  const client = createClient({ url });
  await client.connect();
  onTestFinished(() => client.destroy());
  return client;
}

/** Records the commands that the client sends meanwhile, without its pings. */
async function commandsSent(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const note = (context: unknown) => void sent.push((context as { command: string }).command);
  const started = 'tracing:node-redis:command:start';
  subscribe(started, note);
  await work();
  unsubscribe(started, note);
  return sent.filter((command) => command !== 'PING');
}

recordStoreContract('Redis', async () => (await open()).requests);
keyvContract('Redis', async () => (await open()).keyv);
memberIndexContract('Redis', open);
isolationContract('Redis', async () => {
  const { url, prefix, ...storage } = await open();
  return { storage, address: { type: 'redis', url, prefix } };
});

describe('two connections to one Redis', () => {
  test('never both write the same version', async () => {
    const address = await emptyRedis();
    const [one, other] = [await open(address), await open(address)];
    await one.requests.create(restingEntry(queued()));
    const race = async (name: string, { requests }: typeof one) => {
      let won = 0;
      for (let i = 0; i < 200; i++) {
        const read = await requests.get(queued());
        if (!read) throw new Error('the record is gone');
        const reason = `${name} ${i}`;
        const entry = { ...restingEntry({ ...read.record, reason }), subjects: ['order', reason] };
        const written = await requests.update(entry, read.record.version);
        if (written === 'updated') won += 1;
      }
      return won;
    };
    const won = await Promise.all([race('one', one), race('other', other)]);
    const last = (await one.requests.get(queued()))?.record;
    expect(last?.version).toBe(1 + won[0] + won[1]);
    const lists = `${address.prefix}:requests:subject:T1:`;
    const keys = await (await bareClient(address.url)).keys(`${lists}*`);
    expect(keys.sort()).toEqual([`${lists}${last?.reason}`, `${lists}order`].sort());
  });

  test('see what the other one has written', async () => {
    const address = await emptyRedis();
    const [one, other] = [await open(address), await open(address)];
    await one.keyv('settings').set('T1', 1);
    expect(await other.keyv('settings').get('T1')).toBe(1);
  });
});

describe('the keys in Redis', () => {
  test('all begin with the prefix, and are gone with the record', async () => {
    const { url, prefix, requests, workspaceNotifications, keyv } = await open();
    const subjects = ['order:A-1001', 'message:1.0001'];
    await requests.create({ ...restingEntry(queued()), subjects, slot: 's', dueAt: 1 });
    expect(await workspaceNotifications.list('T1', { limit: 10 })).toEqual([]);
    await keyv('settings').set('T1', 1);
    const client = await bareClient(url);
    const keys = async () => (await client.keys(`*${prefix}*`)).map((key) => key.replace(prefix, '')).sort();
    expect(await keys()).toEqual([
      ':keyv:settings:T1',
      ':requests:due',
      ':requests:list:T1',
      ':requests:record:T1:bcdfghjkmnpq',
      ':requests:slots:T1',
      ':requests:subject:T1:message:1.0001',
      ':requests:subject:T1:order:A-1001',
    ]);
    await requests.remove(queued());
    expect(await keys()).toEqual([':keyv:settings:T1']);
  });

  test('of keyv never meet, even where one begins with a namespace', async () => {
    const { keyv } = await open();
    const keys = [
      ['a', 'k'],
      ['a', 'a:k'],
      ['a:a', 'k'],
      ['a%3Aa', 'k'],
    ] as const;
    for (const [namespace, key] of keys) await keyv(namespace).set(key, `${namespace} ${key}`);
    for (const [namespace, key] of keys) {
      expect(await keyv(namespace).get(key)).toBe(`${namespace} ${key}`);
    }
  });

  test('of keyv expire in Redis itself', async () => {
    const { url, prefix, keyv } = await open();
    await keyv('inbox').set('k', 1, 3_600_000);
    const client = await bareClient(url);
    expect(await client.pTTL(`${prefix}:keyv:inbox:k`)).toBeGreaterThan(3_500_000);
  });
});

describe('what somebody else has put into Redis', () => {
  const RECORD = ':requests:record:T1:bcdfghjkmnpq';

  test.each([
    ['another type', (client: Client, key: string) => client.set(key, 'x')],
    ['no JSON', (client: Client, key: string) => client.hSet(key, 'record', '{')],
    ['no record', (client: Client, key: string) => client.hSet(key, 'record', '{"id":1}')],
    ['a hash of something else', (client: Client, key: string) => client.hSet(key, 'x', 'y')],
  ])('in the place of a record (%s) is a fault there, and nowhere else', async (_name, put) => {
    const { url, prefix, requests } = await open();
    await put(await bareClient(url), prefix + RECORD);
    const other = queued({ id: 'other', target: 'B' }, await requests.now());
    await requests.create({ ...restingEntry(other), dueAt: other.createdAt });
    await expect(requests.get(queued())).rejects.toThrow();
    await expect(requests.create(restingEntry(queued()))).rejects.toThrow();
    expect((await requests.get(other))?.record).toEqual(other);
    expect(await requests.due(10)).toEqual([{ workspace: 'T1', id: 'other' }]);
    expect(await requests.list('T1', { limit: 10 })).toHaveLength(1);
  });

  test('in the place of a list leaves no half of a record behind', async () => {
    const { url, prefix, requests } = await open();
    const client = await bareClient(url);
    await client.set(`${prefix}:requests:due`, 'x');
    await expect(requests.create({ ...restingEntry(queued()), slot: 's', dueAt: 1 })).rejects.toThrow();
    await client.unlink(`${prefix}:requests:due`);
    expect(await requests.get(queued())).toBeUndefined();
    expect(await requests.list('T1', { limit: 10 })).toEqual([]);
    expect(await requests.create({ ...restingEntry(queued()), slot: 's', dueAt: 1 })).toEqual({
      type: 'created',
    });
  });

  test('in the place of a list of a subject leaves all as it was', async () => {
    const { url, prefix, requests } = await open();
    const client = await bareClient(url);
    await requests.create({ ...restingEntry(queued()), subjects: ['a', 'b'] });
    await client.set(`${prefix}:requests:subject:T1:d`, 'x');
    const subjects = ['b', 'c', 'd', 'e'];
    const late = { ...restingEntry({ ...queued(), reason: 'late' }), subjects, slot: 's', dueAt: 1 };
    await expect(requests.update(late, 1)).rejects.toThrow();
    await expect(
      requests.create({ ...late, record: queued({ id: 'other', target: 'B' }) }),
    ).rejects.toThrow();
    expect(await requests.list('T1', { limit: 10 })).toEqual([queued()]);
    expect(await requests.due(10)).toEqual([]);
    const keys = await client.keys(`${prefix}:requests:subject:*`);
    expect(keys.map((key) => key.slice(-1)).sort()).toEqual(['a', 'b', 'd']);
    await client.unlink(`${prefix}:requests:subject:T1:d`);
    expect(await requests.update(late, 1)).toBe('updated');
  });

  test('in the place of a list is met only where the subjects change', async () => {
    const { url, prefix, requests } = await open();
    await requests.create({ ...restingEntry(queued()), subjects: ['a', 'b'] });
    await (await bareClient(url)).set(`${prefix}:requests:subject:T1:a`, 'x');
    expect(await requests.update({ ...restingEntry(queued()), subjects: ['b', 'a'] }, 1)).toBe('updated');
    await expect(requests.update({ ...restingEntry(queued()), subjects: ['b'] }, 2)).rejects.toThrow();
  });

  test('in the place of a value is a fault', async () => {
    const { url, prefix, keyv } = await open();
    const client = await bareClient(url);
    await client.set(`${prefix}:keyv:settings:T1`, 'not JSON');
    await client.hSet(`${prefix}:keyv:settings:T2`, 'x', 'y');
    await expect(keyv('settings').get('T1')).rejects.toThrow();
    await expect(keyv('settings').get('T2')).rejects.toThrow();
  });
});

describe('a record that the version before several subjects wrote', () => {
  async function openWithOld() {
    const storage = await open();
    const client = await bareClient(storage.url);
    const key = (rest: string) => `${storage.prefix}:requests:${rest}`;
    const { id, workspace, createdAt } = queued();
    const member = place({ at: createdAt, id });
    await client.hSet(key(`record:${workspace}:${id}`), {
      record: JSON.stringify(queued()),
      version: 1,
      slot: '',
      subject: 'order:A-1001',
      place: member,
    });
    await client.zAdd(key(`list:${workspace}`), { score: 0, value: member });
    await client.zAdd(key(`subject:${workspace}:order:A-1001`), { score: 0, value: member });
    return {
      ...storage,
      client,
      under: (subject: string) => storage.requests.listBySubject('T1', subject, 9),
    };
  }

  test('is found, and keeps its subject when it is written again', async () => {
    const { requests, under } = await openWithOld();
    expect(await under('order:A-1001')).toEqual([queued()]);
    const more = { ...restingEntry(queued()), subjects: ['order:A-1001', 'message:1.0001'] };
    expect(await requests.update(more, 1)).toBe('updated');
    expect(await under('order:A-1001')).toHaveLength(1);
    expect(await under('message:1.0001')).toHaveLength(1);
  });

  test('loses its subject when it is written without it, and when it is removed', async () => {
    const { requests, client, prefix, under } = await openWithOld();
    expect(await requests.update({ ...restingEntry(queued()), subjects: ['message:1.0001'] }, 1)).toBe(
      'updated',
    );
    expect(await under('order:A-1001')).toEqual([]);
    expect(await under('message:1.0001')).toHaveLength(1);
    await requests.remove(queued());
    expect(await client.keys(`${prefix}:*`)).toEqual([]);
  });

  test('is removed with all of it before it was ever written again', async () => {
    const { requests, client, prefix } = await openWithOld();
    await requests.remove(queued());
    expect(await client.keys(`${prefix}:*`)).toEqual([]);
  });
});

describe('the storage in Redis', () => {
  test('is not fit for work where it takes no writes any more', async () => {
    const server = await startRedisServer();
    onTestFinished(server.stop);
    const storage = await open({ type: 'redis', url: server.url, prefix: 'test' });
    const operator = await bareClient(server.url);
    await storage.ping();
    await operator.configSet('maxmemory', '1');
    await expect(storage.ping()).rejects.toThrow('OOM');
    await operator.configSet('maxmemory', '0');
    await storage.ping();
    await operator.replicaOf('127.0.0.1', 1);
    await expect(storage.ping()).rejects.toThrow('READONLY');
  });

  test('that is closed makes every read and write fail, and does not open again', async () => {
    const storage = await open();
    const keyv = storage.keyv('connections');
    await storage.ping();
    await storage.close();
    await expect(storage.ping()).rejects.toThrow();
    await expect(storage.requests.get(queued())).rejects.toThrow();
    await expect(storage.requests.due(1)).rejects.toThrow();
    for (const used of [() => keyv.get('T1'), () => keyv.set('T1', 1), () => keyv.delete('T1')]) {
      await expect(used()).rejects.toThrow();
    }
    await expect(storage.ping()).rejects.toThrow();
  });

  test('keeps the fields that a newer version has written into a record', async () => {
    const { url, prefix, requests } = await open();
    await requests.create(restingEntry(queued()));
    const client = await bareClient(url);
    const key = `${prefix}:requests:record:T1:${queued().id}`;
    await client.hSet(key, 'record', JSON.stringify({ ...queued(), votes: [1] }));
    const record = (await requests.get(queued()))?.record ?? queued();
    await requests.update(restingEntry({ ...record, reason: 'x' }), 1);
    expect((await requests.get(queued()))?.record).toMatchObject({ votes: [1], reason: 'x', version: 2 });
  });

  test('takes one round trip for each operation', async () => {
    const { url, prefix } = await emptyRedis();
    const connection = createRedisConnection(url);
    await connection.open(silent);
    onTestFinished(connection.close);
    const store = createRedisRecordStore(connection, prefix, 'requests', RequestRecord);
    const keyv = (await open({ type: 'redis', url, prefix })).keyv('settings');
    const operations: Record<string, () => Promise<unknown>> = {
      now: () => store.now(),
      create: () => store.create(restingEntry(queued())),
      get: () => store.get(queued()),
      update: () => store.update(restingEntry(queued()), 1),
      due: () => store.due(10),
      postpone: () => store.postpone(queued(), 1),
      listBySubject: () => store.listBySubject('T1', 'order:A-1001', 10),
      listHolding: () => store.listHolding('T1', 10),
      list: () => store.list('T1', { limit: 10 }),
      remove: () => store.remove(queued()),
      'keyv set': () => keyv.set('k', 1),
      'keyv get': () => keyv.get('k'),
      'keyv delete': () => keyv.delete('k'),
    };
    // The first time a script is not known to the server yet.
    for (const operation of Object.values(operations)) await operation();
    const trips: Record<string, number> = {};
    for (const [name, operation] of Object.entries(operations)) {
      trips[name] = (await commandsSent(operation)).length;
    }
    expect(trips).toEqual(Object.fromEntries(Object.keys(operations).map((name) => [name, 1])));
  });
});

type Client = Awaited<ReturnType<typeof bareClient>>;
