import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { buttonsOf } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';

/** A request whose outcome nobody knows. */
async function unknownOutcome() {
  const harness = await startHarness();
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
  harness.service.events.pause();
  await harness.cancelOrder('A-2001');
  await harness.reply('A-2001', /may or may not/);
  const card = await harness.shows('A-2001', /record the outcome on the card/);
  return { harness, card };
}

async function refused(harness: Harness) {
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /refused the request/);
  return harness.shows('A-1001', /refused the request/);
}

const clickRecord = async (harness: Harness, card: { channel: string; ts: string }, who = harness.ana) => {
  await who.click('Record the outcome', card);
  return who.waitForModal(({ callback_id, view }) => callback_id === 'record_outcome' || view.close !== null);
};

describe('"Record the outcome"', () => {
  test.each([
    ['approved', /is cancelled: <@\w+> recorded it/],
    ['denied', /is not cancelled: <@\w+> recorded it/],
    ['release', /closed this request without an outcome/],
  ])('as %s is told, with the name of who did it', async (outcome, text) => {
    const { harness, card } = await unknownOutcome();
    const who = outcome === 'release' ? harness.olga : harness.ana;
    await clickRecord(harness, card, who);
    expect((await who.submit({ outcome })).outcome).toBe('closed');
    const reply = await harness.reply('A-2001', text);
    expect(reply.text).toContain(`<@${who.id}>`);
    // It can be requested again; what is recorded as cancelled, or has ended in doubt, is pointed out first.
    const again = (await harness.cancelOrder('A-2001', { who: harness.ben })).outcome;
    expect(again).toBe(outcome === 'denied' ? 'closed' : 'updated');
    if (again === 'updated') expect((await harness.ben.submit()).outcome).toBe('closed');
  });

  test('as not received sends it again, once', async () => {
    const { harness, card } = await unknownOutcome();
    // The service has lost it: there is no cancellation of this order.
    harness.service.addOrder({ id: 'A-2001', reviewed: true });
    await clickRecord(harness, card);
    await harness.ana.submit({ outcome: 'not_received' });
    await harness.reply('A-2001', /is reviewing it/);
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });

  test('of a request under review does not offer to send it again', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    const { view } = await clickRecord(harness, await harness.shows('A-2001', /reviewing/), harness.olga);
    expect(JSON.stringify(view)).toContain('Close the request without an outcome');
    expect(JSON.stringify(view)).not.toContain('not received');
    await harness.olga.submit({ outcome: 'approved' });
    await harness.reply('A-2001', /recorded it/);
    const card = await harness.shows('A-2001', /The order service has not confirmed this/);
    expect(JSON.stringify(card.blocks)).toMatch(
      new RegExp(`:white_check_mark: Cancelled.+Recorded by <@${harness.olga.id}> · `),
    );
  });

  test('of a request under review is not for the requester, who reads so', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    const { view } = await clickRecord(harness, await harness.shows('A-2001', /reviewing/));
    expect(view.submit).toBeNull();
    expect(JSON.stringify(view)).toContain('Only admins can record the outcome of this request.');
  });

  test('that the service contradicts later is corrected, and the reply says whose record it was', async () => {
    const { harness, card } = await unknownOutcome();
    await clickRecord(harness, card);
    await harness.ana.submit({ outcome: 'denied' });
    await harness.reply('A-2001', /is not cancelled: <@\w+> recorded it/);
    harness.service.events.resume();
    harness.service.approve('A-2001');
    const reply = await harness.reply('A-2001', /the order service confirmed it after a review/);
    expect(reply.text).toContain(`This corrects what <@${harness.ana.id}> recorded.`);
  });

  test('is for the requester and for admins', async () => {
    const { harness, card } = await unknownOutcome();
    const refusal = await clickRecord(harness, card, harness.ben);
    expect(JSON.stringify(refusal.view)).toContain('Only the requester and admins can record');
    await clickRecord(harness, card, harness.olga);
    await harness.olga.submit({ outcome: 'approved' });
    const reply = await harness.reply('A-2001', /recorded it/);
    expect(reply.text).toContain(`<@${harness.olga.id}> recorded it`);
    expect(reply.text).toMatch(new RegExp(`^<@${harness.ana.id}>`));
  });

  test('comes too late when an event was faster, and changes nothing', async () => {
    const { harness, card } = await unknownOutcome();
    await clickRecord(harness, card);
    harness.service.events.resume();
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    const { modal } = await harness.ana.submit({ outcome: 'denied' });
    expect(JSON.stringify(modal)).toContain(
      '*Not recorded*, because an outcome has been received or recorded.',
    );
    await harness.shows('A-2001', /confirmed it after a review/);
  });

  test('as a correction that comes too late is called so', async () => {
    const { harness, card } = await unknownOutcome();
    await clickRecord(harness, card);
    await harness.ana.submit({ outcome: 'denied' });
    await harness.olga.click('Correct the outcome', await harness.shows('A-2001', /recorded it/));
    await harness.olga.waitForModal({ callback: 'record_outcome' });
    harness.service.events.resume();
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    const { modal } = await harness.olga.submit({ outcome: 'approved' });
    expect(modal?.title).toBe('Correct the outcome');
    expect(JSON.stringify(modal)).toContain(
      '*Not recorded*, because an outcome has been received or recorded.',
    );
  });

  test('offers what fits: no review is named where none is known, and it may be in review', async () => {
    const { harness, card } = await unknownOutcome();
    const { view } = await clickRecord(harness, card);
    const text = JSON.stringify(view);
    expect(text).not.toContain('confirmed it after a review');
    await harness.ana.submit({ outcome: 'in_review' });
    await harness.reply('A-2001', /recorded that the order service is reviewing the request/);
    const shown = await harness.shows('A-2001', /is reviewing the request/);
    expect(JSON.stringify(shown.blocks)).toMatch(
      new RegExp(`· In review".+Recorded by <@${harness.ana.id}> · `),
    );
  });

  test('is corrected by an admin until the service says, and nothing is sent', async () => {
    const { harness, card } = await unknownOutcome();
    await clickRecord(harness, card);
    await harness.ana.submit({ outcome: 'approved' });
    const shown = await harness.shows('A-2001', /recorded it/);
    await harness.olga.click('Correct the outcome', shown);
    await harness.olga.waitForModal({ callback: 'record_outcome' });
    await harness.olga.submit({ outcome: 'never_received' });
    const reply = await harness.reply('A-2001', /did not receive the request/);
    expect(reply.text).toContain(`This corrects what <@${harness.ana.id}> recorded.`);
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    harness.service.events.resume();
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    const known = await harness.shows('A-2001', /confirmed it after a review/);
    expect(buttonsOf(known)).toEqual(['Reply to the customer']);
  });
});

describe('"Retry"', () => {
  test('sends what was refused once more, after it is confirmed', async () => {
    const harness = await startHarness();
    const card = await refused(harness);
    await harness.ana.click('Retry', card, { confirm: true });
    await harness.reply('A-1001', /is cancelled: the order service confirmed it at once/);
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });

  test('is for whoever may request, whoever made the request', async () => {
    const harness = await startHarness();
    const card = await refused(harness);
    await harness.ben.click('Retry', card, { confirm: true });
    await harness.reply('A-1001', /is cancelled: the order service confirmed it at once/);
  });

  test('asks who may request: neither the requester nor an admin outside of the group may', async () => {
    const harness = await startHarness();
    const card = await refused(harness);
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { requesters: SEED.groups.approvers });
    for (const who of [harness.ana, harness.olga]) {
      await who.click('Retry', card, { confirm: true });
      expect((await who.waitForEphemeral()).text).toContain(
        `Only members of <!subteam^${SEED.groups.approvers}> can make requests here.`,
      );
    }
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    await harness.slack.person('cara').click('Retry', card, { confirm: true });
    await harness.reply('A-1001', /is cancelled: the order service confirmed it at once/);
  });

  test('is not offered where the same call would be refused again', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('X-1');
    const message = await harness.ana.waitForDirectMessage(({ text }) => text.includes('Check the id'));
    expect(message.text).toContain('Check the id and the reason, then press *Edit and request again*.');
    const card = await harness.shows('X-1', /refused/);
    expect(JSON.stringify([message.text, message.blocks, card.text, card.blocks])).not.toContain('Retry');
  });

  test('needs the slot again: while another request is open, it gets a link to that one', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /refused/);
    const card = await harness.shows('A-2001', /refused/);
    await harness.cancelOrder('A-2001', { who: harness.ben });
    await harness.slack.waitForMessage({ text: /reviewing/ });
    await harness.ana.click('Retry', card, { confirm: true });
    expect((await harness.ana.waitForEphemeral()).text).toMatch(
      /Another request to cancel order A-2001 is open, so this one was not sent again\..*Open its thread/s,
    );
  });

  test('pressed by two at once is done once', async () => {
    const harness = await startHarness();
    const card = await refused(harness);
    const held = harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'before' },
    });
    await Promise.all([
      harness.ana.click('Retry', card, { confirm: true }),
      harness.olga.click('Retry', card, { confirm: true }),
    ]);
    await held.reached;
    held.release();
    await harness.reply('A-1001', /confirmed it at once/);
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });
});

describe('a GraphQL token that is refused', () => {
  test('is explained to the agent', async () => {
    const harness = await startHarness({ connected: false });
    const token = harness.service.issueToken({ kind: 'graphql', acceptedBy: ['get_sub_brands'] });
    await harness.connect({ token, token_kind: 'graphql' });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /workspace's GraphQL token/);
    await harness.shows('A-1001', /REST endpoints are ending their support/);
  });
});
