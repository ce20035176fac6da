import { describe, expect, test } from 'vitest';
import type { InspectorViewModel } from '../../../page/view-model/inspector.ts';
import { TROUBLES, type Trouble } from '../../../page/view-model/troubles.ts';
import { openPageHarness } from '../support/harness.ts';

/** Opens a harness with a page, and with the switches for the troubles of its order service. */
async function openTroubledHarness() {
  const harness = await openPageHarness();
  const set = (trouble: Trouble, isOn: boolean) =>
    harness.control('POST', '/orders/control/troubles', { trouble, isOn });
  const isCancelled = (orderId: string) =>
    harness.service.organization().orders.get(orderId)?.requests.cancel_order?.status === 'canceled';
  return { ...harness, set, isCancelled };
}

describe('an order service that', () => {
  test('is slow cancels at once, and lets wait for longer than Slack does', async () => {
    const { set, cancel, isCancelled, journal, service } = await openTroubledHarness();
    await set('slow', true);
    const leaving = new AbortController();
    journal.onBegin(() => leaving.abort());
    await expect(cancel('A-1001', { signal: leaving.signal })).rejects.toThrow();
    const entry = await journal.waitFor({ name: 'cancel_order' });
    expect(entry).toMatchObject({ ended: 'client_gone', processed: true, fault: { type: 'delay_answer' } });
    expect((entry.fault as { ms: number }).ms).toBeGreaterThan(3_000);
    expect(isCancelled('A-1001')).toBe(true);
    await set('slow', false);
    expect((await cancel('A-1002')).status).toBe(201);
    expect(service.calls()).toHaveLength(2);
  });

  test('is down is not there, until it is there again at the same address', async () => {
    const { set, cancel, service } = await openTroubledHarness();
    await set('down', true);
    const refused = await cancel('A-1001').catch((error: Error) => error.cause);
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    expect(service.calls()).toEqual([]);
    await set('down', false);
    expect((await cancel('A-1001')).status).toBe(201);
  });

  test('fails answers 500, and does nothing', async () => {
    const { set, cancel, isCancelled } = await openTroubledHarness();
    await set('error', true);
    for (const id of ['A-1001', 'A-1001']) expect((await cancel(id)).status).toBe(500);
    expect(isCancelled('A-1001')).toBe(false);
    await set('error', false);
    expect((await cancel('A-1001')).status).toBe(201);
  });

  test('is asked too often says for how long to wait, and does nothing', async () => {
    const { set, cancel, isCancelled } = await openTroubledHarness();
    await set('rate_limited', true);
    for (const id of ['A-1001', 'A-1001']) {
      const { status, headers } = await cancel(id);
      expect([status, headers.get('retry-after')]).toEqual([429, '5']);
    }
    expect(isCancelled('A-1001')).toBe(false);
    await set('rate_limited', false);
    expect((await cancel('A-1001')).status).toBe(201);
  });

  test('loses its answers does what it is asked, and drops the connection', async () => {
    const { set, cancel, isCancelled, service, journal } = await openTroubledHarness();
    await set('unanswered', true);
    for (const id of ['A-1001', 'A-1002']) {
      await expect(cancel(id)).rejects.toThrow();
      expect(isCancelled(id)).toBe(true);
    }
    expect(service.calls()).toMatchObject([{ id: 'A-1001' }, { id: 'A-1002' }]);
    expect(journal.entries({ name: 'cancel_order' })).toMatchObject([
      { ended: 'unanswered', processed: true },
      { ended: 'unanswered', processed: true },
    ]);
    await set('unanswered', false);
    expect((await cancel('A-1003')).status).toBe(201);
  });
});

test.each(TROUBLES)('%s can be switched on and off again, each of it twice', async (trouble) => {
  const { set, cancel } = await openTroubledHarness();
  for (const isOn of [true, true, false, false]) expect((await set(trouble, isOn)).status).toBe(200);
  expect((await cancel('A-1001')).status).toBe(201);
});

test('a trouble is told to everyone who has the inspector open', async () => {
  const { set, inspector } = await openTroubledHarness();
  const stream = await inspector();
  const none = { slow: false, down: false, error: false, rate_limited: false, unanswered: false };
  const next = async () => (await stream.next<InspectorViewModel>('inspector')).data.troubles;
  expect(await next()).toEqual(none);
  await set('down', true);
  expect(await next()).toEqual({ ...none, down: true });
  await set('slow', true);
  expect(await next()).toEqual({ ...none, down: true, slow: true });
  await set('down', false);
  expect(await next()).toEqual({ ...none, slow: true });
});
