import { describe, expect, test } from 'vitest';
import { startHarness } from '../../support/e2e/harness.ts';
import { cardOf, KINDS, kindOf, replyTo, submitRequest } from '../../support/e2e/kinds.ts';

const OFFERS = KINDS.filter(({ about }) => about === 'offer');
const SEND = kindOf('send_offer');
const CANCEL = kindOf('cancel_offer');

/** Behaviour that all kinds of request share is tested in failure-paths.test.ts. */
describe.each(OFFERS)('$command', (kind) => {
  const { command, operation, done, undone } = kind;
  const outcome = operation === 'send_offer' ? 'sent' : 'canceled';

  test('of a pending one does it (section 3), after the card stands and before the outcome is told', async () => {
    const harness = await startHarness();
    expect((await submitRequest(harness, kind)).outcome).toBe('closed');
    const reply = await replyTo(harness, kind, new RegExp(`Offer O-3001 ${done}`));
    expect(reply.text).toContain(`<@${harness.ana.id}>`);
    expect(harness.service.calls({ operation })).toHaveLength(1);
  });

  test('asks for no reason, and shows one that is given without sending it', async () => {
    const harness = await startHarness();
    await harness.ana.command(`${command} O-3001 for the big customer`, { channel: '#support' });
    const { values } = await harness.ana.waitForModal();
    expect(values).not.toHaveProperty('reason_choice');
    await harness.ana.submit();
    await replyTo(harness, kind, new RegExp(done));
    const { ts } = await cardOf(harness, kind);
    expect(harness.slack.renderThread('#support', ts)).toContain('for the big customer');
    expect(harness.journal.entries({ name: operation })[0]?.request).toMatchObject({ body: '' });
  });

  test.each([
    [
      '400',
      { code: 'VALIDATION_ERROR', message: 'Invalid' },
      /Check the id, .*\n“Invalid” \(VALIDATION_ERROR\)/,
    ],
    ['401', { code: 'UNAUTHORIZED', message: 'x' }, /refused this workspace's token/],
    ['403', { code: 'FORBIDDEN', message: 'No permission' }, /“No permission” \(FORBIDDEN\)/],
    [
      '404',
      { code: 'OFFER_NOT_FOUND', message: 'Not found' },
      /Check the id, .*\n“Not found” \(OFFER_NOT_FOUND\)/,
    ],
    ['409', { code: 'OFFER_CANCELLATION_ERROR', message: 'No' }, /“No” \(OFFER_CANCELLATION_ERROR\)/],
  ])('a refusal with %s %o ends in a sentence', async (status, body, text) => {
    const harness = await startHarness();
    harness.service.faults.schedule({
      on: operation,
      fault: { type: 'status', status: Number(status), body },
    });
    await submitRequest(harness, kind);
    const { code } = body;
    const isMistake = code === 'VALIDATION_ERROR' || code === 'OFFER_NOT_FOUND';
    const reply = await (isMistake
      ? harness.ana.waitForDirectMessage((message) => text.test(message.text))
      : replyTo(harness, kind, text));
    expect(reply.text).toContain(`so offer O-3001 ${undone} by this request`);
  });

  test('an answer that does not tell is under review, until an admin records the outcome', async () => {
    const harness = await startHarness();
    const body = { offerId: 'O-3001', status: 'ESCALATED' };
    harness.service.faults.schedule({ on: operation, fault: { type: 'status', status: 200, body } });
    await submitRequest(harness, kind);
    await replyTo(harness, kind, /does not say what became of it/);
    await harness.olga.click('Record the outcome', await cardOf(harness, kind));
    const { view } = await harness.olga.waitForModal({ callback: 'record_outcome' });
    // An offer is not reviewed, and what the service has answered was received.
    expect(JSON.stringify(view)).not.toMatch(/The review|was not received/);
    expect((await harness.olga.submit({ outcome })).outcome).toBe('closed');
    const recorded = new RegExp(`${done}: <@${harness.olga.id}> recorded it`);
    expect((await replyTo(harness, kind, recorded)).text).toContain(`<@${harness.ana.id}>: Offer O-3001`);
    await expect.poll(async () => (await cardOf(harness, kind)).text).toMatch(recorded);
    expect(harness.service.calls({ operation })).toHaveLength(1);
  });

  test('a recorded outcome is corrected by an admin, and not by the requester; only Retry sends after that', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({ on: operation, fault: { type: 'unanswered' } });
    await submitRequest(harness, kind);
    await replyTo(harness, kind, /may or may not/);
    const open = async (label: string, who = harness.olga) => {
      await who.click(label, await cardOf(harness, kind));
      return who.waitForModal(
        ({ callback_id, view }) => callback_id === 'record_outcome' || view.close !== null,
      );
    };
    await open('Record the outcome', harness.ana);
    await harness.ana.submit({ outcome });
    await replyTo(harness, kind, new RegExp(`${done}: <@${harness.ana.id}> recorded it`));
    const { view: refusal } = await open('Correct the outcome', harness.ana);
    expect(JSON.stringify(refusal)).toContain('Only admins can');

    await open('Correct the outcome');
    expect((await harness.olga.submit({ outcome: 'never_received' })).outcome).toBe('closed');
    const corrected = await replyTo(
      harness,
      kind,
      /recorded that the order service did not receive the request/,
    );
    expect(corrected.text).toContain(`This corrects what <@${harness.ana.id}> recorded.`);
    expect(harness.service.calls({ operation })).toHaveLength(1);
    await harness.ana.click('Retry', await cardOf(harness, kind));
    await replyTo(harness, kind, new RegExp(`Offer O-3001 ${done}`));
  });
});

describe('the answers of offers alone', () => {
  test('success: false means that it was not sent', async () => {
    const harness = await startHarness();
    const body = { success: false };
    harness.service.faults.schedule({ on: 'send_offer', fault: { type: 'status', status: 200, body } });
    await submitRequest(harness, SEND);
    await replyTo(
      harness,
      SEND,
      /answered that the request did not succeed, so offer O-3001 is not sent by this request/,
    );
  });

  test('a status that is not CANCELED is shown as it came', async () => {
    const harness = await startHarness();
    const body = { offerId: 'O-3001', status: 'EXPIRED' };
    harness.service.faults.schedule({ on: 'cancel_offer', fault: { type: 'status', status: 200, body } });
    await submitRequest(harness, CANCEL);
    await harness.slack.waitForMessage({
      channel: '#support',
      text: /The order service reports the status `EXPIRED`/,
    });
  });

  test.each([
    ['one that is cancelled already (section 3)', 'O-3002', /OFFER_CANCELLATION_ERROR/],
    ['one that the token may not cancel', 'O-3003', /FORBIDDEN/],
  ])('the service itself refuses to cancel %s', async (_name, offer, text) => {
    const harness = await startHarness();
    await submitRequest(harness, CANCEL, { target: offer });
    await replyTo(harness, CANCEL, text, { target: offer });
  });

  test('the service itself refuses to cancel one that there is not, which its requester reads', async () => {
    const harness = await startHarness();
    await submitRequest(harness, CANCEL, { target: 'O-9999' });
    await harness.ana.waitForDirectMessage(({ text }) => /O-9999.*OFFER_NOT_FOUND/s.test(text));
  });

  test('the service itself refuses to send one that is not pending (section 3)', async () => {
    const harness = await startHarness();
    await submitRequest(harness, SEND, { target: 'O-3002' });
    const told = /refused the request, so offer O-3002 is not sent by this request/;
    await replyTo(harness, SEND, told, { target: 'O-3002' });
  });

  test('sending and cancelling one offer share a slot, as whoever is refused reads, and an order of the same id does not', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({ on: 'send_offer', fault: { type: 'unanswered' } });
    await submitRequest(harness, SEND);
    await replyTo(harness, SEND, /may or may not/);
    const { outcome, modal } = await submitRequest(harness, CANCEL, { who: harness.ben });
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toContain('There is already an open request to send offer O-3001');
    harness.service.addOrder({ id: 'O-3001' });
    expect((await harness.cancelOrder('O-3001')).outcome).toBe('closed');
  });
});
