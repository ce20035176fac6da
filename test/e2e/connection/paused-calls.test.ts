/** A 401 pauses the calls of a workspace, and nobody has to paste a token if it is accepted again. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type HarnessOptions, startHarness } from '../../support/e2e/harness.ts';
import { cancellations, countNotices, waitForNotice } from '../../support/e2e/refused-token.ts';
import { isTold } from '../../support/e2e/told.ts';

const NOT_ACCEPTED = "no longer accepts this workspace's token";
const UNAUTHORIZED = { code: 'UNAUTHORIZED', message: 'No' };
const REFUSED = { type: 'status', status: 401, body: UNAUTHORIZED } as const;

/** The token is checked soon, again and again. */
const SOON = {
  pausedTokens: { firstMs: 1, everyMs: 20, claimMs: 60_000 },
  tokenPause: { firstMs: 1, longestMs: 60_000 },
};

/** A workspace whose calls are paused by a single 401. */
async function paused(options: HarnessOptions = {}, prepare?: (harness: Started) => void) {
  const harness = await startHarness(options);
  prepare?.(harness);
  harness.service.faults.schedule({ on: 'cancel_order', fault: REFUSED });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /refused this workspace's token/);
  return harness;
}
type Started = Awaited<ReturnType<typeof startHarness>>;

async function retry(harness: Started) {
  await harness.ana.click('Retry', await harness.card('A-1001'));
  await harness.reply('A-1001', /is cancelled/);
}

const reads = ({ olga }: Started, text: string) => olga.waitForModal({ text });

describe('calls that a 401 has paused', () => {
  test('go on by themselves once the order service accepts the token again', async () => {
    const fault = { type: 'hold', when: 'before' } as const;
    const checks: { release: () => void }[] = [];
    const harness = await paused({ overrides: SOON }, ({ service }) =>
      checks.push(service.faults.schedule({ on: 'get_sub_brands', fault })),
    );
    await isTold(harness.ana, '/cancel-order A-1002 x', NOT_ACCEPTED);
    for (const check of checks) check.release();
    await expect.poll(harness.logged.text).toContain('"checked":"open"');
    await retry(harness);
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
    expect(cancellations(harness)).toBe(3);
  });

  test('go on where an admin asks, from the notice', async () => {
    const harness = await paused();
    const notice = await waitForNotice(harness, 'olga');
    await harness.olga.click('Try the token again', notice);
    await reads(harness, 'did not refuse the token when it was checked last');
    await harness.olga.closeModal();
    await retry(harness);
    expect(countNotices(harness, 'olga', 'oscar')).toEqual({ olga: 1, oscar: 1 });
  });

  test('stay paused where the token is still refused: the admin who asked from the form reads so', async () => {
    const harness = await paused();
    await harness.openConnect();
    await reads(harness, 'so calls are paused');
    harness.service.faults.schedule({ on: 'get_sub_brands', fault: REFUSED });
    await harness.olga.click('Try the token again');
    await reads(harness, 'still refuses the token');
    await isTold(harness.ana, '/cancel-order A-1002 x', NOT_ACCEPTED);
    expect(cancellations(harness)).toBe(1);
  });

  test('go on where an admin asks, from the form, which then no longer says that the token is refused', async () => {
    const harness = await paused();
    await harness.openConnect();
    await reads(harness, 'so calls are paused');
    await harness.olga.fill({ exclusive: ['exclusive'] });
    await harness.olga.click('Try the token again');
    await reads(harness, 'did not refuse the token when it was checked last');
    await harness.olga.closeModal();
    const { view, values } = await reads(harness, 'did not refuse the token when it was checked last');
    expect(JSON.stringify(view)).not.toContain('so calls are paused');
    expect(values).toMatchObject({ exclusive: ['exclusive'] });
    await harness.olga.submit({ token: harness.service.issueToken() });
    await reads(harness, 'is connected');
  });

  test('go on, and the form, when it is drawn late, does not cover what came of submitting it', async () => {
    const harness = await paused();
    const updates = () => harness.journal.entries(({ name }) => name === 'views.update').length;
    await harness.openConnect();
    await reads(harness, 'so calls are paused');
    const fault = { type: 'hold', when: 'before' } as const;
    const held = harness.slack.faults.schedule({ on: 'views.update', fault });
    await harness.olga.click('Try the token again');
    await held.reached;
    await harness.olga.closeModal();
    await harness.olga.submit({ token: harness.service.issueToken() });
    await reads(harness, 'is connected');
    const before = updates();
    held.release();
    await expect.poll(updates).toBeGreaterThan(before);
    expect(JSON.stringify(harness.olga.modal()?.view)).toContain('is connected');
  });

  test('go on where Slack opens no modal: the admin reads the result directly', async () => {
    const harness = await paused();
    const notice = await waitForNotice(harness, 'olga');
    harness.slack.faults.schedule({ on: 'views.open', fault: { type: 'error', code: 'expired_trigger_id' } });
    await harness.olga.click('Try the token again', notice);
    await harness.olga.waitForDirectMessage(({ text }) => text.includes('did not refuse the token'));
    await retry(harness);
  });

  test('are not said to go on by the notice of a former token, while an admin has paused sending', async () => {
    const harness = await paused();
    const notice = await waitForNotice(harness, 'olga');
    await harness.connect({ token: harness.service.issueToken(), events_secret: 'replace' });
    const { settings } = await harness.terminal();
    await settings.pause(SEED.team, { by: harness.olga.id });
    await harness.olga.click('Try the token again', notice);
    await reads(harness, 'This workspace has no refused token, so there was nothing to try.');
  });

  test('are of no concern to somebody who is no admin', async () => {
    const harness = await paused();
    const notice = await waitForNotice(harness, 'olga');
    const before = harness.service.calls();
    harness.slack.admin.setRole(harness.olga.id, 'member');
    await harness.olga.click('Try the token again', notice);
    await reads(harness, 'Only admins and owners');
    expect(harness.service.calls()).toEqual(before);
  });
});
