import { describe, expect, onTestFinished, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { NOT_STORED } from '../../../src/outbox/record-store.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import { createRedisConnection } from '../../../src/storage/redis/connection/connection.ts';
import { createRedisRecordStore } from '../../../src/storage/redis/record-store.ts';
import { commandsSent } from '../../support/redis/commands-sent.ts';
import { bareClient, open } from '../../support/redis/open-storage.ts';
import { emptyRedis, needsRedis } from '../../support/redis/redis.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { queued, restingEntry } from '../../support/requests/records.ts';
import { overwrite } from '../../support/storage/versions.ts';
import { conditionsContract } from '../contracts/conditions.contract.ts';
import { furtherContract } from '../contracts/further.contract.ts';
import { isolationContract } from '../contracts/isolation.contract.ts';
import { keyvContract } from '../contracts/keyv.contract.ts';
import { recordStoreContract } from '../contracts/record-store.contract.ts';

needsRedis();

recordStoreContract('Redis', async () => (await open()).requests);
conditionsContract('Redis', () => open());
furtherContract('Redis', () => open());
keyvContract('Redis', async () => (await open()).keyv);
isolationContract('Redis', async () => {
  const { url, prefix, ...storage } = await open();
  return { storage, address: { type: 'redis', url, prefix } };
});

describe('two connections to one Redis', () => {
  test('never both write the same version', async () => {
    const address = await emptyRedis();
    const [one, other] = [await open(address), await open(address)];
    await one.requests.create(restingEntry(queued({ reason: '0' })));
    const race = async ({ requests }: typeof one) => {
      let won = 0;
      for (let i = 0; i < 200; i++) {
        const read = await requests.get(queued());
        if (!read) throw new Error('the record is gone');
        const reason = `${Number(read.record.reason) + 1}`;
        const entry = { ...restingEntry({ ...read.record, reason }), subjects: ['order', reason] };
        const written = await requests.update(entry, read.record.version);
        if (written.type === 'updated') won += 1;
      }
      return won;
    };
    const won = await Promise.all([race(one), race(other)]);
    const last = (await one.requests.get(queued()))?.record;
    expect(Number(last?.reason)).toBe(won[0] + won[1]);
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
    const { url, prefix, requests, notices, keyv } = await open();
    const subjects = ['order:A-1001', 'message:1.0001'];
    await requests.create({ ...restingEntry(queued()), subjects, slot: 's', dueAt: 1 });
    expect(await notices.list('T1', { limit: 10 })).toEqual([]);
    await keyv('settings').set('T1', 1);
    const client = await bareClient(url);
    const keys = async () => (await client.keys(`*${prefix}*`)).map((key) => key.replace(prefix, '')).sort();
    expect(await keys()).toEqual([
      ':keyv:settings:T1',
      ':requests:due',
      ':requests:due:T1',
      ':requests:list:T1',
      ':requests:record:T1:bcdfghjkmnpq',
      ':requests:slots:T1',
      ':requests:subject:T1:message:1.0001',
      ':requests:subject:T1:order:A-1001',
      ':requests:workspaces',
      ':version',
    ]);
    await requests.remove(queued());
    expect(await keys()).toEqual([':keyv:settings:T1', ':version']);
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
    const created = (await requests.get(queued()))?.record ?? queued();
    await client.hSet(key, 'record', JSON.stringify({ ...created, votes: [1] }));
    const record = (await requests.get(queued()))?.record ?? queued();
    await overwrite(requests, restingEntry({ ...record, reason: 'x' }));
    expect((await requests.get(queued()))?.record).toMatchObject({ votes: [1], reason: 'x' });
  });

  test('takes one round trip for each operation', async () => {
    const { url, prefix } = await emptyRedis();
    const connection = createRedisConnection(url);
    await connection.open(SILENT);
    onTestFinished(connection.close);
    const store = createRedisRecordStore(connection, prefix, 'requests', RequestRecord);
    const keyv = (await open({ type: 'redis', url, prefix })).keyv('settings');
    const operations: Record<string, () => Promise<unknown>> = {
      now: () => store.now(),
      create: () => store.create(restingEntry(queued())),
      get: () => store.get(queued()),
      update: () => store.update(restingEntry(queued()), NOT_STORED),
      due: () => store.due(10),
      postpone: () => store.postpone(queued(), 1),
      listBySubject: () => store.listBySubject('T1', 'order:A-1001', 10),
      list: () => store.list('T1', { limit: 10 }),
      remove: () => store.remove(queued()),
      'keyv set': () => keyv.set('k', 1),
      'keyv get': () => keyv.get('k'),
      'keyv delete': () => keyv.delete('k'),
    };
    // The first time a script is not known to the server yet.
    for (const operation of Object.values(operations)) await operation();
    // On a busy machine a script may arrive too late and be sent again, so the fewest of several tries count.
    const fewest = Object.fromEntries(
      Object.keys(operations).map((name) => [name, Number.POSITIVE_INFINITY]),
    );
    for (let tried = 0; tried < 5; tried++) {
      for (const [name, operation] of Object.entries(operations)) {
        fewest[name] = Math.min(fewest[name] ?? 0, (await commandsSent(url, operation)).length);
      }
    }
    expect(fewest).toEqual(Object.fromEntries(Object.keys(operations).map((name) => [name, 1])));
  });
});
