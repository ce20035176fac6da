/** "Request again": a new request, in a form that is filled in as for one that came to nothing. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { NO, recordOf, startApprovals, YES } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import {
  cancelOrder,
  cardOf,
  everSent,
  holdsNoReason,
  share,
  startShared,
  theirs,
} from '../../support/e2e/shared-channels.ts';

const AGAIN = 'Request again';

describe('a request that was declined', () => {
  async function startDeclined() {
    const harness = await startApprovals();
    await harness.cancelOrder('A-1001', { reason: 'Ordered twice: PO 7' });
    harness.cara.react(NO, await harness.votedOn('A-1001'));
    await harness.reply('A-1001', /declined/);
    return { ...harness, declined: await harness.shows('A-1001', /declined/) };
  }

  test('is requested again with its order, reason and channel, and needs approval as if there had been no other', async () => {
    const harness = await startDeclined();
    const { ana, cara, declined, service } = harness;
    await ana.click(AGAIN, declined);
    const { title, values } = await ana.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    expect(title).toBe('Cancel an order');
    expect(values).toEqual({
      target: 'A-1001',
      reason_choice: 'Ordered twice',
      reason: 'PO 7',
      channel: SEED.channels.support,
    });
    expect((await ana.submit()).outcome).toBe('closed');
    const anew = await harness.slack.waitForMessage(
      ({ text, ts }) => text.startsWith('Cancel order A-1001') && ts > declined.ts,
    );
    const { storage } = await harness.terminal();
    const record = await recordOf(storage, 'A-1001');
    expect(record).toMatchObject({ state: 'awaiting_approval', reason: 'Ordered twice: PO 7' });
    expect(record.approval?.votes).toEqual([]);
    expect(service.calls({ operation: 'cancel_order' })).toEqual([]);
    cara.react(YES, anew);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('by somebody else is theirs', async () => {
    const harness = await startDeclined();
    const { ben, declined } = harness;
    await ben.click(AGAIN, declined);
    await ben.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    expect((await ben.submit()).outcome).toBe('closed');
    const { storage } = await harness.terminal();
    expect(await recordOf(storage, 'A-1001')).toMatchObject({
      requester: ben.id,
      reason: 'Ordered twice: PO 7',
    });
  });

  test('while another request for the order is open, leads to that one', async () => {
    const harness = await startDeclined();
    const { ana, declined } = harness;
    await harness.cancelOrder('A-1001', { who: harness.ben });
    await ana.click(AGAIN, declined);
    await ana.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    await ana.submit();
    const { view } = await ana.waitForModal({ text: 'already an open' });
    expect(JSON.stringify(view)).toContain('yours was not created');
  });

  test('is not for whoever may make no request: they read why, and there is no form', async () => {
    const harness = await startDeclined();
    const { ben, declined } = harness;
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { requesters: SEED.groups.approvers });
    await ben.click(AGAIN, declined);
    const { view } = await ben.waitForModal({ text: `Only members of <!subteam^${SEED.groups.approvers}>` });
    expect(view.submit).toBeNull();
  });
});

describe('a request that the order service refused', () => {
  test('is corrected and requested again, in the thread of the message that it was made from', async () => {
    const harness = await startHarness();
    const { ana, ben, slack } = harness;
    const { support } = SEED.channels;
    const { ts } = ben.say('Please cancel A-9999', { channel: support });
    await ana.messageShortcut('message_cancel_order', { channel: support, ts });
    await ana.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    await ana.submit({ target: 'A-<9', reason_choice: 'Ordered twice' });
    const refused = await ana.waitForDirectMessage(({ text }) => /Cancel order A-&lt;9.*refused/s.test(text));
    await ana.click('Edit and request again', refused);
    const form = await ana.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    expect(form.values).toMatchObject({ target: 'A-<9', reason_choice: 'Ordered twice' });
    expect(JSON.stringify(form.view)).toContain('in the thread of the message');
    expect((await ana.submit({ target: 'A-1001' })).outcome).toBe('closed');
    await slack.waitForMessage(
      (message) => message.thread_ts === ts && /Order A-1001 is cancelled/.test(message.text),
    );
  });

  test('and is sent again by somebody else meanwhile, is not requested again', async () => {
    const harness = await startHarness();
    const { ana, ben, service, slack } = harness;
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /refused/);
    const card = await harness.shows('A-1001', /refused/);
    const updating = slack.faults.schedule({ on: 'chat.update', fault: { type: 'hold', when: 'before' } });
    await ben.click('Retry', card, { confirm: true });
    await updating.reached;
    await ana.click(AGAIN, card);
    await ana.waitForModal({ text: 'There is nothing to request again, because' });
    updating.release();
    await harness.reply('A-1001', /is cancelled/);
  });
});

describe('a request whose card Slack does not take in the thread of a message', () => {
  type Message = { channel: string; ts: string };
  const refuse =
    (code: string) =>
    ({ slack }: Harness) =>
      void slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'error', code } });

  test.each<[string, string, (harness: Harness, message: Message) => void, boolean]>([
    ['because that is deleted', 'is gone', ({ ben }, message) => ben.deleteMessage(message), false],
    ['because that is locked', 'that thread is locked', refuse('restricted_action_thread_locked'), true],
    [
      'because that takes no replies',
      'that message takes no replies',
      refuse('cannot_reply_to_message'),
      true,
    ],
  ])('%s is requested again in a channel of one’s choice', async (_name, why, prevent, linksIt) => {
    const harness = await startHarness();
    const { ana, ben } = harness;
    const { support } = SEED.channels;
    const { ts } = ben.say('Please cancel A-1001', { channel: support });
    await ana.messageShortcut('message_cancel_order', { channel: support, ts });
    await ana.waitForModal({ text: 'in the thread of the message' });
    prevent(harness, { channel: support, ts });
    await ana.submit({ reason_choice: 'Ordered twice' });
    await ana.waitForDirectMessage(({ text }) => text.includes(`${why}. Choose another channel`));
    ana.openHome();
    await ana.waitForHome(({ text }) => text.includes('A-1001'));
    await ana.click(AGAIN, 'home');
    const form = await ana.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    expect(form.values).toMatchObject({ target: 'A-1001', channel: support });
    expect((await ana.submit()).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
    const { thread_ts, blocks } = await harness.card('A-1001');
    expect(thread_ts).not.toBe(ts);
    expect(JSON.stringify(blocks).includes(ts.replace('.', ''))).toBe(linksIt);
  });
});

describe('in a channel that is shared with another company', () => {
  test('its people read no reason and make no request, and a member of it finds the reason in the form', async () => {
    const harness = await startShared();
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await cancelOrder(harness, 'A-1001');
    await harness.reply('A-1001', /refused/);
    const card = await cardOf(harness, 'A-1001');
    await harness.gus.click(AGAIN, card);
    const { view } = await harness.gus.waitForModal({ text: 'only members of that workspace' });
    expect(view.submit).toBeNull();
    holdsNoReason(theirs(harness), everSent(harness));
    await harness.ben.click(AGAIN, card);
    const form = await harness.ben.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    expect(form.values['reason']).not.toBeNull();
  });
});

test('in a channel that has become shared, which is not allowed, the form says so of the channel that it chooses', async () => {
  const harness = await startHarness();
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /refused/);
  share(harness);
  await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
  await harness.ana.click(AGAIN, await harness.card('A-1001'));
  const { values } = await harness.ana.waitForModal({ text: 'so your request cannot be posted there' });
  expect(values).toMatchObject({ target: 'A-1001', channel: SEED.channels.support });
  expect((await harness.ana.submit()).errors).toEqual({ channel: expect.stringContaining('shared') });
});

describe('on a person’s own page', () => {
  test('a request that was withdrawn is requested again, and the page shows the new one', async () => {
    const { ana, cancelOrder: request, votedOn } = await startApprovals();
    await request('A-1001');
    await ana.click('Withdraw', await votedOn('A-1001'), { confirm: true });
    ana.openHome();
    await ana.waitForHome(({ text }) => /A-1001\* · :leftwards_arrow_with_hook: Withdrawn/.test(text));
    await ana.click(AGAIN, 'home');
    await ana.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    expect((await ana.submit()).outcome).toBe('closed');
    await ana.waitForHome(({ text }) => /A-1001\* · :raised_hand: Awaiting approval/.test(text));
  });
});
