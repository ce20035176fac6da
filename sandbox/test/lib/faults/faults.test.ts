import { describe, expect } from 'vitest';
import { openOrderServiceHarness, test } from '../../support/order-service-harness.ts';

const state = (harness: Awaited<ReturnType<typeof openOrderServiceHarness>>) =>
  harness.service.organization().orders.get('A-1001')?.requests.cancel_order?.status;

describe('a fault before processing leaves no trace', () => {
  test.for([
    [{ type: 'rate_limit', retryAfterSeconds: 7 }, 429, { 'retry-after': '7' }],
    [{ type: 'status', status: 500, body: { code: 'INTERNAL_SERVER_ERROR' } }, 500, {}],
    [{ type: 'redirect', status: 307, location: '/elsewhere' }, 307, { location: '/elsewhere' }],
  ] as const)('%j', async ([fault, status, headers], { harness }) => {
    harness.service.faults.schedule({ on: 'cancel_order', fault });
    const answer = await harness.cancel('A-1001');
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    if ('body' in fault) expect(answer.body).toEqual(fault.body);
    expect(state(harness)).toBeUndefined();
  });

  test('drop destroys the socket', async ({ harness }) => {
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'drop' } });
    await expect(harness.cancel('A-1001')).rejects.toThrow();
    expect(state(harness)).toBeUndefined();
    expect(harness.journal.entries({ name: 'cancel_order' })).toMatchObject([
      { ended: 'dropped', processed: false },
    ]);
  });
});

describe('a fault after processing hides what was done', () => {
  test.for(['unanswered', 'truncated', 'garbage'] as const)('%s', async (type, { harness }) => {
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type } });
    await expect(harness.cancel('A-1001')).rejects.toThrow();
    expect(state(harness)).toBe('canceled');
    expect(harness.journal.entries({ name: 'cancel_order' })).toMatchObject([
      { processed: true, fault: { type } },
    ]);
  });

  test('status_after', async ({ harness }) => {
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status_after', status: 502 } });
    expect((await harness.cancel('A-1001')).status).toBe(502);
    expect(state(harness)).toBe('canceled');
  });
});

test.for(['delay', 'delay_answer'] as const)('%s answers in the end', async (type, { harness }) => {
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type, ms: 5 } });
  expect((await harness.cancel('A-1001')).status).toBe(201);
});

describe('a hold', () => {
  test.for(['before', 'after'] as const)(
    '%s processing lets the request go on when it is released',
    async (when, { harness }) => {
      const hold = harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'hold', when } });
      const answer = harness.cancel('A-1001');
      await hold.reached;
      expect(state(harness)).toBe(when === 'before' ? undefined : 'canceled');
      hold.release();
      expect((await answer).status).toBe(201);
    },
  );

  test.each(['before', 'after'] as const)('%s processing copes with a client that dies', async (when) => {
    const harness = await openOrderServiceHarness();
    const hold = harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'hold', when } });
    const dying = new AbortController();
    const url = `${harness.service.url}/orders/A-1001/cancel`;
    const headers = { authorization: `Bearer ${harness.service.organization().tokens[0]?.token}` };
    const call = fetch(url, { method: 'POST', headers, body: '{"reason":"Late"}', signal: dying.signal });
    await hold.reached;
    dying.abort();
    await expect(call).rejects.toThrow();
    const entry = await harness.journal.waitFor({ name: 'cancel_order' });
    expect(entry).toMatchObject({ ended: 'client_gone', processed: when === 'after' });
    expect(state(harness)).toBe(when === 'before' ? undefined : 'canceled');
  });

  test('ends when the service closes', async ({ harness }) => {
    const hold = harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'before' },
    });
    const answer = harness.cancel('A-1001').catch(() => 'gone');
    await hold.reached;
    await harness.service.close();
    await answer;
  });
});

describe('a scheduled fault', () => {
  test('applies to matching requests only, after `skip` of them, `times` times', async ({ harness }) => {
    const fault = { type: 'status', status: 503 } as const;
    const scheduled = harness.service.faults.schedule({
      on: 'cancel_order',
      where: { id: 'A-1001' },
      skip: 1,
      times: 2,
      fault,
    });
    const statuses: number[] = [];
    for (const id of ['A-1002', 'A-1001', 'A-1001', 'A-1002', 'A-1001', 'A-1001']) {
      statuses.push((await harness.cancel(id)).status);
    }
    expect(statuses).toEqual([201, 201, 503, 400, 503, 400]);
    expect(scheduled.remaining).toBe(0);
  });

  test('that has applied to no request is reported when the service closes', async ({ harness }) => {
    harness.service.faults.schedule({ on: 'cancel_order', where: { id: 'A-9' }, fault: { type: 'drop' } });
    await harness.cancel('A-1001');
    await expect(harness.service.close()).rejects.toThrow(/no request.*'A-9'/s);
  });

  test.for(['socket.connect', 'socket.envelope'])(
    'of a kind that %s cannot have is refused',
    async (on, { harness }) => {
      const late = { type: 'hold', when: 'late' } as const;
      expect(() => harness.service.faults.schedule({ on, fault: late })).toThrow(on);
    },
  );

  test('can be cancelled', async ({ harness }) => {
    harness.service.faults.schedule({ on: '*', fault: { type: 'drop' } }).cancel();
    expect((await harness.cancel('A-1001')).status).toBe(201);
  });
});
