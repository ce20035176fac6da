/** Two versions of Countermand on one storage: the way up, the way back, and the end of the way back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { appAddress } from '../../../sandbox/environment.ts';
import { type BotProcess, startBot } from '../../../sandbox/lib/bot-process.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { createRedisClient } from '../../../src/storage/redis/connection/connection.ts';
import { recordKeys } from '../../../src/storage/redis/keys.ts';
import { redisEnvironment } from '../../support/e2e/storage.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { startPair } from '../../support/redis/redis-sentinel.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { openProcessHarness } from '../support/harness.ts';
import { bundleOfNextVersion, NEXT_VERSION } from '../support/versions.ts';

const PREFIX = 'countermand';
const FOLDER = mkdtempSync(join(tmpdir(), 'countermand-next-'));
const TOO_OLD = /needs a newer version of Countermand \(storage version \d+; this one has \d+\)\. Start that/;

let next = '';

beforeAll(async () => {
  next = await bundleOfNextVersion(FOLDER);
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** Both versions over one storage. The functions that it returns choose which of them Slack sends new requests to. */
async function twoVersions(storage: Record<string, string>) {
  const [port, other] = [await freePort(), await freePort()];
  const harness = await openProcessHarness(port);
  const { slack } = harness;
  const bundles = { old: inject('bundle'), next };
  const ports = { old: port, next: other };
  const person = slack.person('ana');
  type Which = keyof typeof bundles;
  return {
    connect: harness.connect,
    start: (which: Which) => harness.start(ports[which], storage, [], bundles[which]),
    goTo: (which: Which) => slack.connectApp(appAddress(ports[which], 'http')),
    /** Runs a terminal command. */
    async run(which: Which, ...args: string[]) {
      const needed = {
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        SLACK_SIGNING_SECRET: 'signing-secret',
        SLACK_BOT_TOKEN: 'xoxb-1',
      };
      const env = { ...needed, ORDER_SERVICE_URL: 'http://127.0.0.1:1', ...storage };
      const command = startBot(bundles[which], env, args);
      return { code: await command.ended, output: command.output() };
    },
    async cancel(order: string) {
      await person.command(`/cancel-order ${order} Ordered twice`, { channel: '#support' });
      await person.waitForModal();
      await person.submit();
      const isDone = new RegExp(`Order ${order} is cancelled`);
      await slack.waitForMessage({ channel: '#support', text: isDone });
    },
  };
}

/** Waits until a bot has ended by itself, and returns what it said about that. */
async function endOf(bot: BotProcess): Promise<string[]> {
  expect(await bot.ended).toBe(1);
  const lines = bot.output().trim().split('\n');
  return lines.map((line) => JSON.parse(line).msg).filter((line) => TOO_OLD.test(line));
}

describe('replicas of two versions over one Redis', () => {
  needsRedis(true);

  test('work side by side until the storage is upgraded; then the older one says so and stops', async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    const versions = await twoVersions(redisEnvironment({ type: 'redis', url: redis.url, prefix: PREFIX }));
    const { goTo, cancel, run } = versions;
    const old = await versions.start('old');
    await versions.connect();
    await cancel('A-1001');
    const newer = await storeNewerRecord(redis.url);
    const next = await versions.start('next');
    goTo('next');
    await cancel('A-1002');
    goTo('old');
    await cancel('A-1003');
    await expect.poll(old.output).toContain('"request":"from-the-future"');
    expect(await newer.read()).toBe(newer.text);

    const shown = await run('next', 'upgrade-storage');
    expect(shown).toMatchObject({ code: 0, output: expect.stringContaining('again with --yes') });
    expect(old.child.exitCode).toBeNull();
    expect(await run('next', 'upgrade-storage', '--yes')).toMatchObject({ code: 0 });
    expect(await endOf(old)).toHaveLength(1);
    goTo('next');
    await cancel('A-1004');
    await next.kill('SIGTERM');
    await expect(versions.start('old')).rejects.toThrow(TOO_OLD);
    expect(await run('old', 'doctor')).toMatchObject({ code: 1, output: expect.stringMatching(TOO_OLD) });
  });

  test('are not told that the storage is upgraded before all replicas of Redis know it', async () => {
    const { master, replica } = await startPair();
    const { run } = await twoVersions(redisEnvironment({ type: 'redis', url: master.url, prefix: PREFIX }));
    expect(await run('old', 'audit')).toMatchObject({ code: 0 });
    replica.pause();
    expect(await run('next', 'upgrade-storage', '--yes')).toEqual({
      code: 1,
      output: expect.stringMatching(/^Not all replicas of Redis have confirmed/),
    });
  });
});

test('one process goes up and back on one file, until that is upgraded', async () => {
  const versions = await twoVersions({ STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}` });
  const { goTo, cancel, run } = versions;
  const use = async (which: 'old' | 'next', order: string) => {
    goTo(which);
    const bot = await versions.start(which);
    if (order === 'A-1001') await versions.connect();
    await cancel(order);
    await bot.kill('SIGTERM');
  };
  await use('old', 'A-1001');
  await use('next', 'A-1002');
  await use('old', 'A-1003');
  const { output } = await run('next', 'upgrade-storage', '--yes');
  expect(output).toContain(`needs this version from now on (storage version ${NEXT_VERSION})`);
  await expect(versions.start('old')).rejects.toThrow(TOO_OLD);
  await use('next', 'A-1004');
  expect((await run('next', 'audit')).output).toMatch(
    /terminal {2}upgraded_storage {2}\d+ -> \d+ {2}complete/,
  );
});

/** Stores a due request that no version knows how to read, as a later one might. */
async function storeNewerRecord(url: string) {
  const client = createRedisClient({ url });
  await client.connect();
  onTestFinished(() => client.destroy());
  const { records, due, waiting } = recordKeys(PREFIX, 'requests');
  const workspace = SEED.team;
  const id = 'from-the-future';
  const key = `${records(workspace)}${id}`;
  const text = JSON.stringify({ workspace, id, version: 1, state: 'teleported' });
  await client.hSet(key, { record: text, version: '1', slot: '', subjects: '[]', place: '' });
  await client.zAdd(due(workspace), { score: 1, value: id });
  await client.zAdd(waiting, { score: 1, value: workspace });
  return { text, read: () => client.hGet(key, 'record') };
}
