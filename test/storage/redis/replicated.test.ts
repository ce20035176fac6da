/** The rule that a replica holds a write before anybody relies on it, with real servers: connected, frozen, gone and back. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Replicated, SILENT } from '../../../src/outbox/ports.ts';
import { script } from '../../../src/storage/redis/connection/commands.ts';
import { createRedisConnection } from '../../../src/storage/redis/connection/connection.ts';
import { openRedisStorage } from '../../../src/storage/redis/open.ts';
import { createReplicated } from '../../../src/storage/redis/replicated.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { FAILOVER, operator, portOf, startPair, startReplica } from '../../support/redis/redis-sentinel.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';

needsRedis(true);

const WRITE = script("return redis.call('SET', KEYS[1], ARGV[2])");
const UNCONFIRMED = 'Not all replicas of Redis have confirmed';

/** A replica has a long time for it: only one that is frozen takes that. */
async function open(url: string, { behindSentinels = false, refuse = 0, look = 0 } = {}) {
  const connection = createRedisConnection(url);
  await connection.open(SILENT);
  onTestFinished(connection.close);
  const limits = { confirm: 500, refuse, look };
  const replicated = createReplicated({ connection, prefix: 'p', behindSentinels, limits });
  const write = async (key: string) => void (await connection.run(WRITE, [key], ['yes']));
  return { connection, replicated, write };
}

const confirms = (replicated: Replicated) =>
  expect.poll(() => replicated(async () => 'done').catch(String), FAILOVER).toBe('done');

async function openPair() {
  const pair = await startPair();
  const opened = await open(pair.master.url);
  await opened.replicated(async () => 'so that it knows of the replica');
  const admin = await operator(pair.master.url);
  await admin.configResetStat();
  const waits = async () => {
    const stats = await admin.info('commandstats');
    return Number(/^cmdstat_wait:calls=(\d+)/m.exec(stats)?.[1] ?? 0);
  };
  return { ...pair, ...opened, waits };
}

describe('with a replica', () => {
  test('it holds what was written, in the same moment', async () => {
    const { replica, replicated, write } = await openPair();
    const reader = await operator(replica.url);
    for (let n = 0; n < 100; n++) {
      await replicated(() => write(`key ${n}`));
      expect(await reader.get(`key ${n}`)).toBe('yes');
    }
  });

  test('it holds what another connection has written and this one has read', async () => {
    const { master, replica, replicated, connection } = await openPair();
    const [writer, reader] = [await operator(master.url), await operator(replica.url)];
    for (let n = 0; n < 100; n++) {
      await writer.set(`key ${n}`, 'yes');
      expect(await replicated(() => connection.read((client) => client.get(`key ${n}`)))).toBe('yes');
      expect(await reader.get(`key ${n}`)).toBe('yes');
    }
  });

  test('many writes at once wait together', async () => {
    const { replicated, write, waits } = await openPair();
    await Promise.all(Array.from({ length: 50 }, (_, n) => replicated(() => write(`key ${n}`))));
    expect(await waits()).toBeLessThan(10);
  });

  test('that is frozen nothing is confirmed, though it is written, until it goes on', async () => {
    const { master, replica, replicated, write } = await openPair();
    replica.pause();
    await expect(replicated(() => write('written'))).rejects.toThrow(UNCONFIRMED);
    expect(await (await operator(master.url)).get('written')).toBe('yes');
    replica.resume();
    await confirms(replicated);
    expect(await (await operator(replica.url)).get('written')).toBe('yes');
  });

  test('that is frozen further writes are refused without waiting', async () => {
    const { master, replica, waits } = await openPair();
    const { replicated, write } = await open(master.url, { refuse: 60_000 });
    replica.pause();
    await expect(replicated(() => write('a'))).rejects.toThrow(UNCONFIRMED);
    await expect(replicated(() => write('b'))).rejects.toThrow(UNCONFIRMED);
    expect(await waits()).toBe(1);
    replica.resume();
  });

  test('that was lost nothing is confirmed until it is back', async () => {
    const { replica, copied, replicated, write } = await openPair();
    await replicated(() => write('before'));
    await replica.kill();
    await expect(replicated(() => write('meanwhile'))).rejects.toThrow(UNCONFIRMED);
    await replica.restart();
    await confirms(replicated);
    await copied();
  });

  test('that was lost a terminal command is told that bots wait for it: it has seen no replica itself', async () => {
    const { master, replica, replicated, write } = await openPair();
    const told = async () => {
      const texts: string[] = [];
      const storage = openRedisStorage({ url: master.url, prefix: 'p' });
      await storage.open({ ...SILENT, warn: (_, text) => void texts.push(text) });
      await storage.close();
      return texts.filter((text) => text.includes('replica of Redis'));
    };
    await replicated(() => write('before'));
    expect(await told()).toEqual([]);
    await replica.kill();
    await expect(replicated(() => write('meanwhile'))).rejects.toThrow(UNCONFIRMED);
    expect(await told()).toEqual([
      'Within the last five minutes a bot has waited for a replica of Redis, and none follows. Unless that bot has been restarted since, it takes and sends nothing until one does. Start the replica, or, if Redis is to have none, restart the bot.',
    ]);
  });

  test('and a second one, both are waited for: either can be promoted', async () => {
    const { master, replica, copied, replicated, write } = await openPair();
    const second = await startRedisServer(['--replicaof', '127.0.0.1', portOf(master.url)]);
    onTestFinished(second.stop);
    const admin = await operator(master.url);
    await expect.poll(() => admin.info('replication'), FAILOVER).toMatch(/slave0.*online.*slave1.*online/s);
    await confirms(replicated);
    second.pause();
    await expect(replicated(() => write('a'))).rejects.toThrow(UNCONFIRMED);
    second.resume();
    await confirms(replicated);
    // One that is gone cannot be promoted with what it has, and the other one is enough.
    await replica.kill();
    await confirms(replicated);
    await replica.restart();
    await copied();
  });

  test('nothing counts that was written over a connection that is lost since', async () => {
    const { master, replicated, write, connection } = await openPair();
    const admin = await operator(master.url);
    const work = async () => {
      await write('a');
      const before = connection.connectionCount();
      await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await expect.poll(connection.connectionCount).toBeGreaterThan(before);
    };
    await expect(replicated(work)).rejects.toThrow('was lost before its replicas had confirmed');
  });
});

describe('without a replica', () => {
  const alone = async () => {
    const server = await startRedisServer();
    onTestFinished(server.stop);
    return server;
  };

  test('nobody waits', async () => {
    const { url } = await alone();
    const { replicated, write } = await open(url, { look: 60_000 });
    for (let n = 0; n < 10; n++) await replicated(() => write(`key ${n}`));
    const stats = await (await operator(url)).info('commandstats');
    expect(stats).not.toContain('cmdstat_wait');
    expect(stats).toMatch(/cmdstat_info:calls=[12],/);
  });

  test('nothing is confirmed if a setting or sentinels demand one', async () => {
    const { url } = await alone();
    const { replicated } = await open(url, { behindSentinels: true });
    await expect(replicated(async () => 'done')).rejects.toThrow(UNCONFIRMED);
    const { replicated: demanding } = await open(url);
    expect(await demanding(async () => 'done')).toBe('done');
    const admin = await operator(url);
    await admin.configSet('min-replicas-to-write', '1');
    await expect(demanding(async () => 'done')).rejects.toThrow('NOREPLICAS');
  });

  test('a replica that joins is noticed', async () => {
    const server = await alone();
    const { replicated } = await open(server.url);
    await replicated(async () => 'done');
    const joining = await startReplica(server.url);
    const link = async () => (await (await operator(joining.url)).info('replication')).split('\r\n');
    await expect.poll(link, FAILOVER).toContain('master_link_status:up');
    joining.pause();
    await expect(replicated(async () => 'done')).rejects.toThrow(UNCONFIRMED);
    joining.resume();
    await confirms(replicated);
  });

  test('nobody waits for a client that copied the data once, as redis-cli --rdb does for a backup', async () => {
    const { url } = await alone();
    const { replicated } = await open(url);
    const admin = await operator(url);
    const replication = async () => (await admin.info('replication')).split('\r\n');
    // Redis waits so long for others that want the same copy.
    await admin.configSet('repl-diskless-sync-delay', '600');
    const copying = connect(Number(portOf(url)), '127.0.0.1').on('error', () => {});
    copying.write('REPLCONF capa eof rdb-only 1\r\n');
    await once(copying, 'data');
    copying.resume().write('SYNC\r\n');
    await expect.poll(replication).toContain('connected_slaves:1');
    expect(await replicated(async () => 'meanwhile')).toBe('meanwhile');
    copying.destroy();
    await expect.poll(replication).toContain('connected_slaves:0');
    expect(await replicated(async () => 'afterwards')).toBe('afterwards');
  });

  test('a server that may not be asked is taken for one without', async () => {
    const { url } = await alone();
    const admin = await operator(url);
    await admin.aclSetUser('bot', ['on', '>x', '~*', '+@all', '-info', '-config']);
    const { replicated } = await open(url.replace('//', '//bot:x@'));
    expect(await replicated(async () => 'done')).toBe('done');
  });
});
