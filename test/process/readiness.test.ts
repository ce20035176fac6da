/** GET /readyz of a real process: what it lists while something that the bot needs is away. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { appAddress, botEnvironment } from '../../sandbox/environment.ts';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const ROOT = join(import.meta.dirname, '../..');

async function sandbox() {
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const slack = await startSlack({ journal });
  onTestFinished(async () => {
    await slack.close();
    await service.close();
  });
  const port = await freePort();
  const database = join(temporaryFolder(), 'bot.db');
  slack.connectApp(appAddress(port));
  const env = botEnvironment({ slack, service }, { port, database });
  const start = (more: Record<string, string> = {}) => {
    const bot = startBot(inject('bundle'), { ...env, ...more });
    onTestFinished(async () => void (await bot.kill()));
    return bot;
  };
  /** Reads /readyz; undefined if nothing answers. */
  const readiness = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return response && { code: response.status, ...((await response.json()) as object) };
  };
  return { slack, env, database, port, start, readiness };
}

const notReady = (...problems: string[]) => ({ code: 503, status: 'not_ready', problems });
const READY = { code: 200, status: 'ready' };

describe('a bot that is started while Slack is away', () => {
  test.each([
    ['cannot be reached', 'auth.test', { type: 'drop' } as const, {}],
    [
      'opens no connection for Socket Mode',
      'apps.connections.open',
      { type: 'drop' } as const,
      { SLACK_SIGNING_SECRET: '' },
    ],
  ])('(it %s) waits, says that it is not ready, and then works', async (_how, on, fault, more) => {
    const { slack, start, readiness } = await sandbox();
    const away = slack.faults.schedule({ on, fault, times: 1_000 });
    const socket = 'SLACK_SIGNING_SECRET' in more;
    if (socket) slack.connectApp({ socketMode: true });
    const bot = start({ ...more, ...(socket && { SLACK_APP_TOKEN: slack.appToken }) });
    await expect.poll(readiness).toEqual(notReady('slack'));
    await expect.poll(() => bot.output()).toContain('no access to Slack');
    away.cancel();
    await bot.ready;
    expect(await readiness()).toEqual(READY);
    const seen = await slack.person('ana').command('/countermand help', { channel: '#support' });
    expect(seen.trouble).toBeUndefined();
  });

  test('can be stopped meanwhile', async () => {
    const { slack, start, readiness } = await sandbox();
    slack.faults.schedule({ on: 'auth.test', fault: { type: 'drop' }, times: 1_000 });
    const bot = start({ DRAIN_SECONDS: '1' });
    await expect.poll(readiness).toEqual(notReady('slack'));
    const ended = bot.kill('SIGTERM');
    await expect.poll(readiness, { interval: 10 }).toEqual(notReady('slack', 'stopping'));
    expect(await ended).toBe(0);
  });
});

describe('a bot that is started while Redis is away', () => {
  needsRedis(true);

  test('waits, says that it is not ready and why, without its password, and then works', async () => {
    const { slack, start, readiness } = await sandbox();
    const redis = await startRedisServer(['--requirepass', 'hidden-4711']);
    onTestFinished(() => redis.stop());
    await redis.kill();
    const bot = start({
      STORAGE_URL: redis.url.replace('//', '//:hidden-4711@'),
      SECRET_KEYS: `k:${'A'.repeat(43)}=`,
    });
    await expect.poll(readiness).toEqual(notReady('storage', 'slack'));
    await expect
      .poll(() => bot.output())
      .toMatch(
        /"reason":"Redis cannot be reached at STORAGE_URL \(.*ECONNREFUSED.*"storage unavailable, will retry: this replica is not ready"/,
      );
    await redis.restart();
    await bot.ready;
    expect(await readiness()).toEqual(READY);
    const seen = await slack.person('ana').command('/countermand help', { channel: '#support' });
    expect(seen.trouble).toBeUndefined();
    expect(bot.output()).not.toContain('hidden-4711');
    expect(await bot.kill('SIGTERM')).toBe(0);
  });

  test.each(['redis://127.0.0.1:1', 'redis+sentinel://127.0.0.1:1/desk'])(
    'can be stopped meanwhile (%s)',
    async (address) => {
      const { start, readiness } = await sandbox();
      const bot = start({ STORAGE_URL: address, SECRET_KEYS: `k:${'A'.repeat(43)}=` });
      await expect.poll(readiness).toEqual(notReady('storage', 'slack'));
      expect(await bot.kill('SIGTERM')).toBe(0);
    },
  );

  test('does not wait where waiting is useless: the password is wrong', async () => {
    const { start } = await sandbox();
    const redis = await startRedisServer(['--requirepass', 'right']);
    onTestFinished(() => redis.stop());
    const bot = start({
      STORAGE_URL: redis.url.replace('//', '//:wrong-4711@'),
      SECRET_KEYS: `k:${'A'.repeat(43)}=`,
    });
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toMatch(
      /could not start: .*Redis does not accept the user or the password of STORAGE_URL \(WRONGPASS/,
    );
    expect(bot.output()).not.toContain('Redis refused a queue command');
    expect(bot.output()).not.toContain('wrong-4711');
  });
});

describe('a bot whose disk is full', () => {
  test('is not ready: SQLite can be read, and takes no writes', async () => {
    const { env, database, readiness } = await sandbox();
    // The largest file that the process may write, in the shell's blocks of 1,024 bytes, stands for the end of the disk.
    const { PATH = '' } = process.env;
    const script = `trap '' XFSZ; ulimit -f 1024; exec '${process.execPath}' '${join(ROOT, 'bin/countermand.mjs')}'`;
    const child = spawn('bash', ['-c', script], { cwd: temporaryFolder(), env: { PATH, ...env } });
    const ended = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await expect.poll(readiness).toEqual(READY);
    // The next write is queued behind one that this process can still make.
    const other = new DatabaseSync(database);
    other.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(2 * 1024 * 1024));');
    await expect.poll(readiness).toEqual(notReady('storage'));
    await expect.poll(() => output).toContain('storage not writable');
    expect(output).not.toContain('writable again');
    other.exec('DROP TABLE filler; VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
    other.close();
    await expect.poll(readiness).toEqual(READY);
    await expect.poll(() => output).toContain('storage writable again');
  });
});
