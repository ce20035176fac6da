import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { recordOf, shiftedClock } from '../../support/e2e/approvals.ts';
import { startDesk } from '../../support/e2e/harness.ts';

const DAY = 86_400_000;
const SOON = { firstMs: 10, everyMs: 10, lockMs: 60_000 };

/** A desk at which requests are kept for two days, and a clock that can be put forward. */
async function openDesk() {
  const { options, pass } = shiftedClock();
  const desk = await startDesk({
    ...options,
    overrides: { ...options.overrides, retention: SOON },
    env: { RETENTION_DAYS: '2' },
  });
  return { ...desk, pass };
}

describe('requests that ended long ago', () => {
  test('are removed, and those that are still open are shown to admins', async () => {
    const desk = await openDesk();
    const { storage } = await desk.terminal();
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    await desk.ask('A-2001');
    await desk.reply('A-2001', /is reviewing it/);
    await expect.poll(() => storage.requests.due(10)).toEqual([]);
    desk.pass(2 * DAY - 60_000);
    expect((await recordOf(storage, 'A-1001')).state).toBe('canceled');
    desk.pass(120_000);
    await expect.poll(() => recordOf(storage, 'A-1001').catch(() => 'gone')).toBe('gone');
    expect((await recordOf(storage, 'A-2001')).state).toBe('under_review');

    const history = async (who: typeof desk.ana) => {
      await who.command('/countermand history', { channel: '#support' });
      const shown = await who.waitForModal(({ view }) => JSON.stringify(view).includes('Any state'));
      return JSON.stringify(shown.view);
    };
    const forAdmins = await history(desk.olga);
    expect(forAdmins).toContain('1 request has been unfinished for more than 2 days');
    expect(forAdmins).toContain('A-2001');
    expect(forAdmins).not.toContain('A-1001');
    expect(await history(desk.ana)).not.toContain('Unfinished for more than');

    await desk.olga.fill({ history_age: 'overdue' });
    const open = await desk.olga.waitForModal(
      ({ view }) => !JSON.stringify(view).includes('has been unfinished'),
    );
    expect(JSON.stringify(open.view)).toContain('A-2001');
  });
});

test('a connection without a token is removed once no outcome is owed any more', async () => {
  const desk = await openDesk();
  const { connections, disconnect } = await desk.terminal();
  await desk.ask('A-2001');
  await desk.reply('A-2001', /is reviewing it/);
  expect(await disconnect(SEED.team)).toMatchObject({ type: 'disconnected', pending: true });
  expect(await Array.fromAsync(connections.ids())).toEqual([SEED.team]);
  desk.service.approve('A-2001');
  await desk.reply('A-2001', /approved/);
  await expect.poll(() => Array.fromAsync(connections.ids())).toEqual([]);
});
