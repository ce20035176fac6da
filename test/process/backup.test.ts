/** The steps of docs/running.md about backups, done with the bot as a process. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest';
import { findOnPath } from '../../sandbox/lib/on-path.ts';
import type { Message } from '../../sandbox/slack/world/types.ts';
import { createRedisClient } from '../../src/storage/redis/connection/connection.ts';
import { recordKeys } from '../../src/storage/redis/keys.ts';
import { redisEnvironment } from '../support/e2e/storage.ts';
import { skipWithout } from '../support/needs.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { type RedisServer, startRedisServer } from '../support/redis/redis-server.ts';
import { startTlsRedis } from '../support/redis/redis-tls.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { runDocumented } from './support/documented.ts';
import { openHarnessForOneBot } from './support/harness.ts';

const ORDER = 'A-2001';
const PREFIX = 'countermand';

type Harness = Awaited<ReturnType<typeof openHarnessForOneBot>>;

const reply = ({ slack }: Harness, text: RegExp) =>
  slack.waitForMessage((message) => isReply(message) && text.test(message.text));

const isReply = ({ thread_ts, ts }: Message) => thread_ts !== undefined && thread_ts !== ts;

/** Does it again until it is seen to have worked, as a person does who reads "Try again?" on a busy machine. */
async function insist(act: () => Promise<unknown>, seen: () => Promise<unknown>): Promise<void> {
  do await act();
  while (
    await seen().then(
      () => false,
      () => true,
    )
  );
}

/** Ana requests a cancellation that the order service reviews. @returns the card */
async function requestReview(harness: Harness) {
  await harness.connect();
  const ana = harness.slack.person('ana');
  await insist(
    () => ana.command(`/cancel-order ${ORDER} Ordered twice`, { channel: '#support' }),
    () => ana.waitForModal(),
  );
  while ((await ana.submit()).outcome === 'trouble');
  const { thread_ts = '' } = await reply(harness, /is reviewing it/);
  return { channel: '#support', ts: thread_ts };
}

/** Returns the answer to Ana's `/countermand status`. */
async function status({ slack }: Harness): Promise<string> {
  const ana = slack.person('ana');
  const known = ana.ephemerals().length;
  await insist(
    () => ana.command(`/countermand status ${ORDER}`, { channel: '#support' }),
    () => ana.waitForEphemeral(() => ana.ephemerals().length > known),
  );
  return JSON.stringify(ana.ephemerals().at(-1));
}

/**
 * The workspace is connected still, the request is known, and what the service says of it reaches the thread of the
 * request.
 */
async function expectToGoOn(harness: Harness, card: { channel: string; ts: string }): Promise<void> {
  expect(await status(harness)).toContain('is reviewing it');
  await harness.service.approve(ORDER).settled;
  await reply(harness, /confirmed it after a review/);
  const [, ...replies] = harness.slack.thread(card.channel, card.ts);
  expect(replies.map(({ text }) => text)).toEqual([
    expect.stringContaining('is reviewing it'),
    expect.stringContaining('confirmed it after a review'),
  ]);
  expect(harness.service.calls({ orderId: ORDER })).toHaveLength(1);
  // The token opens with the key that was kept.
  const ana = harness.slack.person('ana');
  await insist(
    () => ana.command('/sub-brands', { channel: '#support' }),
    () => ana.waitForModal({ text: 'Acme Outlet' }),
  );
}

/** Resolves once no request has pending effects or a claim: all that was begun is stored. */
const atRest = (due: () => Promise<number>) => expect.poll(due).toBe(0);

async function dueInSqlite(path: string): Promise<number> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare('SELECT id FROM requests WHERE due_at IS NOT NULL').all().length;
  } finally {
    database.close();
  }
}

async function dueInRedis(url: string): Promise<number> {
  const client = createRedisClient({ url });
  await client.connect();
  try {
    const jobs = ['wait', 'active'].map((list) => client.lLen(`${PREFIX}:jobs:requests:${list}`));
    const counts = await Promise.all([client.zCard(recordKeys(PREFIX, 'requests').waiting), ...jobs]);
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    client.destroy();
  }
}

/** @param folder where it keeps its file; it is made where there is none */
async function startRedisIn(folder: string): Promise<RedisServer> {
  mkdirSync(folder, { recursive: true });
  const server = await startRedisServer(['--dir', folder]);
  onTestFinished(server.stop);
  return server;
}

const needsRedisCli = (context: Pick<TestContext, 'skip'>) =>
  skipWithout(context, findOnPath('redis-cli') !== undefined, 'redis-cli on PATH');

const DEPLOY = join(import.meta.dirname, '../../deploy');

/** The folder of a bot, with the scripts that the documents name. */
function folderWithScripts(): string {
  const folder = temporaryFolder();
  symlinkSync(DEPLOY, join(folder, 'deploy'));
  return folder;
}

describe('a backup that cannot be made fails', () => {
  const backUp =
    (...args: string[]) =>
    () =>
      execFileSync('/bin/sh', args, { cwd: DEPLOY, stdio: 'pipe' });

  test('of SQLite, if there is no database, or there is a backup already', () => {
    const folder = temporaryFolder();
    const database = join(folder, 'countermand.db');
    expect(backUp('backup-sqlite.sh', database, join(folder, 'backup'))).toThrow(
      /\nNo backup was made: there is no file .+db\.\n$/,
    );
    expect(existsSync(join(folder, 'backup'))).toBe(false);
    new DatabaseSync(database).exec('CREATE TABLE t (x)');
    backUp('backup-sqlite.sh', database, join(folder, 'backup'))();
    expect(backUp('backup-sqlite.sh', database, join(folder, 'backup'))).toThrow(
      /\nNo backup was made: .+ exists already\.\n$/,
    );
  });

  test('of SQLite, if the key of a backup that was moved away is there, which stays', () => {
    const folder = temporaryFolder();
    const [database, backup] = [join(folder, 'countermand.db'), join(folder, 'backup')];
    new DatabaseSync(database).exec('CREATE TABLE t (x)');
    writeFileSync(`${database}.key`, 'local:new');
    mkdirSync(backup);
    writeFileSync(join(backup, 'countermand.db.key'), 'local:old');
    for (const from of [database, `${database}.missing`])
      expect(backUp('backup-sqlite.sh', from, backup)).toThrow(/ exists already\.\n$/);
    expect(readdirSync(backup)).toEqual(['countermand.db.key']);
    expect(readFileSync(join(backup, 'countermand.db.key'), 'utf8')).toBe('local:old');
  });

  /** Puts a command in front of those of the machine, until the end of the test. */
  function replaceCommand(name: string, script: string): void {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  }

  test('of SQLite, if another one runs to the same folder, of which it removes nothing', () => {
    const folder = temporaryFolder();
    const [database, backup] = [join(folder, 'countermand.db'), join(folder, 'backup')];
    new DatabaseSync(database).exec('CREATE TABLE t (x)');
    const other = `INNER=1 /bin/sh backup-sqlite.sh '${database}' '${backup}'`;
    replaceCommand('node', `[ "\${INNER:-}" ] || ${other}\nexec '${process.execPath}' "$@"`);
    backUp('backup-sqlite.sh', database, backup)();
    expect(readdirSync(backup)).toEqual(['countermand.db']);
    expect(new DatabaseSync(join(backup, 'countermand.db')).prepare('SELECT * FROM t').all()).toEqual([]);
  });

  test('of Redis, if it is ended while it copies, and leaves nothing', async (context) => {
    needsRedisCli(context);
    const folder = temporaryFolder();
    const server = await startRedisIn(join(folder, 'redis'));
    const backup = join(folder, 'backup');
    replaceCommand('cp', 'mkdir "$3/appendonlydir"; kill -TERM $PPID');
    expect(backUp('backup-redis.sh', '127.0.0.1', new URL(server.url).port, backup)).toThrow();
    expect(existsSync(backup)).toBe(false);
  });

  test('of Redis, if that rewrites its files during the copy, which Redis could not load', async (context) => {
    needsRedisCli(context);
    const folder = temporaryFolder();
    const server = await startRedisIn(join(folder, 'redis'));
    const { port } = new URL(server.url);
    const backup = join(folder, 'backup');
    replaceCommand(
      'cp',
      `mkdir "$3/appendonlydir"
'${findOnPath('cp')}' "$2"/*.manifest "$3/appendonlydir"
redis-cli -p ${port} BGREWRITEAOF
while redis-cli -p ${port} INFO persistence | grep -q aof_rewrite_in_progress:1; do sleep 0.1; done
'${findOnPath('cp')}' "$2"/*.aof "$3/appendonlydir"`,
    );
    expect(backUp('backup-redis.sh', '127.0.0.1', port, backup)).toThrow('has rewritten its files');
    expect(existsSync(backup)).toBe(false);
  });

  test('of Redis, if what it copied cannot be removed either, and lets Redis rewrite its files again', async (context) => {
    needsRedisCli(context);
    const folder = temporaryFolder();
    const server = await startRedisIn(join(folder, 'redis'));
    const { port } = new URL(server.url);
    for (const name of ['cp', 'rm']) replaceCommand(name, 'exit 1');
    expect(backUp('backup-redis.sh', '127.0.0.1', port, join(folder, 'backup'))).toThrow();
    const setting = execFileSync('redis-cli', ['-p', port, 'CONFIG', 'GET', 'auto-aof-rewrite-percentage']);
    expect(setting.toString()).toBe('auto-aof-rewrite-percentage\n100\n');
  });

  /** Runs a script with a limit of the files that it may write, in place of a full disk. */
  const backUpOnFullDisk = (script: string, ...args: string[]) =>
    backUp('-c', `trap '' XFSZ; ulimit -f 100; . ./${script}`, script, ...args);

  test('where the disk is full, and leaves nothing that would be taken for a backup', async (context) => {
    needsRedisCli(context);
    const folder = temporaryFolder();
    const database = join(folder, 'countermand.db');
    new DatabaseSync(database).exec('CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(300000))');
    const backup = join(folder, 'backup');
    expect(backUpOnFullDisk('backup-sqlite.sh', database, backup)).toThrow(
      'No backup was made: disk I/O error',
    );
    expect(existsSync(backup)).toBe(false);
    const server = await startRedisIn(join(folder, 'redis'));
    const { port } = new URL(server.url);
    execFileSync('redis-cli', ['-p', port, 'SET', 'large', 'x'.repeat(100_000)]);
    expect(backUpOnFullDisk('backup-redis.sh', '127.0.0.1', port, backup)).toThrow('File too large');
    expect(existsSync(backup)).toBe(false);
  });

  test('of Redis, if another one runs, or one was cut short, unless its files are never rewritten there', async (context) => {
    needsRedisCli(context);
    const folder = temporaryFolder();
    const server = await startRedisIn(join(folder, 'redis'));
    const { port } = new URL(server.url);
    execFileSync('redis-cli', ['-p', port, 'CONFIG', 'SET', 'auto-aof-rewrite-percentage', '0']);
    const backup = join(folder, 'backup');
    expect(backUp('backup-redis.sh', '127.0.0.1', port, backup)).toThrow('is 0. Another backup runs, or one');
    expect(existsSync(backup)).toBe(false);
    vi.stubEnv('REDIS_REWRITES', 'never');
    onTestFinished(() => void vi.unstubAllEnvs());
    backUp('backup-redis.sh', '127.0.0.1', port, backup)();
    expect(existsSync(join(backup, 'appendonlydir'))).toBe(true);
    expect(backUp('backup-redis.sh', '127.0.0.1', port, backup)).toThrow(
      /\nNo backup was made: .+ exists already\.\n$/,
    );
  });

  test.each(['backup-redis.sh', 'backup-sqlite.sh'])(
    'by %s without its arguments, which says how it is used',
    (script) => {
      expect(backUp(script)).toThrow(`Usage: sh ${script} `);
    },
  );

  test('of Redis, if it cannot be reached, refuses, or keeps no such files', async (context) => {
    needsRedisCli(context);
    const folder = temporaryFolder();
    expect(backUp('backup-redis.sh', '127.0.0.1', '1', folder)).toThrow('Connection refused');
    const server = await startRedisIn(join(folder, 'redis'));
    const { port } = new URL(server.url);
    execFileSync('redis-cli', ['-p', port, 'CONFIG', 'SET', 'requirepass', 'secret']);
    expect(backUp('backup-redis.sh', '127.0.0.1', port, folder)).toThrow('NOAUTH');
    expect(existsSync(join(folder, 'appendonlydir'))).toBe(false);
  });

  /** Has `INFO persistence` answer as if a field had another value, as long as a condition of the shell holds. */
  const pretend = (from: string, to: string, condition: string) =>
    replaceCommand(
      'redis-cli',
      `if case $* in *'INFO persistence') ${condition} ;; *) false ;; esac
then '${findOnPath('redis-cli')}' "$@" | sed 's/${from}/${to}/'; else exec '${findOnPath('redis-cli')}' "$@"; fi`,
    );

  test('of Redis, if it appends to its files no more, or cannot: they lack what is newer', async (context) => {
    needsRedisCli(context);
    const folder = temporaryFolder();
    const server = await startRedisIn(join(folder, 'redis'));
    const { port } = new URL(server.url);
    const backup = join(folder, 'backup');
    execFileSync('redis-cli', ['-p', port, 'CONFIG', 'SET', 'appendonly', 'no']);
    expect(backUp('backup-redis.sh', '127.0.0.1', port, backup)).toThrow('appendonly is "no"');
    execFileSync('redis-cli', ['-p', port, 'CONFIG', 'SET', 'appendonly', 'yes']);
    pretend('aof_last_write_status:ok', 'aof_last_write_status:err', 'true');
    expect(backUp('backup-redis.sh', '127.0.0.1', port, backup)).toThrow('aof_last_write_status is not "ok"');
    expect(existsSync(backup)).toBe(false);
  });

  test('of Redis, not because it will rewrite its files soon: the backup waits', async (context) => {
    needsRedisCli(context);
    const folder = temporaryFolder();
    const server = await startRedisIn(join(folder, 'redis'));
    const asked = join(folder, 'asked');
    pretend(
      'aof_rewrite_scheduled:0',
      'aof_rewrite_scheduled:1',
      `echo >> '${asked}'; [ $(wc -l < '${asked}') = 1 ]`,
    );
    backUp('backup-redis.sh', '127.0.0.1', new URL(server.url).port, join(folder, 'backup'))();
    expect(existsSync(join(folder, 'backup/appendonlydir'))).toBe(true);
    expect(readFileSync(asked, 'utf8')).toBe('\n\n');
  });
});

test('a Redis that takes only TLS is backed up with the certificate of its authority', async (context) => {
  needsRedisCli(context);
  const tls = await startTlsRedis('IP:127.0.0.1');
  if (typeof tls === 'string') return context.skip(tls);
  onTestFinished(tls.server.stop);
  const folder = join(temporaryFolder(), 'backup');
  const backUp = (more: Record<string, string>) =>
    execFileSync('/bin/sh', ['backup-redis.sh', '127.0.0.1', `${tls.port}`, folder], {
      cwd: DEPLOY,
      env: { PATH: process.env['PATH'], ...more },
      stdio: 'pipe',
    });
  expect(() => backUp({})).toThrow();
  backUp({ REDIS_CACERT: tls.certificate });
  expect(readdirSync(folder)).toEqual(['appendonlydir']);
});

/** Answers as a Redis that rewrites its files, and writes down what it was asked. */
const REWRITING = `#!/bin/sh
echo "$*" >> "$ASKED"
case $* in
  *'GET dir') printf 'dir\\n/nowhere\\n' ;;
  *'GET appenddirname') printf 'appenddirname\\nappendonlydir\\n' ;;
  *'GET auto-aof-rewrite-percentage') printf 'auto-aof-rewrite-percentage\\n70\\n' ;;
  *'INFO persistence') printf 'aof_enabled:1\\naof_rewrite_scheduled:0\\naof_rewrite_in_progress:1\\naof_last_write_status:ok\\n' ;;
esac
`;

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a backup of Redis that %s ends lets Redis rewrite its files again',
  async (signal) => {
    const folder = temporaryFolder();
    const asked = join(folder, 'asked');
    writeFileSync(join(folder, 'redis-cli'), REWRITING, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env['PATH']}`, ASKED: asked };
    const args = ['backup-redis.sh', '127.0.0.1', '1', join(folder, 'backup')];
    const backup = spawn('/bin/sh', args, { cwd: DEPLOY, env, stdio: 'ignore' });
    const ended = once(backup, 'exit');
    await expect.poll(() => existsSync(asked) && readFileSync(asked, 'utf8')).toContain('INFO persistence');
    backup.kill(signal);
    expect(await ended).not.toContain(0);
    expect(readFileSync(asked, 'utf8').trimEnd()).toMatch(/CONFIG SET auto-aof-rewrite-percentage 70$/);
  },
);

describe('a backup of a database that is a symbolic link', () => {
  test('has the key that is beside the file, by the name under which it is restored', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'disk'));
    new DatabaseSync(join(folder, 'disk/bot.db')).exec('CREATE TABLE t (x)');
    symlinkSync('disk/bot.db', join(folder, 'linked.db'));
    writeFileSync(join(folder, 'disk/bot.db.key'), 'local:key');
    execFileSync('/bin/sh', [join(DEPLOY, 'backup-sqlite.sh'), 'linked.db', 'backup'], { cwd: folder });
    expect(readdirSync(join(folder, 'backup')).sort()).toEqual(['countermand.db', 'countermand.db.key']);
    expect(readFileSync(join(folder, 'backup/countermand.db.key'), 'utf8')).toBe('local:key');
  });
});

describe('a backup of SQLite, taken while the bot runs', () => {
  test('is enough to go on with, when the database and its key are gone', async () => {
    const folder = folderWithScripts();
    const data = join(folder, 'data');
    const storage = { STORAGE_URL: `sqlite:${join(data, 'countermand.db')}` };
    const harness = await openHarnessForOneBot();
    const bot = await harness.start(storage);
    const card = await requestReview(harness);
    await atRest(() => dueInSqlite(join(data, 'countermand.db')));

    runDocumented('Back up SQLite', folder);
    await bot.kill();
    rmSync(data, { recursive: true });
    runDocumented('Restore SQLite', folder);
    await harness.start(storage);

    await expectToGoOn(harness, card);
  });
});

describe('a backup of Redis, taken while the bot runs', () => {
  needsRedis(true);

  test('is enough to go on with, when the server and its folder are gone', async (context) => {
    needsRedisCli(context);
    const folder = folderWithScripts();
    const first = await startRedisIn(join(folder, 'first'));
    const keys = redisEnvironment({ type: 'redis', url: first.url, prefix: PREFIX });
    const harness = await openHarnessForOneBot();
    const bot = await harness.start(keys);
    const card = await requestReview(harness);
    await atRest(() => dueInRedis(first.url));

    const cli = (...args: string[]) =>
      execFileSync('redis-cli', ['-p', new URL(first.url).port, ...args], { encoding: 'utf8' });
    cli('CONFIG', 'SET', 'auto-aof-rewrite-percentage', '70');
    cli('ACL', 'SETUSER', 'admin', 'on', '>password', '~*', '&*', '+@all');
    writeFileSync(join(folder, 'redis-admin-password'), 'password\n');
    runDocumented('Back up Redis', folder, {}, { replaced: { '6379': new URL(first.url).port } });
    expect(cli('CONFIG', 'GET', 'auto-aof-rewrite-percentage')).toContain('70');
    await bot.kill();
    await first.stop();
    rmSync(join(folder, 'first'), { recursive: true });
    mkdirSync(join(folder, 'second'));
    runDocumented('Restore Redis', folder, { REDIS_DIR: join(folder, 'second') });
    const second = await startRedisIn(join(folder, 'second'));
    await harness.start({ ...keys, STORAGE_URL: `${second.url}?prefix=${PREFIX}` });

    await expectToGoOn(harness, card);
  });
});
