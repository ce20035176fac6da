import { describe, expect } from 'vitest';
import { SEED_TOKENS } from '../../order-service/world/seed.ts';
import { callRawTarget, openOrderServiceHarness, test } from '../support/order-service-harness.ts';

describe('cancel order', () => {
  test('an order that can be cancelled at once is canceled, and no event follows', async () => {
    const { cancel, service, bot } = await openOrderServiceHarness();
    service.subscribe({ url: bot.url, secret: 'shared' });

    const { status, body } = await cancel('A-1001', 'Wrong size');

    expect(status).toBe(201);
    expect(body).toEqual({
      cancellationStatus: 'canceled',
      cancellationReason: 'Wrong size',
      requestedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(service.deliveries()).toEqual([]);
  });

  test('an order that is reviewed is pending', async ({ cancel }) => {
    expect((await cancel('A-2001')).body).toMatchObject({ cancellationStatus: 'pending' });
  });

  test.for([
    ['no body', undefined],
    ['a body that is no JSON', '{reason'],
    ['no reason', {}],
    ['an empty reason', { reason: ' ' }],
    ['a reason that is no string', { reason: 7 }],
  ] as const)('%s is a VALIDATION_ERROR with its field', async ([, body], { call }) => {
    expect(await call('POST', '/orders/A-1001/cancel', { body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: [{ field: 'reason', error: 'is required' }] },
    });
  });

  test('an order is not cancelled twice, unless the first request was denied', async () => {
    const { cancel, service } = await openOrderServiceHarness();
    await cancel('A-2001');
    expect(await cancel('A-2001')).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    service.deny('A-2001');
    expect((await cancel('A-2001')).status).toBe(201);
  });

  test('an unknown order and an order of another organization are refused alike', async ({ cancel }) => {
    const [unknown, foreign] = await Promise.all([cancel('A-9999'), cancel('G-1001')]);
    expect(unknown.status).toBe(400);
    expect(foreign.body).toEqual(unknown.body);
  });
});

describe('tokens', () => {
  test('a missing token is UNAUTHORIZED', async ({ call }) => {
    expect(await call('GET', '/prod/offers/sub-brands', { token: '' })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED', message: expect.any(String) },
    });
  });

  test('a token revokes itself, and others stay', async ({ call }) => {
    const { rest, graphql } = SEED_TOKENS.acme;
    expect((await call('DELETE', '/token', { token: rest })).status).toBe(204);
    expect((await call('DELETE', '/token', { token: rest })).status).toBe(401);
    expect((await call('GET', '/prod/offers/sub-brands', { token: graphql })).status).toBe(200);
  });
});

describe('offers and sub-brands', () => {
  test('sub-brands are listed per organization, and their lack has a code', async ({ call }) => {
    expect((await call('GET', '/prod/offers/sub-brands')).body).toContainEqual({
      id: 'sb-1',
      name: 'Acme Home',
    });
    const token = SEED_TOKENS.globex.rest;
    expect((await call('GET', '/prod/offers/sub-brands', { token })).body).toMatchObject({
      code: 'SUB_BRANDS_NOT_FOUND',
    });
  });

  test('a pending offer is sent once, then cancelled once', async ({ call }) => {
    expect((await call('POST', '/prod/offers/O-3001/send')).body).toMatchObject({ success: true });
    expect((await call('POST', '/prod/offers/O-3001/send')).body).toMatchObject({
      code: 'OFFER_CANCELLATION_ERROR',
    });
    expect((await call('POST', '/prod/offers/O-3001/cancel')).body).toMatchObject({
      offerId: 'O-3001',
      status: 'CANCELED',
    });
    expect((await call('POST', '/prod/offers/O-3001/cancel')).body).toMatchObject({
      code: 'OFFER_CANCELLATION_ERROR',
    });
  });

  test('an offer can be forbidden or unknown', async ({ call }) => {
    expect((await call('POST', '/prod/offers/O-3003/cancel')).body).toMatchObject({ code: 'FORBIDDEN' });
    expect((await call('POST', '/prod/offers/O-9/cancel')).body).toMatchObject({ code: 'OFFER_NOT_FOUND' });
  });
});

describe('paths', () => {
  test.for([
    '/orders/../token/cancel',
    '/orders/a/b/cancel',
    '/orders//cancel',
    '/orders/%zz/cancel',
    '/orders/?x/cancel',
    '/token/../orders/A-1001/cancel',
    '//orders/A-1001/cancel',
  ] as const)(
    '%s reaches no order, and the journal has it as it came',
    async (target, { service, journal }) => {
      const status = await callRawTarget(service.url, target, SEED_TOKENS.acme.rest);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(service.organization().orders.get('A-1001')?.requests.cancel_order).toBeUndefined();
      expect(journal.entries({ kind: 'order_service' })[0]?.request).toMatchObject({ target });
    },
  );

  test('an encoded id is one segment, and is decoded', async ({ cancel, service }) => {
    service.addOrder({ id: 'a/../b?c#d é' });
    expect((await cancel(encodeURIComponent('a/../b?c#d é'))).status).toBe(201);
  });
});

test('calls are counted by order, refused ones included', async ({ cancel, service }) => {
  service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 503 } });
  await cancel('A-1001');
  await cancel('A-1001');
  await cancel('A-1002');
  expect(service.calls({ orderId: 'A-1001' }).map(({ status }) => status)).toEqual([undefined, 201]);
  expect(service.calls({ operation: 'cancel_order' })).toHaveLength(3);
});
