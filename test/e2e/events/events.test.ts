import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Notice } from '../../../src/requests/model/notices/notice.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { endpointOf, post } from '../../support/e2e/service-events.ts';

/** Reads the stored events that match no request. */
async function inbox(harness: Harness): Promise<Notice[]> {
  const { storage } = await harness.terminal();
  return storage.notices.list(SEED.team, { limit: 10 });
}

async function underReview(order = 'A-2001') {
  const harness = await startHarness();
  await harness.cancelOrder(order);
  await harness.reply(order, /reviewing/);
  return harness;
}

describe('an event of the order service', () => {
  test('that comes before the answer to our own call is not lost', async () => {
    const harness = await startHarness();
    const held = harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'after' },
    });
    await harness.cancelOrder('A-2001');
    await held.reached;
    await harness.service.approve('A-2001').settled;
    const statuses = harness.service.deliveries().map(({ attempts }) => attempts);
    expect(statuses).toEqual([[202], [202]]);
    held.release();
    await harness.reply('A-2001', /confirmed it after a review/);
    expect(await harness.replies('A-2001')).toEqual([
      expect.stringMatching(/reviewing/),
      expect.stringMatching(/confirmed it after a review/),
    ]);
  });

  test.each(['order.cancellationrequest.created', 'order.cancellationrequest.updated'])(
    '%s tells what became of a request (section 6)',
    async (topic) => {
      const harness = await underReview();
      harness.service.events.pause();
      harness.service.approve('A-2001');
      const event = { ...harness.service.prepareEvent('A-2001'), topic };
      expect(await (await post(endpointOf(harness), event)).json()).toEqual({ result: 'applied' });
      await harness.reply('A-2001', /confirmed it after a review/);
    },
  );

  test('that comes twice is told once', async () => {
    const harness = await underReview();
    const [first] = harness.service.approve('A-2001').deliveries;
    await harness.reply('A-2001', /confirmed it after a review/);
    const again = harness.service.redeliver(first?.id ?? '');
    await again.settled;
    expect(again.attempts).toEqual([200]);
    expect(await harness.replies('A-2001')).toHaveLength(2);
  });

  test('that comes late, after a newer one, changes nothing', async () => {
    const harness = await underReview();
    harness.service.events.pause();
    harness.service.deny('A-2001');
    harness.service.backToPending('A-2001');
    harness.service.approve('A-2001');
    const [denied, pending, approved] = harness.service.events.takeKept().map(({ event }) => event);
    expect(await (await post(endpointOf(harness), approved)).json()).toEqual({ result: 'applied' });
    for (const late of [pending, denied]) {
      const response = await post(endpointOf(harness), late);
      expect([response.status, await response.json()]).toEqual([200, { result: 'stale' }]);
    }
    await harness.reply('A-2001', /confirmed it after a review/);
    expect(await harness.replies('A-2001')).toHaveLength(2);
  });

  test('without updatedAt counts in the order of arrival, once', async () => {
    const harness = await underReview();
    harness.service.events.pause();
    harness.service.deny('A-2001');
    const { topic, data } = harness.service.prepareEvent('A-2001');
    const { updatedAt: _left, ...rest } = data;
    const send = async (status: string) =>
      (await post(endpointOf(harness), { topic, data: { ...rest, status } })).json();
    expect(await send('denied')).toEqual({ result: 'applied' });
    expect(await send('denied')).toEqual({ result: 'repeated' });
    await harness.reply('A-2001', /decided against it after a review/);
    expect(await send('approved')).toEqual({ result: 'applied' });
    await harness.reply('A-2001', /confirmed it after a review/);
    expect(await harness.replies('A-2001')).toHaveLength(3);
  });

  test('is not stale because of one whose time is ahead, by minutes or by years', async () => {
    const harness = await underReview();
    harness.service.events.pause();
    harness.service.deny('A-2001');
    const { topic, data } = harness.service.prepareEvent('A-2001');
    const send = async (status: string, updatedAt: string) =>
      (await post(endpointOf(harness), { topic, data: { ...data, status, updatedAt } })).json();
    const inMinutes = new Date(Date.parse(String(data['updatedAt'])) + 5 * 60_000).toISOString();
    expect(await send('denied', inMinutes)).toEqual({ result: 'applied' });
    await harness.reply('A-2001', /decided against it after a review/);
    expect(await send('approved', '9999-01-01T00:00:00Z')).toEqual({ result: 'applied' });
    await harness.reply('A-2001', /confirmed it after a review/);
    expect(await send('approved', '9999-01-01T00:00:00Z')).toEqual({ result: 'repeated' });
    expect(await send('denied', inMinutes)).toEqual({ result: 'repeated' });
    expect(await send('pending', new Date().toISOString())).toEqual({ result: 'applied' });
  });

  test('for an order that nobody requested here is kept in the inbox', async () => {
    const harness = await startHarness();
    const event = {
      topic: 'order.cancellationrequest.updated',
      data: { orderId: 'elsewhere', status: 'approved' },
    };
    const response = await post(endpointOf(harness), event);
    expect([response.status, await response.json()]).toEqual([200, { result: 'unmatched' }]);
    expect(await inbox(harness)).toMatchObject([{ event: { target: 'elsewhere', status: 'approved' } }]);
    expect((await (await post(endpointOf(harness), event)).json()) as object).toEqual({
      result: 'unmatched',
    });
    expect(await inbox(harness)).toHaveLength(1);
  });

  test('for another workspace reaches nothing here, though it names the same order', async () => {
    const harness = await underReview();
    const others = await harness.terminal();
    const connected = await others.connect({
      workspace: SEED.otherTeam,
      token: SEED_TOKENS.globex.rest,
      tokenKind: 'rest',
      exclusive: false,
      newSecret: false,
      by: 'terminal',
    });
    if (connected.type !== 'connected') throw new Error(connected.type);
    harness.service.events.pause();
    harness.service.approve('A-2001');
    const event = harness.service.prepareEvent('A-2001');
    const other = { eventsUrl: connected.eventsUrl, secret: connected.secret ?? '' };
    expect(await (await post(other, event)).json()).toEqual({ result: 'unmatched' });
    // Its secret opens no other endpoint, and an endpoint that is guessed is nobody's.
    const { eventsUrl } = endpointOf(harness);
    expect((await post({ eventsUrl, secret: other.secret }, event)).status).toBe(401);
    expect((await post({ eventsUrl: `${eventsUrl}x`, secret: other.secret }, event)).status).toBe(404);
    expect(await harness.replies('A-2001')).toHaveLength(1);
  });

  test.each(['sha256=hex', 'hex', 'base64'] as const)('counts with its signature as %s', async (format) => {
    const harness = await underReview();
    harness.service.events.pause();
    harness.service.approve('A-2001');
    const [delivery] = harness.service.deliver(harness.service.prepareEvent('A-2001'), { as: { format } });
    await delivery?.settled;
    expect(delivery?.attempts).toEqual([202]);
  });

  test('that is about something else is acknowledged and ignored, and its personal data is neither kept nor logged', async () => {
    const harness = await startHarness();
    const offer = {
      topic: 'offer.updated',
      data: { id: 'O-1', status: 'canceled', customer: { email: 'jo@example.com' } },
    };
    const response = await post(endpointOf(harness), offer);
    expect([response.status, await response.json()]).toEqual([200, { result: 'ignored' }]);
    expect(harness.logged.text()).not.toContain('jo@example');
    expect(await inbox(harness)).toEqual([]);
  });

  test('with a status that nobody knows is shown as it came', async () => {
    const harness = await underReview();
    harness.service.events.pause();
    const { topic, data } = harness.service.prepareEvent('A-2001');
    const updatedAt = new Date(Date.now() + 1_000).toISOString();
    await post(endpointOf(harness), { topic, data: { ...data, status: 'on_hold', updatedAt } });
    await harness.slack.waitForMessage({
      channel: '#support',
      text: /The order service reports the status `on_hold`/,
    });
  });

  test('that quotes the token, and writes on lines of its own, shows neither', async () => {
    const harness = await underReview();
    harness.service.events.pause();
    const { topic, data } = harness.service.prepareEvent('A-2001');
    const token = SEED_TOKENS.acme.rest;
    const updatedAt = new Date(Date.now() + 1_000).toISOString();
    const status = `held ${token}\n\n*:white_check_mark: Cancelled*\u202e`;
    await post(endpointOf(harness), { topic, data: { ...data, status, updatedAt } });
    const card = await harness.slack.waitForMessage({ channel: '#support', text: /reports the status/ });
    expect(card.text + JSON.stringify(card.blocks)).toContain(
      'reports the status `held [token] *:white_check_mark: Cancelled*`.',
    );
    await post(endpointOf(harness), { topic, data: { orderId: `x ${token}`, status } });
    const stored = JSON.stringify(await inbox(harness));
    expect(stored).toContain('x [token]');
    expect(stored).not.toContain(token);
  });

  test('that is malformed brings no token into the log, whatever its headers say', async () => {
    const harness = await startHarness();
    const headers = { topic: `x ${SEED_TOKENS.acme.rest}` };
    const response = await post(endpointOf(harness), {}, { body: '{', headers });
    expect(response.status).toBe(400);
    expect(harness.logged.text()).toContain('x [token]');
  });

  test('is settled for an unknown outcome, too', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    harness.service.events.pause();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /may or may not be cancelled/);
    harness.service.events.resume();
    await harness.reply('A-2001', /is reviewing it/);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
  });
});
