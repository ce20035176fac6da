import { describe, expect, test } from 'vitest';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { type Desk, startDesk } from '../support/desk.ts';

const KINDS = [
  {
    command: '/send-offer',
    deed: 'Send offer',
    operation: 'send_offer',
    done: 'is sent to the customer',
    undone: 'is not sent',
  },
  {
    command: '/cancel-offer',
    deed: 'Cancel offer',
    operation: 'cancel_offer',
    done: 'is cancelled',
    undone: 'is not cancelled',
  },
] as const;

async function ask(desk: Desk, command: string, offer: string, who = desk.ana) {
  await who.command(`${command} ${offer}`, { channel: '#support' });
  await who.waitForModal();
  return who.submit();
}

const cardOf = (desk: Desk, deed: string, offer: string) =>
  desk.slack.waitForMessage({ channel: '#support', text: `${deed} ${offer}` });

async function replyTo(desk: Desk, { deed }: { deed: string }, offer: string, text: RegExp) {
  const { ts } = await cardOf(desk, deed, offer);
  return desk.slack.waitForMessage({ channel: '#support', thread_ts: ts, text });
}

describe.each(KINDS)('$command', (kind) => {
  const { command, deed, operation, done, undone } = kind;

  test('of a pending one does it (section 3), after the card stands and before the outcome is told', async () => {
    const desk = await startDesk();
    expect((await ask(desk, command, 'O-3001')).outcome).toBe('closed');
    const reply = await replyTo(desk, kind, 'O-3001', new RegExp(`Offer O-3001 ${done}`));
    expect(reply.text).toContain(`<@${desk.ana.id}>`);
    expect(desk.service.calls({ operation })).toHaveLength(1);
  });

  test('asks for no reason, and shows one that is given without sending it', async () => {
    const desk = await startDesk();
    await desk.ana.command(`${command} O-3001 for the big customer`, { channel: '#support' });
    const { values } = await desk.ana.waitForModal();
    expect(values).not.toHaveProperty('reason_choice');
    await desk.ana.submit();
    await replyTo(desk, kind, 'O-3001', new RegExp(done));
    const { ts } = await cardOf(desk, deed, 'O-3001');
    expect(desk.slack.renderThread('#support', ts)).toContain('for the big customer');
    expect(desk.journal.entries({ name: operation })[0]?.request).toMatchObject({ body: '' });
  });

  test.each([
    ['400', { code: 'VALIDATION_ERROR', message: 'Invalid' }, /saying “Invalid” \(VALIDATION_ERROR\)/],
    ['401', { code: 'UNAUTHORIZED', message: 'x' }, /refused this workspace's token/],
    [
      '403',
      { code: 'FORBIDDEN', message: 'No permission' },
      /“No permission” \(FORBIDDEN\).*\n.*token may not do that/,
    ],
    [
      '404',
      { code: 'OFFER_NOT_FOUND', message: 'Not found' },
      /“Not found” \(OFFER_NOT_FOUND\)\.\nCheck the id/,
    ],
    [
      '409',
      { code: 'OFFER_CANCELLATION_ERROR', message: 'No' },
      /\(OFFER_CANCELLATION_ERROR\)\.\nIts status does not allow/,
    ],
  ])('a refusal with %s %o ends in a sentence', async (status, body, text) => {
    const desk = await startDesk();
    desk.service.faults.order({ on: operation, fault: { type: 'status', status: Number(status), body } });
    await ask(desk, command, 'O-3001');
    const reply = await replyTo(desk, kind, 'O-3001', text);
    expect(reply.text).toContain(`Offer O-3001 ${undone}`);
  });

  test.each([
    ['500', { type: 'status' as const, status: 500 }],
    ['a redirect', { type: 'redirect' as const, status: 302, location: '/' }],
    ['no answer', { type: 'unanswered' as const }],
    ['a cut answer', { type: 'truncated' as const }],
    ['an answer that is not JSON', { type: 'garbage' as const }],
  ])('%s leaves the outcome unknown, and it is never sent again by itself', async (_name, fault) => {
    const desk = await startDesk();
    desk.service.faults.order({ on: operation, fault });
    await ask(desk, command, 'O-3001');
    await replyTo(desk, kind, 'O-3001', /may or may not be .* record the outcome here/);
    expect(desk.service.calls({ operation })).toHaveLength(1);
  });

  test('429 waits, and then it is done', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: operation, fault: { type: 'rate_limit', retryAfterSeconds: 1 } });
    await ask(desk, command, 'O-3001');
    await replyTo(desk, kind, 'O-3001', new RegExp(done));
  });

  test('without a connection it waits, and then it is done', async () => {
    const desk = await startDesk();
    await desk.service.close();
    await ask(desk, command, 'O-3001');
    await desk.slack.waitForMessage({ channel: '#support', text: /could not be reached/ });
    const back = await startOrderService({
      journal: desk.journal,
      port: Number(new URL(desk.service.url).port),
    });
    try {
      await replyTo(desk, kind, 'O-3001', new RegExp(done));
    } finally {
      await back.close();
    }
  });

  test('an answer that does not tell is under review, until a person records the outcome', async () => {
    const desk = await startDesk();
    const body = { offerId: 'O-3001', status: 'ESCALATED' };
    desk.service.faults.order({ on: operation, fault: { type: 'status', status: 200, body } });
    await ask(desk, command, 'O-3001');
    await replyTo(desk, kind, 'O-3001', /does not tell what became of it/);
  });
});

describe('the answers of offers alone', () => {
  test('success: false means that it was not sent', async () => {
    const desk = await startDesk();
    const body = { success: false };
    desk.service.faults.order({ on: 'send_offer', fault: { type: 'status', status: 200, body } });
    await ask(desk, '/send-offer', 'O-3001');
    await replyTo(
      desk,
      KINDS[0],
      'O-3001',
      /is not sent: the order service answered that it did not succeed/,
    );
  });

  test('a status that is not CANCELED is shown as it came', async () => {
    const desk = await startDesk();
    const body = { offerId: 'O-3001', status: 'EXPIRED' };
    desk.service.faults.order({ on: 'cancel_offer', fault: { type: 'status', status: 200, body } });
    await ask(desk, '/cancel-offer', 'O-3001');
    await desk.slack.waitForMessage({ channel: '#support', text: /The order service calls it “EXPIRED”/ });
  });

  test.each([
    ['one that is cancelled already (section 3)', 'O-3002', /OFFER_CANCELLATION_ERROR/],
    ['one that the token may not cancel', 'O-3003', /FORBIDDEN/],
    ['one that there is not', 'O-9999', /OFFER_NOT_FOUND/],
  ])('the service itself refuses to cancel %s', async (_name, offer, text) => {
    const desk = await startDesk();
    await ask(desk, '/cancel-offer', offer);
    await replyTo(desk, KINDS[1], offer, text);
  });

  test('the service itself refuses to send one that is not pending (section 3)', async () => {
    const desk = await startDesk();
    await ask(desk, '/send-offer', 'O-3002');
    await replyTo(desk, KINDS[0], 'O-3002', /is not sent: the order service refused/);
  });

  test('sending and cancelling one offer share a slot, and an order of the same id does not', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: 'send_offer', fault: { type: 'unanswered' } });
    await ask(desk, '/send-offer', 'O-3001');
    await replyTo(desk, KINDS[0], 'O-3001', /may or may not/);
    const { outcome, modal } = await ask(desk, '/cancel-offer', 'O-3001', desk.ben);
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toContain('There is an open request for offer O-3001 already');
    desk.service.addOrder({ id: 'O-3001' });
    expect((await desk.ask('O-3001')).outcome).toBe('closed');
  });
});
