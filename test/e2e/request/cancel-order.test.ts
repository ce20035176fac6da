import { describe, expect, test } from 'vitest';
import { startHarness } from '../../support/e2e/harness.ts';
import { needsStorage, STORAGES } from '../../support/e2e/storage.ts';

describe.each(STORAGES)('an order is cancelled from Slack (%s)', (storage) => {
  needsStorage(storage);

  test('at once (none to canceled): the card stands before the call, and the outcome is in its thread', async () => {
    const harness = await startHarness({ storage });
    expect((await harness.cancelOrder('A-1001', { reason: 'Ordered twice' })).outcome).toBe('closed');
    const reply = await harness.reply('A-1001', /Order A-1001 is cancelled/);
    expect(reply.text).toContain(`<@${harness.ana.id}>`);
    expect(await harness.replies('A-1001')).toHaveLength(1);
    const card = await harness.card('A-1001');
    expect(harness.slack.renderThread('#support', card.ts)).toMatch(
      /Cancelled[\s\S]*Ordered twice[\s\S]*Requested by @Ana/,
    );
    const outside = harness.journal
      .entries(({ name }) => ['chat.postMessage', 'chat.update', 'cancel_order'].includes(name))
      .map(({ name }) => name);
    expect(outside).toEqual(['chat.postMessage', 'cancel_order', 'chat.update', 'chat.postMessage']);
    expect(harness.service.organization().orders.get('A-1001')?.requests.cancel_order?.reason).toBe(
      'Ordered twice',
    );
  });
});

describe('an order is cancelled from Slack', () => {
  test.each(['http', 'socket'] as const)(
    'after a review that approves it (none to pending, pending to approved; %s)',
    async (transport) => {
      const harness = await startHarness({ transport });
      await harness.cancelOrder('A-2001');
      await harness.reply('A-2001', /is reviewing it/);
      harness.service.approve('A-2001');
      await harness.reply('A-2001', /is cancelled: the order service confirmed it after a review/);
      expect(await harness.replies('A-2001')).toEqual([
        expect.stringMatching(/^The order service has accepted the request/),
        expect.stringMatching(new RegExp(`^<@${harness.ana.id}>: Order A-2001 is cancelled`)),
      ]);
      expect((await harness.card('A-2001')).text).toContain('confirmed it after a review');
    },
  );

  test('after a denial that is taken back: each entry into a state has a reply of its own', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /is reviewing it/);
    harness.service.deny('A-2001');
    await harness.reply('A-2001', /decided against it/);
    harness.service.backToPending('A-2001');
    await harness.reply('A-2001', /reopened its review/);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    expect(await harness.replies('A-2001')).toEqual([
      expect.stringMatching(/reviewing/),
      expect.stringMatching(/decided against it/),
      expect.stringMatching(/reopened/),
      expect.stringMatching(/confirmed it after a review/),
    ]);
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });
});

describe('the route of the call', () => {
  test.each([
    ['current', '/orders/A-1001/cancel'],
    ['deprecated', '/orders/orders/A-1001/cancel'],
  ])('is the %s one where ORDER_SERVICE_CANCEL_ROUTE says so', async (route, target) => {
    const harness = await startHarness({ env: { ORDER_SERVICE_CANCEL_ROUTE: route } });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    expect(harness.service.calls({ operation: 'cancel_order' }).map((call) => call.target)).toEqual([target]);
  });
});

/** Behaviour that all kinds of request share is tested in failure-paths.test.ts. */
describe('every answer of the order service ends in a sentence', () => {
  test.each([
    ['401 UNAUTHORIZED', 401, 'UNAUTHORIZED', /refused this workspace's token, so /],
    ['403 FORBIDDEN', 403, 'FORBIDDEN', /\n“Invalid” \(FORBIDDEN\)/],
  ])('%s', async (_name, status, code, text) => {
    const harness = await startHarness();
    const body = { code, message: 'Invalid', details: [{ field: 'id', error: 'unknown' }] };
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status, body } });
    await harness.cancelOrder('A-1001');
    const reply = await harness.reply('A-1001', text);
    expect(reply.text).toContain(`<@${harness.ana.id}>`);
    expect(reply.text).toContain('so order A-1001 is not cancelled by this request.');
    await harness.shows('A-1001', text);
  });

  test('a 4xx without a readable body', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'status', status: 404, body: '<html>' },
    });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /It gave no reason \(HTTP 404\)/);
  });

  test('an order that the service does not know', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('X-1');
    await harness.ana.waitForDirectMessage(({ text }) =>
      /X-1.*Check the id and the reason.*VALIDATION_ERROR/s.test(text),
    );
  });

  test('no answer in time: the event that came meanwhile is told in its place, and a later one after it', async () => {
    const harness = await startHarness({
      overrides: { serviceLimits: { deadlineMs: 300, maxBytes: 10_000 } },
    });
    const held = harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'after' },
    });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /has accepted the request and is reviewing it/);
    held.release();
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    const replies = await harness.replies('A-2001');
    expect(replies.filter((text) => /did not answer/.test(text))).toEqual([]);
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('a status that nobody knows: nothing is claimed about the order, and the word is shown as it came', async () => {
    const harness = await startHarness();
    const body = { cancellationStatus: 'escalated', requestedAt: new Date().toISOString() };
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 201, body } });
    await harness.cancelOrder('A-2001');
    const reply = await harness.reply('A-2001', /its answer does not say what became of it/);
    expect(reply.text).not.toMatch(/review|is not cancelled/);
    const card = await harness.card('A-2001');
    expect(harness.slack.renderThread('#support', card.ts)).toContain(
      'The order service reports the status `escalated`.',
    );
  });
});
