/** "Reply to the customer": a text about the outcome, to copy, from templates that admins write. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Message } from '../../../sandbox/slack/world/types.ts';
import { NO, startApprovals, YES } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { cardOf, kindOf, replyTo, submitRequest } from '../../support/e2e/kinds.ts';
import { openSettings } from '../../support/e2e/policy-modal.ts';
import { everSent } from '../../support/e2e/shared-channels.ts';

const REPLY = 'Reply to the customer';

/** Resolves once the opened modal shows what was read for it. */
const opened = async (who: Harness['ana']) =>
  (
    await who.waitForModal(
      ({ title, view }) => title === REPLY && !JSON.stringify(view).includes('Loading the'),
    )
  ).view;
const isReply = ({ callback_id }: { callback_id: string }) => callback_id === 'customer_reply';

async function canceled(harness: Harness) {
  await harness.cancelOrder('A-1001', { reason: 'Ordered twice' });
  await harness.reply('A-1001', /is cancelled/);
  return harness.shows('A-1001', /is cancelled/);
}

async function openTexts(harness: Harness) {
  await openSettings(harness);
  await harness.olga.click('customer_texts');
  return harness.olga.waitForModal(({ title }) => title === 'Replies to customers');
}

describe('"Reply to the customer"', () => {
  test('shows the requester the text for the outcome and its reason, and sends nothing', async () => {
    const harness = await startHarness();
    const card = await canceled(harness);
    const before = everSent(harness);
    await harness.ana.click(REPLY, card);
    const { values } = await harness.ana.waitForModal(isReply);
    expect(values['text']).toBe(
      'Hello,\n\nYour order A-1001 has been cancelled.\nThe reason: it was ordered twice.',
    );
    expect((await harness.ana.submit({ text: 'something else' })).outcome).toBe('closed');
    expect(everSent(harness)).toEqual(before);
  });

  test('is there for approvers and admins, who read that a request was declined', async () => {
    const harness = await startApprovals();
    await harness.cancelOrder('A-1001', { reason: 'Suspected fraud' });
    harness.cara.react(NO, await harness.votedOn('A-1001'));
    await harness.reply('A-1001', /declined/);
    const card = await harness.shows('A-1001', /declined/);
    for (const who of [harness.cara, harness.olga]) {
      await who.click(REPLY, card);
      const { values } = await who.waitForModal(isReply);
      expect(values['text']).toBe('Hello,\n\nUnfortunately, your order A-1001 could not be cancelled.');
    }
  });

  test('is for nobody else: they read who may see it', async () => {
    const harness = await startHarness();
    const card = await canceled(harness);
    await harness.ben.click(REPLY, card);
    const view = await opened(harness.ben);
    expect(JSON.stringify(view)).toContain(
      'Only the requester and admins can see the text for the customer. Ask one of them.',
    );
    expect(view.submit).toBeNull();
  });

  test('tells nothing once the request was closed without an outcome', async () => {
    const harness = await startHarness();
    const { ana, olga, slack } = harness;
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /is reviewing it/);
    const card = await harness.shows('A-2001', /is reviewing it/);
    await olga.click('Record the outcome', card);
    await olga.waitForModal({ callback: 'record_outcome' });
    const updating = slack.faults.schedule({ on: 'chat.update', fault: { type: 'hold', when: 'before' } });
    await olga.submit({ outcome: 'release' });
    await updating.reached;
    await ana.click(REPLY, card);
    const view = await opened(ana);
    expect(JSON.stringify(view)).toContain('There is nothing to tell the customer now, because');
    updating.release();
  });
});

describe('"Reply to the customer" on the card of a former request', () => {
  const dependsOn = (what: string) =>
    `What to tell the customer also depends on another request to ${what}, so there is no text for this one alone.`;

  async function refused(harness: Harness, card: Message) {
    await harness.ana.click(REPLY, card);
    const view = await opened(harness.ana);
    await harness.ana.closeModal();
    return JSON.stringify(view.blocks);
  }

  const newest = (harness: Harness, text: RegExp, after: Message) =>
    harness.slack.waitForMessage((message) => text.test(message.text) && message.ts > after.ts);

  test('that was declined leads to the newer one, which cancelled the order', async () => {
    const harness = await startApprovals();
    await harness.cancelOrder('A-1001');
    harness.cara.react(NO, await harness.votedOn('A-1001'));
    const former = await harness.shows('A-1001', /declined/);
    await harness.cancelOrder('A-1001');
    const open = await refused(harness, former);
    expect(open).toContain(dependsOn('cancel order A-1001'));
    expect(open).toContain('Awaiting approval');
    harness.cara.react(YES, await harness.votedOn('A-1001'));
    await newest(harness, /is cancelled/, former);
    const shown = await refused(harness, former);
    expect(shown).toContain(dependsOn('cancel order A-1001'));
    expect(shown).toMatch(/<https:[^|]+\|Open its thread>/);
  });

  test('that was denied leads to the newer one, which cancelled the order', async () => {
    const harness = await startHarness();
    const body = { cancellationStatus: 'denied', requestedAt: new Date().toISOString() };
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 201, body } });
    await harness.cancelOrder('A-1001');
    const former = await harness.shows('A-1001', /is not cancelled/);
    await harness.cancelOrder('A-1001');
    await newest(harness, /is cancelled/, former);
    expect(await refused(harness, former)).toContain(dependsOn('cancel order A-1001'));
  });

  test('that sent an offer leads to the newer one, which cancelled it', async () => {
    const harness = await startHarness();
    const sent = kindOf('send_offer');
    await submitRequest(harness, sent);
    await replyTo(harness, sent, new RegExp(sent.done));
    const cancel = kindOf('cancel_offer');
    await submitRequest(harness, cancel);
    await replyTo(harness, cancel, new RegExp(cancel.done));
    const shown = await refused(harness, await cardOf(harness, sent));
    expect(shown).toContain(dependsOn('cancel offer O-3001'));
  });

  test('still has its text where the newer one came to nothing', async () => {
    const harness = await startHarness();
    const former = await canceled(harness);
    await harness.cancelOrder('A-1001');
    // An order that is cancelled is pointed out first.
    await harness.ana.submit();
    await newest(harness, /refused the request/, former);
    await harness.ana.click(REPLY, former);
    const { values } = await harness.ana.waitForModal(isReply);
    expect(values['text']).toContain('Your order A-1001 has been cancelled');
  });
});

describe('the texts of a workspace', () => {
  test('are written by an admin, in force at once, and told in the notifications channel', async () => {
    const harness = await startHarness();
    const { olga, ana, slack } = harness;
    const card = await canceled(harness);
    const { values } = await openTexts(harness);
    expect(values['reply_offer_sent']).toBe('Hello,\n\nWe have sent you our offer {id}.');
    await olga.submit({
      reply_order_canceled: 'Dear customer, {id} is gone.\nWhy: {reason}',
      reasons_for_customers: 'Ordered twice = you ordered it twice',
    });
    await olga.waitForModal({ text: 'Saved. In force now:' });
    await olga.closeModal();
    const settings = await olga.waitForModal({ text: 'texts of your own' });
    expect(settings.title).toBe('Settings');
    // The form beneath shows the settings in force, so it can be saved.
    await olga.submit({ notifications: SEED.channels.support });
    await olga.waitForModal({ text: 'Saved. In force now:' });
    await ana.click(REPLY, card);
    const reply = await ana.waitForModal(isReply);
    expect(reply.values['text']).toBe('Dear customer, A-1001 is gone.\nWhy: you ordered it twice');
    await openTexts(harness);
    await olga.submit({ reply_order_canceled: '' });
    const { text } = await slack.waitForMessage({
      channel: '#support',
      text: 'Reply when an order is cancelled',
    });
    expect(text).toContain('“Dear customer, {id} is gone. Why: {reason}” → the usual text');
  });

  test('are helped at the field, and not saved over those of another admin', async () => {
    const harness = await startHarness();
    await openTexts(harness);
    const { errors } = await harness.olga.submit({ reasons_for_customers: 'Ordered twice' });
    expect(errors).toEqual({ reasons_for_customers: expect.stringContaining('has no = between') });
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { replyOfferSent: 'Theirs', reasons: ['Too late'] });
    const gone = await harness.olga.submit({ reasons_for_customers: 'Too early = it was' });
    expect(gone.errors).toEqual({ reasons_for_customers: expect.stringContaining('“Too early”') });
    const late = await harness.olga.submit({ reasons_for_customers: '', reply_offer_sent: 'Mine' });
    expect(late.errors).toEqual({ reply_offer_sent: expect.stringContaining('The settings have changed') });
    expect((await settings.read(SEED.team)).replyOfferSent).toBe('Theirs');
  });
});
