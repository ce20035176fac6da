import { describe, expect, test } from 'vitest';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';

const calls = (desk: Desk) => desk.service.calls({ operation: 'cancel_order' }).length;

async function record(desk: Desk, outcome: string, who = desk.ana) {
  await who.click('Record the outcome', await desk.card('A-2001'));
  await who.waitForModal(({ callback_id }) => callback_id === 'record_outcome');
  return who.submit({ outcome });
}

/** The service has the request, and its answer is lost. */
async function unknownOutcome() {
  const desk = await startDesk();
  desk.service.faults.order({ on: 'cancel_order', fault: { type: 'unanswered' } });
  desk.service.events.pause();
  await desk.ask('A-2001');
  await desk.shows('A-2001', /may or may not/);
  return desk;
}

describe('an event about a request that the service had after all', () => {
  test('ends it before it is sent again', async () => {
    const desk = await unknownOutcome();
    const fault = { type: 'rate_limit', retryAfterSeconds: 600 } as const;
    desk.service.faults.order({ on: 'cancel_order', fault });
    await record(desk, 'not_received');
    await desk.shows('A-2001', /asked Countermand to slow down/);
    desk.service.events.resume();
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /is cancelled: the review approved/);
    expect(calls(desk)).toBe(2);
  });

  test('reaches its thread though somebody has released it', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.shows('A-2001', /reviewing/);
    await record(desk, 'release', desk.olga);
    await desk.reply('A-2001', /closed this request/);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /is cancelled: the review approved/);
  });

  test('is not told of a request that was refused: that one it cannot be about', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 400 } });
    await desk.ask('A-2001');
    await desk.reply('A-2001', /refused/);
    const order = desk.service.addOrder({ id: 'A-2001', reviewed: true });
    const now = new Date().toISOString();
    order.cancellation = { status: 'approved', reason: 'x', createdAt: now, updatedAt: now };
    await desk.service.deliver(desk.service.prepareEvent('A-2001'))[0]?.settled;
    expect(await desk.replies('A-2001')).toHaveLength(1);
  });
});

test('a form that is out of date decides nothing about what has happened since', async () => {
  const desk = await unknownOutcome();
  const card = await desk.card('A-2001');
  for (const who of [desk.ana, desk.olga]) {
    await who.click('Record the outcome', card);
    await who.waitForModal(({ callback_id }) => callback_id === 'record_outcome');
  }
  desk.service.faults.order({ on: 'cancel_order', fault: { type: 'unanswered' } });
  await desk.olga.submit({ outcome: 'not_received' });
  await expect.poll(() => desk.replies('A-2001')).toHaveLength(2);
  const { modal } = await desk.ana.submit({ outcome: 'not_received' });
  expect(JSON.stringify(modal?.view)).toContain('This request has already changed, so nothing was done.');
  expect(calls(desk)).toBe(2);
});
