/** Requests in shared channels only if an admin allows them. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { buttonsOf, setPolicy } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { openSettings } from '../../support/e2e/policy-modal.ts';
import {
  allow,
  cancelOrder,
  holdsNoReason,
  REQUEST_REASON,
  share,
  shows,
  support,
  team,
  theirs,
} from '../../support/e2e/shared-channels.ts';

describe('whether requests may be posted in shared channels', () => {
  test('is for admins to allow, and not allowed before', async () => {
    const harness = await startHarness();
    const before = await openSettings(harness);
    expect(before.values['shared_channels']).toEqual([]);
    await harness.olga.submit({ shared_channels: ['Requests may be posted there'] });
    const after = await openSettings(harness);
    expect(after.values['shared_channels']).toEqual(['shared_channels']);
    await harness.olga.submit({ shared_channels: [] });
    const { settings } = await harness.terminal();
    expect((await settings.read(team)).sharedChannels).toBeUndefined();
  });

  test('is known of a channel at once when it is shared, though it was looked at just before', async () => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order . x', { channel: '#support' });
    await harness.ana.waitForModal();
    expect((await harness.ana.submit()).errors).toEqual({ target: expect.any(String) });
    share(harness);
    await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
    const { errors } = await harness.ana.submit({ target: 'A-1001' });
    expect(errors).toEqual({ channel: expect.stringContaining('shared with another company') });
  });

  test('says nothing of the channels for notifications and approvals: those stay the company’s own', async () => {
    const harness = await startHarness();
    await allow(harness);
    await openSettings(harness);
    await harness.olga.fill({ notifications: support });
    share(harness);
    const { errors } = await harness.olga.submit();
    expect(errors).toEqual({ notifications: expect.stringContaining('shared with another company') });
  });
});

describe('the requester', () => {
  const line = 'This channel is shared with another company';
  const says = (text: string) => (modal: { view: unknown }) => JSON.stringify(modal.view).includes(text);

  test.each([
    [true, 'but no reasons'],
    [false, 'so your request cannot be posted there'],
  ])('reads as the form opens that the channel is shared (allowed: %s)', async (allowed, text) => {
    const harness = await startHarness();
    if (allowed) await allow(harness);
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#partners' });
    const { values } = await harness.ana.waitForModal(says(text));
    expect(values['channel']).toBe(SEED.channels.partners);
    const { outcome, errors } = await harness.ana.submit();
    expect(outcome).toBe(allowed ? 'closed' : 'errors');
    expect(Object.keys(errors)).toEqual(allowed ? [] : ['channel']);
  });

  test('reads it when they choose such a channel, and all that they have typed stays', async () => {
    const harness = await startHarness();
    await allow(harness);
    await harness.ana.command('/cancel-order', { channel: '#support' });
    await harness.ana.waitForModal();
    const typed = { target: 'A-1001', reason: REQUEST_REASON, reason_choice: 'Wrong address' };
    await harness.ana.fill({ ...typed, channel: SEED.channels.partners });
    const notice = await harness.ana.waitForModal(says(line));
    expect(notice.values).toMatchObject({ ...typed, channel: SEED.channels.partners });
    await harness.ana.fill({ channel: support });
    const again = await harness.ana.waitForModal((modal) => !says(line)(modal));
    expect(again.values).toMatchObject({ ...typed, channel: support });
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('reads nothing of it, and can make requests all the same, while Slack does not tell of the channel', async () => {
    const harness = await startHarness();
    harness.slack.faults.schedule({
      on: 'conversations.info',
      fault: { type: 'status', status: 500 },
      times: 2,
    });
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await harness.ana.waitForModal();
    await harness.ana.fill({ channel: support });
    await harness.journal.waitFor(
      ({ name, response }) => name === 'conversations.info' && response?.status === 500,
    );
    expect(harness.ana.modal()?.values).toMatchObject({ target: 'A-1001', reason: 'x' });
  });
});

test('a request that is sent again from a shared channel needs no second permission', async () => {
  const harness = await startHarness();
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
  await cancelOrder(harness, 'A-1001');
  await harness.reply('A-1001', /refused/);
  share(harness);
  const card = await shows(harness, await harness.card('A-1001'), (shown) => !shown.includes(REQUEST_REASON));
  expect(buttonsOf(card)).toContain('Retry');
  await setPolicy(harness);
  await harness.ana.click('Retry', card);
  await harness.shows('A-1001', /Waiting for/);
  await harness.slack.person('cara').click('Approve', card);
  await harness.reply('A-1001', /is cancelled/);
  holdsNoReason(theirs(harness));
});
