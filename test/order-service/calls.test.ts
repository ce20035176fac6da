import { describe, expect, onTestFinished, test } from 'vitest';
import { checkToken, createOrderCalls } from '../../src/order-service/calls.ts';
import { createOrderService } from '../../src/order-service/client.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import type { Tokens } from '../../src/requests/ports/ports.ts';
import { heldToken, orderService, TOKEN, tokens } from '../support/order-service/order-service.ts';
import { calling, HELD } from '../support/requests/records.ts';
import { hostileService } from './hostile-service.ts';

const log = SILENT;
const { record } = calling();

async function calls(take?: Tokens['take']) {
  const { client, service } = await orderService();
  const held = tokens(take);
  const { verdicts } = held;
  return { service, verdicts, calls: createOrderCalls({ service: client, tokens: held, log }) };
}

const offer = (kind: 'send_offer' | 'cancel_offer', target: string) => ({ ...record, kind, target });

describe('a call', () => {
  test('that succeeds tells when it was requested: events are matched by that', async () => {
    const { calls: orders, service } = await calls();
    const requestedAt = '2026-11-21T12:00:00.000+01:00';
    const body = { cancellationStatus: 'pending', requestedAt };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 201, body } });
    expect((await orders.carryOut(record, HELD)).answer).toEqual({
      type: 'said',
      status: 'pending',
      requestedAt: Date.UTC(2026, 10, 21, 11),
    });
  });

  test('that is turned away unread tells for how long', async () => {
    const { calls: orders, service } = await calls();
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'rate_limit', retryAfterSeconds: 3 } });
    expect((await orders.carryOut(record, HELD)).answer).toEqual({
      type: 'not_received',
      why: 'rate_limited',
      retryAfterMs: 3_000,
    });
  });

  test('about an id that cannot be sent is refused without a call', async () => {
    const { calls: orders, service } = await calls();
    expect((await orders.carryOut({ ...record, target: '..' }, HELD)).answer).toMatchObject({
      type: 'refused',
      code: 'INVALID_ID',
    });
    expect(service.calls()).toEqual([]);
  });

  test.each(['not_connected', 'token_refused'] as const)(
    'of a workspace that is %s sends nothing and waits',
    async (why) => {
      const none = await calls(async () => why);
      expect((await none.calls.carryOut(record, HELD)).answer).toEqual({ type: 'not_received', why });
      expect(none.service.calls()).toEqual([]);
    },
  );

  test('that a fault of Countermand has interrupted may have been received, and is not taken for one that was not', async () => {
    const { client } = await orderService();
    const service = { ...client, perform: () => Promise.reject(new Error('a fault')) };
    const orders = createOrderCalls({ service, tokens: tokens(), log });
    expect((await orders.carryOut(record, HELD)).answer).toEqual({ type: 'no_answer', why: 'interrupted' });
  });

  test('whose answer has a word that nobody knows shows that without the token', async () => {
    const { calls: orders, service } = await calls();
    const body = { cancellationStatus: `seen ${TOKEN}` };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 201, body } });
    expect((await orders.carryOut(record, HELD)).answer).toMatchObject({
      type: 'said',
      word: 'seen [token]',
    });
  });

  test('of a workspace whose connection cannot be read sends nothing and waits', async () => {
    const broken = await calls(() => Promise.reject(new Error('storage away')));
    expect((await broken.calls.carryOut(record, HELD)).answer).toEqual({
      type: 'not_received',
      why: 'connection_unreadable',
    });
    expect(broken.service.calls()).toEqual([]);
  });
});

describe('whatever the token is, the answer decides', () => {
  const status = (code: number, body: object) => ({ type: 'status' as const, status: code, body });

  test.each(['C', 'e', 'CANCELED', 'canceled', 'FORBIDDEN', 'O-3001'])('%s', async (token) => {
    const { calls: orders, service, verdicts } = await calls(async () => ({ ...heldToken(), token }));
    const canceled = status(200, {
      offerId: 'O-3001',
      status: 'CANCELED',
      canceledAt: '2026-11-21T12:00:00Z',
    });
    const forbidden = status(401, { code: 'FORBIDDEN', message: 'No' });
    for (const fault of [canceled, forbidden]) service.faults.schedule({ on: 'cancel_offer', fault });
    const cancelling = offer('cancel_offer', 'O-3001');
    expect((await orders.carryOut(cancelling, HELD)).answer).toEqual({ type: 'said', status: 'canceled' });
    expect((await orders.carryOut(cancelling, HELD)).answer).toMatchObject({
      type: 'refused',
      code: 'FORBIDDEN',
    });
    expect(verdicts).toEqual(['accepted', 'accepted']);
  });
});

describe('what an answer says of the token', () => {
  const status = (code: number, body?: object) => ({ type: 'status' as const, status: code, body });

  test('that it is known, where the service did what it was asked', async () => {
    const { calls: orders, verdicts } = await calls();
    await orders.carryOut(record, HELD);
    expect(verdicts).toEqual(['accepted']);
  });

  test.each([
    ['401', status(401), ['refused']],
    ['401 UNAUTHORIZED', status(401, { code: 'UNAUTHORIZED', message: 'no' }), ['refused']],
    ['403', status(403), ['accepted']],
    ['FORBIDDEN, whatever its status', status(401, { code: 'FORBIDDEN', message: 'no' }), ['accepted']],
    ['400', status(400), ['accepted']],
    ['403 without a code, perhaps from a gateway', status(403, {}), [undefined]],
    ['404 without a code, perhaps from a gateway', status(404, {}), [undefined]],
    ['success: false', status(200, { success: false }), ['accepted']],
    ['500', status(500), [undefined]],
    ['429', { type: 'rate_limit' as const, retryAfterSeconds: 3 }, [undefined]],
    ['no answer', { type: 'unanswered' as const }, [undefined]],
  ])('%s', async (_name, fault, said) => {
    const { calls: orders, service, verdicts } = await calls();
    service.faults.schedule({ on: 'cancel_order', fault });
    await orders.carryOut(record, HELD);
    expect(verdicts).toEqual(said);
  });

  test('what cannot be noted, and the answer stands', async () => {
    const { client } = await orderService();
    const broken = { ...tokens(), recordVerdict: () => Promise.reject(new Error('the storage is away')) };
    const orders = createOrderCalls({ service: client, tokens: broken, log });
    expect((await orders.carryOut(record, HELD)).answer).toMatchObject({ type: 'said', status: 'canceled' });
  });

  test('nothing, where an id could not be sent', async () => {
    const { calls: orders, verdicts } = await calls();
    await orders.carryOut({ ...record, target: '..' }, HELD);
    expect(verdicts).toEqual([undefined]);
  });
});

describe('the call for an offer (sections 2 to 4)', () => {
  test('a pending offer is sent, and a cancelled one is cancelled', async () => {
    const { calls: orders, service } = await calls();
    expect((await orders.carryOut(offer('send_offer', 'O-3001'), HELD)).answer).toEqual({
      type: 'said',
      status: 'sent',
    });
    expect((await orders.carryOut(offer('cancel_offer', 'O-3001'), HELD)).answer).toEqual({
      type: 'said',
      status: 'canceled',
    });
    expect(service.calls().map(({ operation, target }) => [operation, target])).toEqual([
      ['send_offer', '/prod/offers/O-3001/send'],
      ['cancel_offer', '/prod/offers/O-3001/cancel'],
    ]);
  });

  test.each([
    ['OFFER_CANCELLATION_ERROR', 'O-3002'],
    ['FORBIDDEN', 'O-3003'],
    ['OFFER_NOT_FOUND', 'O-9999'],
  ])('%s is a refusal (section 7)', async (code, target) => {
    const { calls: orders } = await calls();
    expect((await orders.carryOut(offer('cancel_offer', target), HELD)).answer).toMatchObject({
      type: 'refused',
      code,
    });
  });
});

describe('a GraphQL token that a REST endpoint refuses (section 5)', () => {
  test.each([401, 403])('is named as the likely cause of a %s', async (status) => {
    const { calls: orders, service } = await calls(async () => heldToken('graphql'));
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status } });
    expect((await orders.carryOut(record, HELD)).answer).toMatchObject({
      type: 'refused',
      tokenKind: 'graphql',
    });
  });

  test.each([
    [400, undefined],
    [401, 'FORBIDDEN'],
    [403, 'FORBIDDEN'],
    [403, 'OFFER_CANCELLATION_ERROR'],
    [403, 'OFFER_NOT_FOUND'],
    [403, 'VALIDATION_ERROR'],
  ])('is not blamed for a %s %s', async (status, code) => {
    const { calls: orders, service } = await calls(async () => heldToken('graphql'));
    const body = code && { code, message: 'No' };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status, body } });
    expect((await orders.carryOut(record, HELD)).answer).not.toHaveProperty('tokenKind');
  });
});

describe('checking a token', () => {
  const check = async (
    token = TOKEN,
    prepare = (_: Awaited<ReturnType<typeof orderService>>['service']) => {},
  ) => {
    const { client, service } = await orderService();
    prepare(service);
    return checkToken(client, token);
  };
  const answering = (status: number, code: string) =>
    check(TOKEN, ({ faults }) =>
      faults.schedule({
        on: 'get_sub_brands',
        fault: { type: 'status', status, body: { code, message: code } },
      }),
    );

  test('changes nothing', async () => {
    const { client, service } = await orderService();
    expect(await checkToken(client, TOKEN)).toEqual({ type: 'accepted' });
    expect(service.calls().map(({ operation }) => operation)).toEqual(['get_sub_brands']);
  });

  test('fails for a 401 alone', async () => {
    expect(await check('wrong')).toEqual({ type: 'refused' });
    for (const status of [404, 200])
      expect(await answering(status, 'SUB_BRANDS_NOT_FOUND')).toEqual({ type: 'accepted' });
    for (const status of [403, 401])
      expect(await answering(status, 'FORBIDDEN')).toEqual({ type: 'limited', code: 'FORBIDDEN' });
    expect(await answering(500, 'INTERNAL_SERVER_ERROR')).toEqual({
      type: 'unverified',
      code: 'INTERNAL_SERVER_ERROR',
    });
  });

  test('is told by the status of an answer that was cut: no call may stay paused for that', async () => {
    const { url } = await hostileService('HTTP/1.1 200 X\r\ncontent-length: 99\r\n\r\n[');
    const client = createOrderService(url);
    onTestFinished(() => client.close());
    expect(await checkToken(client, TOKEN)).toEqual({ type: 'unverified', code: 'CUT' });
  });

  test('says so where nobody answers', async () => {
    expect(
      await check(TOKEN, ({ faults }) => faults.schedule({ on: 'get_sub_brands', fault: { type: 'drop' } })),
    ).toEqual({
      type: 'unreachable',
    });
  });
});
