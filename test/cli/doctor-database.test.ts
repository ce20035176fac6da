/** doctor says that the bot creates a missing database only if the bot can, and checks one that is there. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkStorage, noDatabase } from '../../src/cli/doctor/storage.ts';
import { readConfig } from '../../src/config.ts';
import { NO_WORKSPACE } from '../../src/outbox/record-store.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { withAdapters } from '../support/storage/with-adapters.ts';

test.each([
  ['data/bot.db', 'data', 'unmounted'],
  ['bot.db', 'bot.db', 'unmounted/bot.db'],
])('a database behind a link that leads nowhere is a problem: %s', async (name, link, target) => {
  const folder = temporaryFolder();
  symlinkSync(join(folder, target), join(folder, link));
  const path = join(folder, name);
  const problem = `The database ${path} (STORAGE_URL) cannot be created.`;
  expect(await noDatabase(path)).toMatchObject({
    status: 'problem',
    text: expect.stringContaining(problem),
  });
  expect(() => openDatabase(path)).toThrow();
});

test.each([
  ['in a folder that is missing', 'data/deep/bot.db', 'unused'],
  ['behind a link into a folder', 'bot.db', 'bot.db'],
  ['behind a link to a folder', 'data/bot.db', 'data'],
])('a database %s is created by the bot, and not by doctor', async (_where, name, link) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'disk'));
  symlinkSync(link === 'data' ? 'disk' : 'disk/bot.db', join(folder, link));
  const path = join(folder, name);
  expect(await noDatabase(path)).toMatchObject({ status: 'warning' });
  expect([readdirSync(folder), readdirSync(join(folder, 'disk'))]).toEqual([['disk', link].sort(), []]);
  openDatabase(path).close();
});

const configOf = () =>
  readConfig(
    {
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: 'secret',
      PUBLIC_URL: 'https://bot.example/',
      ORDER_SERVICE_URL: 'https://orders.example/',
      STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}`,
    },
    false,
  );

test('a storage is usable if it refuses a late write, and nothing is left of the check', () =>
  withAdapters(configOf(), async ({ storage, ...adapters }) => {
    const { recentRequests } = storage;
    expect(await checkStorage({ ...adapters, storage })).toMatchObject({ isUsable: true });
    const update = async () => ({ type: 'updated' as const, version: 2 });
    const overwriting = { ...storage, recentRequests: { ...recentRequests, update } };
    expect(await checkStorage({ ...adapters, storage: overwriting })).toMatchObject({
      isUsable: false,
      findings: [{ status: 'problem', text: expect.stringContaining('written over') }],
    });
    expect(await recentRequests.count(NO_WORKSPACE)).toBe(0);
  }));
