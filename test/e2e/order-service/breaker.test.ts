/** An order service in trouble is left alone for a while: agents are told at once, and what waits goes on in order. */
import { describe, expect, test } from 'vitest';
import { startDesk } from '../../support/e2e/harness.ts';

const cancellations = ({ service }: Awaited<ReturnType<typeof startDesk>>) =>
  service.calls({ operation: 'cancel_order' }).map(({ id }) => id);

describe('an order service in trouble', () => {
  test('that asks to slow down is not asked by anybody meanwhile, and everybody is told at once', async () => {
    const desk = await startDesk();
    const fault = { type: 'rate_limit', retryAfterSeconds: 600 } as const;
    desk.service.faults.order({ on: 'cancel_order', fault });
    await desk.ask('A-1001');
    await desk.shows(
      'A-1001',
      /asked Countermand to slow down\. Nothing was received yet, and the request expires/,
    );
    await desk.ask('A-1002', { who: desk.ben });
    await desk.shows(
      'A-1002',
      /asked Countermand to slow down\. Nothing was received yet, and the request expires/,
    );
    expect(cancellations(desk)).toEqual(['A-1001']);
  });

  test('is called again once the pause is over, for each request once, in the order in which they wait', async () => {
    const desk = await startDesk();
    const fault = { type: 'rate_limit', retryAfterSeconds: 2 } as const;
    desk.service.faults.order({ on: 'cancel_order', fault });
    await desk.ask('A-1001');
    await desk.shows('A-1001', /asked Countermand to slow down/);
    const waiting = ['A-1002', 'A-1003', 'A-1004'];
    for (const order of waiting) {
      await desk.ask(order);
      await desk.shows(order, /asked Countermand to slow down/);
    }
    for (const order of ['A-1001', ...waiting]) await desk.reply(order, /is cancelled/);
    const [first, ...others] = cancellations(desk);
    expect(first).toBe('A-1001');
    expect(others.filter((order) => order !== 'A-1001')).toEqual(waiting);
    expect(others).toHaveLength(4);
  });

  test('that cannot be reached is found again by itself', async () => {
    const desk = await startDesk();
    await desk.service.setReachable(false);
    await desk.ask('A-1001');
    await desk.ask('A-1002');
    for (const order of ['A-1001', 'A-1002']) {
      await desk.shows(order, /could not be reached\. Nothing was received yet/);
    }
    await desk.service.setReachable(true);
    for (const order of ['A-1001', 'A-1002']) await desk.reply(order, /is cancelled/);
    expect(cancellations(desk).toSorted()).toEqual(['A-1001', 'A-1002']);
  });

  test('that failed three times in a row is not given a fourth request to lose', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'unanswered' }, times: 3 });
    for (const order of ['A-1001', 'A-1002', 'A-1003']) {
      await desk.ask(order);
      await desk.reply(order, /may or may not/);
    }
    await desk.ask('A-1004');
    await desk.shows('A-1004', /has failed several times in a row\. Nothing was received yet/);
    await desk.reply('A-1004', /is cancelled/);
    // What may have been received is never sent again.
    expect(cancellations(desk)).toEqual(['A-1001', 'A-1002', 'A-1003', 'A-1004']);
  });
});
