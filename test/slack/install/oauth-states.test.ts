import { join } from 'node:path';
import { ClearStateStore } from '@slack/oauth';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { createStates } from '../../../src/slack/install/oauth-states.ts';
import { openRedisStorage } from '../../../src/storage/redis/open.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { StorageAddress } from '../../../src/storage/storage-address.ts';
import { createSingleUse, type SingleUse } from '../../../src/workspaces/single-use.ts';
import { emptyRedis, needsRedis } from '../../support/redis/redis.ts';
import { readRaw } from '../../support/storage/raw-storage.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

const SECRET = 'a secret of thirty-two characters';
const TEN_MINUTES = 600_000;
const OPTIONS = { scopes: ['commands'], redirectUri: 'https://bot.example/slack/oauth_redirect' };

needsRedis();

type Opened = { storage: Storage; address: StorageAddress };

const STORAGES: Record<string, () => Promise<Opened>> = {
  SQLite: async () => {
    const path = join(temporaryFolder(), 'bot.db');
    return { storage: openSqliteStorage(path), address: { type: 'sqlite', path } };
  },
  Redis: async () => {
    const address = await emptyRedis();
    return { storage: openRedisStorage(address), address };
  },
};

/** Two replicas with one storage. */
async function openStates(open = STORAGES['SQLite']) {
  if (!open) throw new Error('There is no such storage.');
  const { storage, address } = await open();
  onTestFinished(storage.close);
  await storage.open(SILENT);
  const uses = createSingleUse(storage.usedStates);
  const states = () => createStates(SECRET, uses);
  const stored = async () => (await readRaw(address)).filter((line) => line.includes('used_states'));
  return { one: states(), other: states(), uses, stored };
}

describe('the state of an installation', () => {
  test('is good once, at whichever replica, and gives back what it was made for', async () => {
    const { one, other } = await openStates();
    const state = await one.generateStateParam(OPTIONS, new Date());
    expect(await other.judge(state)).toBe('fresh');
    expect(await other.verifyStateParam(new Date(), state)).toEqual(OPTIONS);
    await expect(one.verifyStateParam(new Date(), state)).rejects.toThrow('used before');
    expect(await one.judge(state)).toBe('used');
  });

  test.each(Object.keys(STORAGES))(
    'lets through one of several that come with it at once: %s',
    async (name) => {
      const { one, other } = await openStates(STORAGES[name]);
      const state = await one.generateStateParam(OPTIONS, new Date());
      const tries = [one, other, one, other].map((states) => states.verifyStateParam(new Date(), state));
      const outcomes = (await Promise.allSettled(tries)).map(({ status }) => status);
      expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(1);
    },
  );

  test('leaves nothing in the storage until it comes back', async () => {
    const { one, uses, stored } = await openStates();
    const state = await one.generateStateParam(OPTIONS, new Date());
    await one.judge(state);
    await expect(one.verifyStateParam(new Date(), 'made up')).rejects.toThrow();
    expect(await stored()).toEqual([]);
    await one.verifyStateParam(new Date(), state);
    expect(await stored()).not.toEqual([]);
    expect((await stored()).join()).not.toContain(state);
    await uses.sweep();
    expect(await one.judge(state)).toBe('used');
  });

  test('is not remembered for longer than it could be used', async () => {
    const { uses, stored } = await openStates();
    const asked: number[] = [];
    const noted: SingleUse = {
      ...uses,
      use(name, ms) {
        asked.push(ms);
        return uses.use(name, -1);
      },
    };
    const states = createStates(SECRET, noted);
    await states.verifyStateParam(new Date(), await states.generateStateParam(OPTIONS, new Date()));
    expect(asked).toEqual([2 * TEN_MINUTES]);
    await uses.sweep();
    expect(await stored()).toEqual([]);
  });

  test('is over after ten minutes, and not before', async () => {
    const { one: states } = await openStates();
    const madeBefore = (ms: number) => states.generateStateParam(OPTIONS, new Date(Date.now() - ms));
    // The time that a slow machine takes is no part of it.
    expect(await states.judge(await madeBefore(TEN_MINUTES - 60_000))).toBe('fresh');
    const state = await madeBefore(TEN_MINUTES + 1_000);
    await expect(states.verifyStateParam(new Date(), state)).rejects.toThrow('expired');
    expect(await states.judge(state)).toBe('expired');
  });

  test.each(['', 'nonsense', 'a.b.c'])('is not whatever somebody makes up: "%s"', async (state) => {
    const { one: states } = await openStates();
    await expect(states.verifyStateParam(new Date(), state)).rejects.toThrow();
    expect(await states.judge(state)).toBe('forged');
  });

  test('is refused if another secret has signed it', async () => {
    const { one: states } = await openStates();
    const foreign = await new ClearStateStore('another secret').generateStateParam(OPTIONS, new Date());
    expect(await states.judge(foreign)).toBe('forged');
    await expect(states.verifyStateParam(new Date(), foreign)).rejects.toThrow();
  });
});
