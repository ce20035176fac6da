import { describe, expect, test } from 'vitest';
import { startDesk } from '../../support/e2e/harness.ts';

describe('an order is cancelled from Slack (the states of section 3)', () => {
  test('at once (none to canceled): the card stands before the call, and the outcome is in its thread', async () => {
    const desk = await startDesk();
    expect((await desk.ask('A-1001', { reason: 'Ordered twice' })).outcome).toBe('closed');
    const reply = await desk.reply('A-1001', /Order A-1001 is cancelled/);
    expect(reply.text).toContain(`<@${desk.ana.id}>`);
    expect(await desk.replies('A-1001')).toHaveLength(1);
    const card = await desk.card('A-1001');
    expect(desk.slack.renderThread('#support', card.ts)).toMatch(
      /Cancelled[\s\S]*Ordered twice[\s\S]*Requested by @Ana/,
    );
    const outside = desk.journal
      .entries(({ name }) => ['chat.postMessage', 'chat.update', 'cancel_order'].includes(name))
      .map(({ name }) => name);
    expect(outside).toEqual(['chat.postMessage', 'cancel_order', 'chat.update', 'chat.postMessage']);
    expect(desk.service.organization().orders.get('A-1001')?.cancellation?.reason).toBe('Ordered twice');
  });

  test('after a review that approves it (none to pending, pending to approved)', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /is reviewing it/);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /is cancelled: the review approved/);
    expect(await desk.replies('A-2001')).toEqual([
      expect.stringMatching(/^The order service has accepted the request/),
      expect.stringMatching(new RegExp(`^<@${desk.ana.id}>: Order A-2001 is cancelled`)),
    ]);
    expect((await desk.card('A-2001')).text).toContain('approved');
  });

  test('not after a review that denies it (pending to denied)', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /is reviewing it/);
    desk.service.deny('A-2001');
    const reply = await desk.reply('A-2001', /is not cancelled: the review denied/);
    expect(reply.text).toContain(`<@${desk.ana.id}>`);
  });

  test('after a denial that is taken back: each entry into a state has a reply of its own', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /is reviewing it/);
    desk.service.deny('A-2001');
    await desk.reply('A-2001', /denied/);
    desk.service.backToPending('A-2001');
    await desk.reply('A-2001', /reopened its review/);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /approved/);
    expect(await desk.replies('A-2001')).toEqual([
      expect.stringMatching(/reviewing/),
      expect.stringMatching(/denied/),
      expect.stringMatching(/reopened/),
      expect.stringMatching(/approved/),
    ]);
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });
});

describe('the route of the call', () => {
  test.each([
    ['current', '/orders/A-1001/cancel'],
    ['deprecated', '/orders/orders/A-1001/cancel'],
  ])('is the %s one where ORDER_SERVICE_CANCEL_ROUTE says so', async (route, target) => {
    const desk = await startDesk({ env: { ORDER_SERVICE_CANCEL_ROUTE: route } });
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    expect(desk.service.calls({ operation: 'cancel_order' }).map((call) => call.target)).toEqual([target]);
  });
});

/** What is the same for every kind of request is in failure-paths.test.ts. */
describe('every answer of the order service ends in a sentence', () => {
  test.each([
    [
      '400 VALIDATION_ERROR, with its details',
      400,
      'VALIDATION_ERROR',
      /Check the id and the reason.*\n“Invalid” \(VALIDATION_ERROR\)\.\n• id: unknown/,
    ],
    [
      '401 UNAUTHORIZED',
      401,
      'UNAUTHORIZED',
      /refused this workspace's token\..* Ask an admin to connect the workspace again with \/countermand connect/,
    ],
    ['403 FORBIDDEN', 403, 'FORBIDDEN', /then press Retry\.\n“Invalid” \(FORBIDDEN\)/],
    ['a 4xx with a code that is not listed', 409, 'CONFLICT', /or press Retry\.\n“Invalid” \(CONFLICT\)/],
  ])('%s', async (_name, status, code, text) => {
    const desk = await startDesk();
    const body = { code, message: 'Invalid', details: [{ field: 'id', error: 'unknown' }] };
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status, body } });
    await desk.ask('A-1001');
    const reply = await desk.reply('A-1001', text);
    expect(reply.text).toContain(`<@${desk.ana.id}>`);
    expect(reply.text).toContain('Order A-1001 is not cancelled by this request.');
    await desk.shows('A-1001', text);
  });

  test('a 4xx without a readable body', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 404, body: '<html>' } });
    await desk.ask('A-1001');
    await desk.reply('A-1001', /It gave no reason \(HTTP 404\)/);
  });

  test('an order that the service does not know', async () => {
    const desk = await startDesk();
    await desk.ask('X-1');
    await desk.reply('X-1', /VALIDATION_ERROR/);
  });

  test('no answer in time: the outcome is unknown, and an event still tells it', async () => {
    const desk = await startDesk({ overrides: { serviceLimits: { deadlineMs: 300, maxBytes: 10_000 } } });
    const held = desk.service.faults.order({ on: 'cancel_order', fault: { type: 'hold', when: 'after' } });
    await desk.ask('A-2001');
    await desk.reply('A-2001', /did not answer in time\./);
    held.release();
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /the review approved/);
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('a status that nobody knows: nothing is claimed about the order, and the word is shown as it came', async () => {
    const desk = await startDesk();
    const body = { cancellationStatus: 'escalated', requestedAt: new Date().toISOString() };
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 201, body } });
    await desk.ask('A-2001');
    const reply = await desk.reply('A-2001', /its answer does not say what became of it/);
    expect(reply.text).not.toMatch(/review|is not cancelled/);
    const card = await desk.card('A-2001');
    expect(desk.slack.renderThread('#support', card.ts)).toContain(
      'The order service reports the status `escalated`.',
    );
  });

  test.each(['approved', 'denied'])(
    '201 with the status %s counts as the decision',
    async (cancellationStatus) => {
      const desk = await startDesk();
      const body = { cancellationStatus, requestedAt: new Date().toISOString() };
      desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 201, body } });
      await desk.ask('A-1001');
      await desk.reply('A-1001', new RegExp(`the review ${cancellationStatus} the request`));
    },
  );
});
