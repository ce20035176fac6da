import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadOutside } from '../../src/compose/adapters.ts';
import { createContext } from '../../src/compose/context.ts';
import { createScheduledTasks } from '../../src/compose/scheduled-tasks.ts';
import { readConfig } from '../../src/config.ts';
import { NO_WORKSPACE } from '../../src/outbox/record-store.ts';
import { auditEntry } from '../../src/requests/store/audit-trail.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

/** The environment of a bot that never calls anybody. */
const ENVIRONMENT = {
  PUBLIC_URL: 'https://bot.example',
  ORDER_SERVICE_URL: 'https://orders.example',
  SLACK_SIGNING_SECRET: 'secret',
  SLACK_BOT_TOKEN: 'xoxb-1',
};

/**
 * Creates the scheduled tasks of a bot. The hourly one runs at once.
 *
 * @param broken the parts of the storage to replace
 * @param env variables to add to the environment
 */
async function setUp(
  broken: (storage: Storage) => Partial<Storage> = () => ({}),
  env: Record<string, string> = {},
) {
  const url = `sqlite:${join(temporaryFolder(), 'bot.db')}`;
  const config = readConfig({ ...ENVIRONMENT, STORAGE_URL: url, ...env }, false);
  const stopping = new AbortController();
  const errors: string[] = [];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (_: object, text: string) => void errors.push(text),
  };
  let scrubs = 0;
  const outside = await loadOutside(config);
  const openStorage: typeof outside.openStorage = (given) => {
    const opened = outside.openStorage(given);
    const scrub = async () => {
      scrubs += 1;
      await opened.storage.scrub();
    };
    const storage = { ...opened.storage, scrub };
    return { ...opened, storage: { ...storage, ...broken(storage) } };
  };
  const retention = { firstMs: 0, everyMs: 3_600_000, claimMs: 60_000 };
  const context = createContext({
    config,
    log,
    stopping: stopping.signal,
    overrides: { retention },
    outside: { ...outside, openStorage },
  });
  const nothing = async () => {};
  const tasks = createScheduledTasks(context, { findMissedUninstalls: nothing, checkPaused: nothing });
  const stop = async () => void (await Promise.all(tasks.map((each) => each.stop())));
  onTestFinished(async () => {
    await stop();
    await context.slack.stop(Promise.resolve());
    await context.adapters.close();
  });
  return {
    ...context.adapters,
    start: () => {
      for (const each of tasks) each.start();
    },
    stop,
    stopping,
    errors,
    scrubs: () => scrubs,
  };
}

describe('the hourly task', () => {
  test('removes what an interrupted connect and an interrupted uninstall have left, and used states whose time is over', async () => {
    const { storage, connections, installations, usedStates, start, errors, scrubs } = await setUp();
    const { create } = storage.connections;
    storage.connections.create = () => Promise.reject(new Error('cut short'));
    const how = { tokenKind: 'rest', exclusive: false, connectedBy: 'U1', connectedAt: 1 } as const;
    const named = { workspace: 'T1', token: 'token-4711', generation: 'g', endpoint: 'e', secret: 's' };
    await expect(connections.save({ ...how, ...named }, undefined)).rejects.toThrow('cut short');
    storage.connections.create = create;
    await installations.claim('T9', 'removing', { ms: 0 });
    await usedStates.use('state', 0);
    start();
    await expect.poll(scrubs).toBe(1);
    const holders = (await storage.tokens.list(NO_WORKSPACE, { limit: 10 })).map((each) => each.holders);
    expect(holders).toEqual([[]]);
    expect(await storage.installations.workspaces({ after: undefined, limit: 10 })).toEqual([]);
    expect(await usedStates.isUsed('state')).toBe(false);
    expect(errors).toEqual([]);
  });

  test.each([
    ['there is no audit stream', {}, []],
    ['the audit stream does not have it yet', { AUDIT_FILE: '-' }, ['T1']],
  ])(
    'removes an old entry of the audit trail, unless it is still to be streamed: %s',
    async (_when, env, left) => {
      const { storage, start, scrubs } = await setUp(undefined, env);
      await storage.auditEntries.create(
        auditEntry({ workspace: 'T1', id: 'a', at: 1, by: ['U1'], act: 'paused' }),
      );
      start();
      await expect.poll(scrubs).toBe(1);
      expect(await storage.auditEntries.workspaces({ after: undefined, limit: 10 })).toEqual(left);
    },
  );

  test('does its other parts though one of them fails', async () => {
    const due = () => Promise.reject(new Error('cannot be read'));
    const { start, errors, scrubs } = await setUp(({ usedStates }) => ({
      usedStates: { ...usedStates, due },
    }));
    start();
    await expect.poll(scrubs).toBe(1);
    expect(errors).toEqual(['expired records not removed']);
  });

  test('begins no further part once the bot stops', async () => {
    const isStopped = Promise.withResolvers<void>();
    const { start, stop, stopping, scrubs } = await setUp(({ usedStates }) => ({
      usedStates: {
        ...usedStates,
        async due() {
          stopping.abort();
          isStopped.resolve();
          return [];
        },
      },
    }));
    start();
    await isStopped.promise;
    await stop();
    expect(scrubs()).toBe(0);
  });
});

test('a stop waits for the checks of the start, which read the storage', async () => {
  const held = Promise.withResolvers<string[]>();
  const { start, stop } = await setUp(({ installations }) => ({
    installations: { ...installations, workspaces: () => held.promise },
  }));
  start();
  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  held.resolve([]);
  await stopped;
});
