import { describe, expect, test } from 'vitest';
import { startDesk } from '../../support/e2e/harness.ts';
import { askFor, cardOf, KINDS, replyTo } from '../../support/e2e/kinds.ts';

const OFFERS = KINDS.filter(({ noun }) => noun === 'offer');
const [, SEND, CANCEL] = KINDS;

/** What is the same for every kind of request is in failure-paths.test.ts. */
describe.each(OFFERS)('$command', (kind) => {
  const { command, operation, done, undone } = kind;
  const outcome = kind === SEND ? 'sent' : 'canceled';

  test('of a pending one does it (section 3), after the card stands and before the outcome is told', async () => {
    const desk = await startDesk();
    expect((await askFor(desk, kind)).outcome).toBe('closed');
    const reply = await replyTo(desk, kind, new RegExp(`Offer O-3001 ${done}`));
    expect(reply.text).toContain(`<@${desk.ana.id}>`);
    expect(desk.service.calls({ operation })).toHaveLength(1);
  });

  test('asks for no reason, and shows one that is given without sending it', async () => {
    const desk = await startDesk();
    await desk.ana.command(`${command} O-3001 for the big customer`, { channel: '#support' });
    const { values } = await desk.ana.waitForModal();
    expect(values).not.toHaveProperty('reason_choice');
    await desk.ana.submit();
    await replyTo(desk, kind, new RegExp(done));
    const { ts } = await cardOf(desk, kind);
    expect(desk.slack.renderThread('#support', ts)).toContain('for the big customer');
    expect(desk.journal.entries({ name: operation })[0]?.request).toMatchObject({ body: '' });
  });

  test.each([
    [
      '400',
      { code: 'VALIDATION_ERROR', message: 'Invalid' },
      /Check the id, .*\n“Invalid” \(VALIDATION_ERROR\)/,
    ],
    ['401', { code: 'UNAUTHORIZED', message: 'x' }, /refused this workspace's token/],
    [
      '403',
      { code: 'FORBIDDEN', message: 'No permission' },
      /token does not allow this.*\n“No permission” \(FORBIDDEN\)/,
    ],
    [
      '404',
      { code: 'OFFER_NOT_FOUND', message: 'Not found' },
      /Check the id, .*\n“Not found” \(OFFER_NOT_FOUND\)/,
    ],
    [
      '409',
      { code: 'OFFER_CANCELLATION_ERROR', message: 'No' },
      /The status of the offer does not allow .*\n“No” \(OFFER_CANCELLATION_ERROR\)/,
    ],
  ])('a refusal with %s %o ends in a sentence', async (status, body, text) => {
    const desk = await startDesk();
    desk.service.faults.order({ on: operation, fault: { type: 'status', status: Number(status), body } });
    await askFor(desk, kind);
    const reply = await replyTo(desk, kind, text);
    expect(reply.text).toContain(`Offer O-3001 ${undone}`);
  });

  test('an answer that does not tell is under review, until an admin records the outcome', async () => {
    const desk = await startDesk();
    const body = { offerId: 'O-3001', status: 'ESCALATED' };
    desk.service.faults.order({ on: operation, fault: { type: 'status', status: 200, body } });
    await askFor(desk, kind);
    await replyTo(desk, kind, /does not say what became of it.* An admin can record the outcome/);
    await desk.olga.click('Record the outcome', await cardOf(desk, kind));
    const { view } = await desk.olga.waitForModal(({ callback_id }) => callback_id === 'record_outcome');
    // An offer is not reviewed, and what the service has answered was received.
    expect(JSON.stringify(view)).not.toMatch(/The review|was not received/);
    expect((await desk.olga.submit({ outcome })).outcome).toBe('closed');
    const recorded = new RegExp(`${done}: <@${desk.olga.id}> recorded it`);
    expect((await replyTo(desk, kind, recorded)).text).toContain(`<@${desk.ana.id}>: Offer O-3001`);
    await expect.poll(async () => (await cardOf(desk, kind)).text).toMatch(recorded);
    expect(desk.service.calls({ operation })).toHaveLength(1);
  });
});

describe('the answers of offers alone', () => {
  test('success: false means that it was not sent', async () => {
    const desk = await startDesk();
    const body = { success: false };
    desk.service.faults.order({ on: 'send_offer', fault: { type: 'status', status: 200, body } });
    await askFor(desk, SEND);
    await replyTo(
      desk,
      SEND,
      /answered that the request did not succeed\. Offer O-3001 is not sent by this request/,
    );
  });

  test('a status that is not CANCELED is shown as it came', async () => {
    const desk = await startDesk();
    const body = { offerId: 'O-3001', status: 'EXPIRED' };
    desk.service.faults.order({ on: 'cancel_offer', fault: { type: 'status', status: 200, body } });
    await askFor(desk, CANCEL);
    await desk.slack.waitForMessage({
      channel: '#support',
      text: /The order service reports the status `EXPIRED`/,
    });
  });

  test.each([
    ['one that is cancelled already (section 3)', 'O-3002', /OFFER_CANCELLATION_ERROR/],
    ['one that the token may not cancel', 'O-3003', /FORBIDDEN/],
    ['one that there is not', 'O-9999', /OFFER_NOT_FOUND/],
  ])('the service itself refuses to cancel %s', async (_name, offer, text) => {
    const desk = await startDesk();
    await askFor(desk, CANCEL, { target: offer });
    await replyTo(desk, CANCEL, text, { target: offer });
  });

  test('the service itself refuses to send one that is not pending (section 3)', async () => {
    const desk = await startDesk();
    await askFor(desk, SEND, { target: 'O-3002' });
    await replyTo(desk, SEND, /refused the request\. Offer O-3002 is not sent by this request/, {
      target: 'O-3002',
    });
  });

  test('sending and cancelling one offer share a slot, and an order of the same id does not', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: 'send_offer', fault: { type: 'unanswered' } });
    await askFor(desk, SEND);
    await replyTo(desk, SEND, /may or may not/);
    const { outcome, modal } = await askFor(desk, CANCEL, { who: desk.ben });
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toContain('There is already an open request for offer O-3001');
    desk.service.addOrder({ id: 'O-3001' });
    expect((await desk.ask('O-3001')).outcome).toBe('closed');
  });
});
