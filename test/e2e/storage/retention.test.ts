import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { byId, NO_WORKSPACE, NOT_STORED } from '../../../src/outbox/record-store.ts';
import { requestDueAt } from '../../../src/requests/model/pending-effects.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { createSingleUse } from '../../../src/workspaces/single-use.ts';
import { recordOf } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';
import { needsStorage, STORAGES, type StorageKind } from '../../support/e2e/storage.ts';

const DAY = 86_400_000;
const SOON = { firstMs: 10, everyMs: 10, claimMs: 60_000 };

/** Starts a bot that keeps requests for two days, with a clock that can be advanced. */
async function openHarness(storage: StorageKind) {
  const { options, pass } = shiftedClock();
  const harness = await startHarness({
    ...options,
    storage,
    overrides: { ...options.overrides, retention: SOON },
    env: { RETENTION_DAYS: '2' },
  });
  return { ...harness, pass };
}

describe.each(STORAGES)('with %s', (storage) => {
  needsStorage(storage);

  test('requests that ended long ago are removed, and those that are still open stay, and are shown', async () => {
    const harness = await openHarness(storage);
    const { storage: stored } = await harness.terminal();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /is reviewing it/);
    harness.pass(120_000);
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
    const dueAt = async (order: string) => requestDueAt(await recordOf(stored, order), TIMINGS);
    for (const order of ['A-1001', 'A-2001', 'A-1002']) await expect.poll(() => dueAt(order)).toBeUndefined();
    harness.pass(2 * DAY - 60_000);
    await expect.poll(() => recordOf(stored, 'A-1001').catch(() => 'gone')).toBe('gone');
    expect((await recordOf(stored, 'A-1002')).state).toBe('canceled');
    expect((await recordOf(stored, 'A-2001')).state).toBe('under_review');

    await harness.olga.command('/countermand history', { channel: '#support' });
    const { view } = await harness.olga.waitForModal(({ title }) => title === 'Requests');
    expect(JSON.stringify(view)).toContain('A-2001');
    expect(JSON.stringify(view)).not.toContain('A-1001');
  });

  test('a button on the card of a request that was removed says what may have become of the request', async () => {
    const harness = await openHarness(storage);
    const { storage: stored } = await harness.terminal();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    const card = await harness.shows('A-1001', /is cancelled/);
    await expect.poll(() => stored.requests.due(10)).toEqual([]);
    harness.pass(2 * DAY + 60_000);
    await expect.poll(() => recordOf(stored, 'A-1001').catch(() => 'gone')).toBe('gone');
    await harness.ana.click('Reply to the customer', card);
    await harness.ana.waitForModal({
      text: 'I cannot find this request: it may have ended long ago and been removed. Nothing was changed.',
    });
  });

  test('a connection without a token is removed once no outcome is owed any more', async () => {
    const harness = await openHarness(storage);
    const { connections, disconnect } = await harness.terminal();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /is reviewing it/);
    expect(await disconnect(SEED.team, SEED.users.olga)).toMatchObject({
      type: 'disconnected',
      pending: true,
    });
    expect(await Array.fromAsync(connections.ids())).toEqual([SEED.team]);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    await expect.poll(() => Array.fromAsync(connections.ids())).toEqual([]);
  });

  test('what cannot be read keeps nothing else from being removed', async () => {
    const { storage: stored } = await (await openHarness(storage)).terminal();
    const unreadable = {
      workspace: NO_WORKSPACE,
      id: 'fingerprint',
      version: NOT_STORED,
      holders: {},
    } as never;
    await stored.tokens.create(byId(unreadable));
    const states = createSingleUse(stored.usedStates);
    await states.use('state', 1);
    await expect.poll(() => states.isUsed('state')).toBe(false);
  });
});
