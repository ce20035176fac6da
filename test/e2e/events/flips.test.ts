import { describe, expect, test } from 'vitest';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { endpointOf, post } from '../../support/e2e/service-events.ts';
import { withRequests } from '../../support/storage/with-requests.ts';

const ORDER = 'A-2001';
const WORDS = ['denied', 'pending'] as const;

/** Tells of a request that the service denies and reviews again in turn. @returns sends the next of its events */
async function flipping(harness: Harness) {
  await harness.cancelOrder(ORDER);
  await harness.reply(ORDER, /reviewing/);
  harness.service.events.pause();
  const { topic, data } = harness.service.prepareEvent(ORDER);
  const from = Date.parse(String(data['updatedAt']));
  let n = 0;
  return (given: object = {}) => {
    const status = WORDS[n % 2];
    n += 1;
    const updatedAt = new Date(from + n * 1_000).toISOString();
    return post(endpointOf(harness), { topic, data: { ...data, status, updatedAt, ...given } });
  };
}

describe('an order service that changes its word', () => {
  test('before Slack takes the reply is told of in one, which says how often', async () => {
    const harness = await startHarness();
    const flip = await flipping(harness);
    harness.slack.faults.schedule({
      on: 'chat.postMessage',
      fault: { type: 'rate_limit', retryAfterSeconds: 1 },
    });
    for (let n = 0; n < 5; n++) expect((await flip()).status).toBe(202);
    await harness.reply(ORDER, /is not cancelled: .* changed its answer \d times before I could post this/);
    expect(await harness.replies(ORDER)).toHaveLength(2);
    await harness.shows(ORDER, /decided against it after a review/);
  });

  test('again and again is told of in twenty replies, and then in one that is kept up to date', async () => {
    const harness = await startHarness();
    const flip = await flipping(harness);
    for (let n = 1; n < 20; n++) {
      await flip();
      await expect.poll(async () => (await harness.replies(ORDER)).length).toBe(n + 1);
    }
    for (let n = 20; n < 40; n++) await flip();
    await harness.reply(
      ORDER,
      /is not cancelled: .* has changed its answer 39 times\. I keep this reply up to date/,
    );
    expect(await harness.replies(ORDER)).toHaveLength(21);
  });
});

describe('more events of an order than can wait', () => {
  test('for the answer to a call are refused, and nothing of them is stored', async () => {
    const harness = await startHarness();
    const held = harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'after' },
    });
    harness.service.events.pause();
    await harness.cancelOrder(ORDER);
    await held.reached;
    const { topic, data } = harness.service.prepareEvent(ORDER);
    const send = (n: number, given: object = {}) => {
      const createdAt = new Date(Date.parse(String(data['createdAt'])) - n * 60_000).toISOString();
      return post(endpointOf(harness), { topic, data: { ...data, createdAt, ...given } });
    };
    for (let n = 0; n < 60; n++) expect((await send(n)).status).toBe(n < 50 ? 202 : 503);
    expect((await send(0, { status: 'approved', updatedAt: '2999-01-01T00:00:00Z' })).status).toBe(202);
    expect(harness.logged.text()).toContain('event refused: too many events');
    held.release();
    await harness.reply(ORDER, /confirmed it after a review/);
  });

  test('to be applied are refused, and those that were accepted are applied in turn', async () => {
    const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>();
    let isSlow = false;
    let reading = 0;
    const slowly = (store: RequestStore): RequestStore => ({
      ...store,
      async listBySubject(...given) {
        if (!isSlow) return store.listBySubject(...given);
        reading += 1;
        await isBack;
        return store.listBySubject(...given);
      },
    });
    const harness = await startHarness({ overrides: { storage: withRequests(slowly) } });
    const flip = await flipping(harness);
    isSlow = true;
    const first = flip();
    await expect.poll(() => reading).toBe(1);
    const statuses: number[] = [];
    const rest = Array.from({ length: 120 }, async () => void statuses.push((await flip()).status));
    await expect.poll(() => statuses).toEqual(Array.from({ length: 20 }, () => 503));
    expect(reading).toBe(1);
    comeBack();
    await Promise.all([first, ...rest]);
    expect(statuses.slice(20)).toEqual(Array.from({ length: 100 }, () => expect.toBeOneOf([200, 202])));
    expect(await harness.metrics()).toMatch(/from="order_service",reason="too_many"\} 20/);
  });
});
