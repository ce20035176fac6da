import { describe, expect, test } from 'vitest';
import { recordOf } from '../../support/e2e/approvals.ts';
import { type Harness, type HarnessOptions, startHarness } from '../../support/e2e/harness.ts';
import { needsStorage, STORAGES } from '../../support/e2e/storage.ts';

const calls = (harness: Harness) => harness.service.calls({ operation: 'cancel_order' }).length;

async function record(harness: Harness, outcome: string, who = harness.ana) {
  await who.click('Record the outcome', await harness.card('A-2001'));
  await who.waitForModal({ callback: 'record_outcome' });
  return who.submit({ outcome });
}

/** The service has the request, and its answer is lost. */
async function unknownOutcome(options?: HarnessOptions) {
  const harness = await startHarness(options);
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
  harness.service.events.pause();
  await harness.cancelOrder('A-2001');
  await harness.shows('A-2001', /record the outcome on the card/);
  return harness;
}

describe.each(STORAGES)('with %s, an event about a request that the service had after all', (storage) => {
  needsStorage(storage);

  test('ends it before it is sent again', async () => {
    const harness = await unknownOutcome({ storage });
    const fault = { type: 'rate_limit', retryAfterSeconds: 600 } as const;
    harness.service.faults.schedule({ on: 'cancel_order', fault });
    await record(harness, 'not_received');
    await harness.shows('A-2001', /asked Countermand to slow down/);
    harness.service.events.resume();
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /is cancelled: the order service confirmed it after a review/);
    expect(calls(harness)).toBe(2);
  });
});

describe('an event about a request that the service had after all', () => {
  test('reaches its thread though somebody has released it', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.shows('A-2001', /reviewing/);
    await record(harness, 'release', harness.olga);
    await harness.reply('A-2001', /closed this request/);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /is cancelled: the order service confirmed it after a review/);
  });

  test('is not told of a request that was refused: that one it cannot be about', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 400 } });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /refused/);
    const order = harness.service.addOrder({ id: 'A-2001', reviewed: true });
    const now = new Date().toISOString();
    order.requests.cancel_order = { status: 'approved', reason: 'x', createdAt: now, updatedAt: now };
    const [delivery] = harness.service.deliver(harness.service.prepareEvent('A-2001'));
    await delivery?.settled;
    expect(delivery?.attempts).toEqual([200]);
    // The event is recorded by the time of its answer.
    expect((await recordOf((await harness.terminal()).storage, 'A-2001')).state).toBe('failed');
    expect(await harness.replies('A-2001')).toHaveLength(1);
  });
});

test('a form that is out of date decides nothing about what has happened since', async () => {
  const harness = await unknownOutcome();
  const card = await harness.card('A-2001');
  for (const who of [harness.ana, harness.olga]) {
    await who.click('Record the outcome', card);
    await who.waitForModal({ callback: 'record_outcome' });
  }
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
  await harness.olga.submit({ outcome: 'not_received' });
  await harness.reply('A-2001', /recorded that the request was not received/);
  await expect.poll(() => harness.replies('A-2001')).toHaveLength(3);
  const { modal } = await harness.ana.submit({ outcome: 'not_received' });
  expect(JSON.stringify(modal?.view)).toContain(
    '*Not recorded*, because the request has changed since you saw it.',
  );
  expect(calls(harness)).toBe(2);
});
