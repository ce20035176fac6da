import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { openOrderServiceHarness, test } from '../support/order-service-harness.ts';

const secret = 'a-shared-secret-of-the-events';
const sha256 = (body: string) => createHmac('sha256', secret).update(body);

test('a reviewed cancellation sends a created and then an updated event, each signed over its bytes', async () => {
  const { cancel, service, bot } = await openOrderServiceHarness();
  service.subscribe({ url: bot.url, secret });

  const { body } = await cancel('A-2001', 'Too late');
  await service.approve('A-2001').settled;
  const [created, updated] = await bot.count(2);

  const { requestedAt } = body as { requestedAt: string };
  expect(created?.headers['topic']).toBe('order.cancellationrequest.created');
  expect(JSON.parse(created?.body ?? '')).toEqual({
    topic: 'order.cancellationrequest.created',
    data: {
      orderId: 'A-2001',
      poNumber: 'PO-2001',
      status: 'pending',
      reason: 'Too late',
      createdAt: requestedAt,
      updatedAt: requestedAt,
      requestedByUserId: expect.any(String),
    },
  });
  expect(JSON.parse(updated?.body ?? '')).toMatchObject({
    topic: 'order.cancellationrequest.updated',
    data: { status: 'approved', createdAt: requestedAt },
  });
  expect(updated?.headers['x-sibi-signature-256']).toBe(
    `sha256=${sha256(updated?.body ?? '').digest('hex')}`,
  );
});

test('decisions can go to and fro, each later than the one before', async ({ cancel, service }) => {
  await cancel('A-2001');
  const times = [service.deny('A-2001'), service.backToPending('A-2001'), service.approve('A-2001')].map(
    ({ event }) => String(event.data['updatedAt']),
  );
  expect(times).toEqual([...new Set(times)].sort());
});

test('a failed delivery is tried five times more, then given up, and can be redelivered', async () => {
  const { cancel, service, bot } = await openOrderServiceHarness();
  service.subscribe({ url: bot.url, secret });
  bot.answer(() => ({ status: 503 }));
  await cancel('A-2001');
  const [failed] = service.deliveries();
  await failed?.settled;
  expect(failed).toMatchObject({ state: 'given_up', attempts: [503, 503, 503, 503, 503, 503] });

  bot.answer(() => ({ status: 202 }));
  const again = service.redeliver(failed?.id ?? '');
  await again.settled;
  expect(again).toMatchObject({ state: 'delivered', attempts: [202] });
  expect(bot.received[6]?.body).toBe(bot.received[0]?.body);
});

test('events can be kept, edited, reordered, repeated and forged', async ({ cancel, service, bot }) => {
  service.subscribe({ url: bot.url, secret });
  service.events.pause();
  await cancel('A-2001');
  service.approve('A-2001');
  const [created, approved] = service.events.takeKept().map(({ event }) => event);
  if (!created || !approved) throw new Error('two events must have been kept');

  const { updatedAt: _, ...undated } = approved.data;
  await service.deliver({ ...approved, data: undated })[0]?.settled;
  await service.deliver(created)[0]?.settled;
  await service.deliver(created)[0]?.settled;
  await service.deliver(approved, { as: { secret: 'a-guess' } })[0]?.settled;

  expect(bot.received.map(({ headers }) => headers['topic'])).toEqual([
    approved.topic,
    created.topic,
    created.topic,
    approved.topic,
  ]);
  expect(bot.received[0]?.body).not.toContain('updatedAt');
  expect(bot.received[3]?.headers['x-sibi-signature-256']).not.toContain(
    sha256(bot.received[3]?.body ?? '').digest('hex'),
  );
});

test('an event can come before the answer to the call', async ({ cancel, service, bot, journal }) => {
  service.subscribe({ url: bot.url, secret });
  const hold = service.faults.schedule({ on: 'cancel_order', fault: { type: 'hold', when: 'after' } });
  const answer = cancel('A-2001');
  await hold.reached;
  await service.approve('A-2001').settled;
  await bot.count(2);
  hold.release();
  await answer;
  const names = journal.entries().map(({ name }) => name);
  expect(names.indexOf('order.cancellationrequest.updated')).toBeLessThan(names.indexOf('cancel_order'));
});

test('an organization hears only of its own orders', async ({ cancel, service, bot }) => {
  service.subscribe({ url: bot.url, secret, organization: 'globex' });
  await cancel('A-2001');
  expect(service.deliveries()).toEqual([]);
});
