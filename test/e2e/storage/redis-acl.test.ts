/** The users of deploy/users.acl (docs/replicas.md, "A user of its own"): their rights are enough, and outlast a restart of Redis. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { createRedisClient } from '../../../src/storage/redis/connection/connection.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { redisEnvironment } from '../../support/e2e/storage.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { fieldsOf } from '../../support/redis/redis-sentinel.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { launchSentinel, MASTER } from '../../support/redis/sentinel-process.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The commands for redis-cli that documents, scripts and doctor tell a person to type, with what stands before them. */
const TOLD = globSync(['docs/*.md', 'deploy/*.sh', 'src/cli/**/*.ts'], { cwd: ROOT }).flatMap((file) => [
  ...readFileSync(join(ROOT, file), 'utf8')
    .replaceAll('\n', ' ')
    .matchAll(/redis-cli ((?:--\S+ (?:[a-z]+ )?)*)((?:ACL|CONFIG) [\w ]+?)(?=["`.])/g),
]);

const FAILING_OVER = { timeout: 30_000 };

const digestOf = (password: string): string => createHash('sha256').update(password).digest('hex');

describe('with a Redis user of its own', () => {
  needsRedis(true);

  /** Starts Redis with deploy/users.acl, with the users of replicas and sentinels switched on as docs/replicas.md says. */
  async function startShipped(...options: string[]) {
    const file = join(temporaryFolder(), 'users.acl');
    const users = readFileSync(join(ROOT, 'deploy/users.acl'), 'utf8');
    const filled = users
      .replace('SHA256_OF_THE_PASSWORD', digestOf('secret'))
      .replace('SHA256_OF_THE_ADMIN_PASSWORD', digestOf('admin-secret'))
      .replace('user replica off', `user replica on #${digestOf('replica-secret')}`)
      .replace('user sentinel off', `user sentinel on #${digestOf('sentinel-secret')}`);
    writeFileSync(file, filled);
    const redis = await startRedisServer(['--aclfile', file, ...options]);
    onTestFinished(redis.stop);
    return redis;
  }

  const asAdmin = ({ url }: { url: string }) => url.replace('//', '//admin:admin-secret@');

  const start = async () => startWith(await startShipped());

  async function connected(url: string) {
    const client = createRedisClient({ url });
    client.on('error', () => {});
    await client.connect();
    onTestFinished(() => client.destroy());
    return client;
  }

  async function startWith(redis: Awaited<ReturnType<typeof startRedisServer>>) {
    const as = (user: string) => redis.url.replace('//', `//${user}@`);
    const env = redisEnvironment({ type: 'redis', url: as('countermand:secret'), prefix: 'countermand' });
    const harness = await startHarness({ env, overrides: { runner: { sweepMs: 50 } } });
    const client = (user: string) => connected(as(user));
    const readiness = async () => (await fetch(`${harness.url}/readyz`)).status;
    return { ...harness, redis, client, readiness };
  }

  test('requests are carried out before and after a restart of Redis, and nothing was denied', async () => {
    const harness = await start();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    const denied = async () => (await harness.client('admin:admin-secret')).aclLog();
    expect(await denied()).toEqual([]);
    await harness.redis.kill();
    await expect.poll(harness.readiness).toBe(503);
    await harness.redis.restart();
    await expect.poll(harness.readiness).toBe(200);
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
    expect(await denied()).toEqual([]);
    const lines = harness.logged.text().split('\n');
    expect(lines.filter((line) => /Redis refused|NOPERM/.test(line))).toEqual([]);
  });

  test('replicas and sentinels fail over by the settings that the page names, and nothing is denied', async () => {
    const page = readFileSync(join(ROOT, 'docs/replicas.md'), 'utf8').replaceAll('\n', ' ');
    const named = (setting: RegExp) => setting.exec(page)?.[1] ?? 'default';
    const logIn = ['--masteruser', named(/`masteruser (\w+)`/), '--masterauth', 'replica-secret'];
    const master = await startShipped(...logIn);
    const { port } = new URL(master.url);
    const replica = await startShipped('--replicaof', '127.0.0.1', port, ...logIn);
    const ask = await connected(asAdmin(replica));
    await expect.poll(() => ask.info('replication')).toContain('master_link_status:up');
    const sentinel = await launchSentinel(port, (own) => [`port ${own}`], [
      `sentinel auth-user ${MASTER} ${named(/`sentinel auth-user NAME (\w+)`/)}`,
      `sentinel auth-pass ${MASTER} sentinel-secret`,
    ]);
    onTestFinished(sentinel.stop);
    const watching = await connected(`redis://${sentinel.address}`);
    const replicas = () => watching.sendCommand(['SENTINEL', 'REPLICAS', MASTER]);
    // A sentinel learns of them from the master, once it has logged in there.
    await expect.poll(replicas).toHaveLength(1);
    const denied = await (await connected(asAdmin(master))).aclLog();
    await master.kill();
    await expect.poll(() => ask.info('replication'), FAILING_OVER).toContain('role:master');
    // Until the sentinel has finished, a master that comes back makes it demote the new one. GET-MASTER-ADDR-BY-NAME names that
    // one before (sentinelGetCurrentMasterAddress in src/sentinel.c).
    const inForce = () => fieldsOf(watching, 'port');
    await expect.poll(inForce, FAILING_OVER).toEqual([new URL(replica.url).port]);
    await master.restart();
    // The sentinel makes the former master a replica, which logs in by the same settings.
    await expect.poll(() => ask.info('replication'), FAILING_OVER).toMatch(/slave0:.*state=online/);
    for (const each of [denied, await ask.aclLog(), await (await connected(asAdmin(master))).aclLog()])
      expect(each).toEqual([]);
  });

  test('the password of a replica or a sentinel, which CONFIG GET or a file tells, opens no key and no setting', async () => {
    const { client } = await start();
    for (const user of ['replica:replica-secret', 'sentinel:sentinel-secret']) {
      const lent = await client(user);
      for (const act of [
        () => lent.get('countermand:none'),
        () => lent.configGet('masterauth'),
        () => lent.configSet('appendonly', 'no'),
        () => lent.aclList(),
      ])
        await expect(act()).rejects.toThrow('NOPERM');
    }
  });

  test('nothing is lost by a restart of Redis with deploy/users.acl, whose default user is off', async () => {
    const harness = await start();
    const { redis } = harness;
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    const nobody = createRedisClient({ url: redis.url });
    nobody.on('error', () => {});
    await expect(nobody.connect().then(() => nobody.get('x'))).rejects.toThrow(/NOAUTH|NOPERM/);
    nobody.destroy();
    await redis.kill();
    await redis.restart();
    await expect.poll(harness.readiness).toBe(200);
    const { storage } = await harness.terminal();
    expect(await storage.requests.list(SEED.team, { limit: 9 })).toMatchObject([{ target: 'A-1001' }]);
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
  });

  test('a person may type what they are told to, as a user that can log in with deploy/users.acl', async () => {
    expect(new Set(TOLD.map(([, options]) => options))).toEqual(new Set(['--user admin --askpass ']));
    const commands = new Set(TOLD.map(([, , command = '']) => command));
    const written = ['ACL LOAD', 'ACL LOG', 'CONFIG GET dir', 'CONFIG SET appendonly yes'];
    expect([...commands].sort()).toEqual(written);
    const { client } = await start();
    const admin = await client('admin:admin-secret');
    for (const command of commands)
      expect(await admin.sendCommand(['ACL', 'DRYRUN', 'admin', ...command.split(' ')])).toBe('OK');
  });

  test('it reads and writes nothing outside of its prefix, and changes no settings', async () => {
    const { client } = await start();
    const bot = await client('countermand:secret');
    await (await client('admin:admin-secret')).set('others', '1');
    expect(await bot.get('countermand:none')).toBeNull();
    for (const act of [
      () => bot.get('others'),
      () => bot.set('others', '2'),
      () => bot.flushAll(),
      () => bot.configSet('appendonly', 'no'),
      () => bot.aclList(),
    ])
      await expect(act()).rejects.toThrow('NOPERM');
  });

  test('a bot whose user was taken away works on once it is there again', async () => {
    const harness = await start();
    const admin = await harness.client('admin:admin-secret');
    await admin.aclDelUser('countermand');
    await expect.poll(harness.readiness).toBe(503);
    await admin.sendCommand(['ACL', 'LOAD']);
    await expect.poll(harness.readiness).toBe(200);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
  });
});
