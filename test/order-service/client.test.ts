import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Fault } from '../../sandbox/lib/control/fault-schema.ts';
import { checkToken } from '../../src/order-service/check-token.ts';
import { createOrderService } from '../../src/order-service/client.ts';
import {
  NoAnswerError,
  type OrderServiceError,
  RateLimitedError,
  RefusedError,
  UnreachableError,
} from '../../src/order-service/errors.ts';
import { listSubBrands } from '../../src/order-service/list-sub-brands.ts';
import { revoke } from '../../src/order-service/revoke.ts';
import { orderService, TOKEN } from '../support/order-service/order-service.ts';
import { HELD } from '../support/requests/records.ts';
import { answer, hostileService } from './hostile-service.ts';

/** The error of a promise that must fail. */
const failure = (promise: Promise<unknown>): Promise<OrderServiceError> =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error) => error,
  );

describe('cancelling an order', () => {
  test.each(['?x', '#x', 'a b', '100%'])('with the id %s reaches no other path', async (id) => {
    const { client, service } = await orderService();
    await failure(client.cancelOrder(TOKEN, id, 'x', HELD));
    expect(service.calls()).toMatchObject([{ operation: 'cancel_order', id }]);
  });

  test.each(['', '..', '.', 'x'.repeat(10_000), '../token', 'a/b', 'a%2fb', '..%2f..'])(
    'with an id that can not be a segment sends nothing (%#)',
    async (id) => {
      const { client, service } = await orderService();
      expect(await failure(client.cancelOrder(TOKEN, id, 'x', HELD))).toMatchObject({
        code: 'INVALID_ID',
        retryable: false,
      });
      expect(service.calls()).toEqual([]);
    },
  );

  test('keeps the path of the base address', async () => {
    const { client: _other, service, journal } = await orderService();
    const client = createOrderService(new URL(`${service.url}/v1/`));
    onTestFinished(() => client.close());
    await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD));
    expect(journal.entries({ kind: 'order_service' })[0]?.request).toMatchObject({
      target: '/v1/orders/A-1001/cancel',
    });
  });
});

describe('the rest of the interface', () => {
  test.each(['../../token', 'a/b', '..%2F..%2Forders%2FA-1001'])(
    'the id %s of an offer reaches nothing',
    async (id) => {
      const { client, service } = await orderService();
      expect(await failure(client.sendOffer(TOKEN, id, HELD))).toMatchObject({ code: 'INVALID_ID' });
      expect(await failure(client.cancelOffer(TOKEN, id, HELD))).toMatchObject({ code: 'INVALID_ID' });
      expect(service.calls()).toEqual([]);
    },
  );

  test('sub-brands are listed, as many as there are', async () => {
    const { client, service } = await orderService();
    expect((await client.getSubBrands(TOKEN)).map(({ name }) => name)).toContain('Acme Home');
    service.organization().subBrands = Array.from({ length: 5_000 }, (_, i) => ({
      id: `sb-${i}`,
      name: `Brand ${i}`,
    }));
    expect(await client.getSubBrands(TOKEN)).toHaveLength(5_000);
  });

  test('a token revokes itself, and is dead afterwards', async () => {
    const { client } = await orderService();
    expect(await revoke(client, TOKEN)).toEqual({ type: 'revoked' });
    expect(await revoke(client, TOKEN)).toEqual({ type: 'dead' });
    expect(await failure(client.getSubBrands(TOKEN))).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test.each([
    ['cuts the line', { type: 'drop' as const }, 'CUT'],
    ['has done it and does not say so', { type: 'unanswered' as const }, 'CUT'],
    ['fails', { type: 'status' as const, status: 500, body: '' }, 'HTTP_500'],
    ['redirects', { type: 'redirect' as const, status: 307, location: '/' }, 'REDIRECTED'],
    ['does not answer in time', { type: 'hold' as const, when: 'before' as const }, 'TIMEOUT'],
  ])('a revocation at a service that %s may have been done', async (_name, fault, code) => {
    const { client, service } = await orderService({ deadlineMs: 300, maxBytes: 1_000 });
    service.faults.order({ on: 'revoke_token', fault });
    const error = expect.any(NoAnswerError);
    expect(await revoke(client, TOKEN)).toEqual({ type: 'unknown', code, error });
  });

  test.each([403, 404, 409])('a revocation that is refused (%s) was not done', async (status) => {
    const { client, service } = await orderService();
    const body = { code: 'X', message: 'x' };
    service.faults.order({ on: 'revoke_token', fault: { type: 'status', status, body } });
    expect(await revoke(client, TOKEN)).toEqual({ type: 'refused', code: 'X' });
  });

  test('a revocation that was turned away unread, or never left, was not done', async () => {
    const { client, service } = await orderService();
    service.faults.order({ on: 'revoke_token', fault: { type: 'rate_limit', retryAfterSeconds: 7 } });
    expect(await revoke(client, TOKEN)).toEqual({ type: 'rate_limited', retryAfterMs: 7_000 });
    await service.close();
    expect(await revoke(client, TOKEN)).toEqual({ type: 'unreachable' });
  });

  const listing = async (fault: Fault, times = 2) => {
    const { client, service } = await orderService({ deadlineMs: 300, maxBytes: 1_000 });
    service.faults.order({ on: 'get_sub_brands', fault, times });
    return { listed: await listSubBrands(client, TOKEN), calls: service.calls().length };
  };
  const saying = (status: number, code: string): Fault => ({
    type: 'status',
    status,
    body: { code, message: 'x' },
  });

  test('sub-brands that do not exist, are refused or are turned away are three things', async () => {
    const none = await listing(saying(404, 'SUB_BRANDS_NOT_FOUND'));
    expect(none).toEqual({ listed: { type: 'none' }, calls: 1 });
    expect(await listing(saying(403, 'FORBIDDEN'))).toMatchObject({
      listed: { type: 'refused', code: 'FORBIDDEN' },
      calls: 1,
    });
    expect(await listing({ type: 'rate_limit', retryAfterSeconds: 7 })).toEqual({
      listed: { type: 'rate_limited', retryAfterMs: 7_000 },
      calls: 1,
    });
  });

  test.each([
    ['fails', saying(500, 'INTERNAL_SERVER_ERROR'), 2],
    ['cuts the line', { type: 'drop' as const }, 2],
    ['answers what cannot be read', { type: 'garbage' as const }, 1],
    ['does not answer in time', { type: 'hold' as const, when: 'before' as const }, 1],
  ])('sub-brands of a service that %s are a fault, for the log', async (_name, fault, calls) => {
    expect(await listing(fault)).toEqual({
      listed: { type: 'failed', error: expect.any(NoAnswerError) },
      calls,
    });
  });

  test('sub-brands are asked for once more where that may help', async () => {
    expect(await listing({ type: 'drop' }, 1)).toMatchObject({ listed: { type: 'found' }, calls: 2 });
  });

  test('sub-brands of a service that cannot be reached are a fault of another kind', async () => {
    const { client, service } = await orderService();
    await service.close();
    expect(await listSubBrands(client, TOKEN)).toEqual({
      type: 'unreachable',
      error: expect.any(UnreachableError),
    });
  });
});

describe('what the service refuses', () => {
  test('has the code, message and details of the error body (section 7: VALIDATION_ERROR)', async () => {
    const { client } = await orderService();
    const error = await failure(client.cancelOrder(TOKEN, 'A-1001', '', HELD));
    expect(error).toBeInstanceOf(RefusedError);
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', retryable: false });
    expect(error.details).toMatchObject([{ field: 'reason' }]);
  });

  test('is told by its status where there is no error body', async () => {
    const { client, service } = await orderService();
    service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 418, body: 'teapot' } });
    expect(await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD))).toMatchObject({
      code: 'HTTP_418',
      status: 418,
    });
  });

  test.each([
    ['is too large', { type: 'status' as const, status: 403, body: 'x'.repeat(5_000) }, 'HTTP_403'],
    ['is not JSON', { type: 'status' as const, status: 404, body: '<html>' }, 'HTTP_404'],
  ])('counts by its status where its body %s', async (_name, fault, code) => {
    const { client, service } = await orderService({ deadlineMs: 10_000, maxBytes: 1_000 });
    service.faults.order({ on: 'cancel_order', fault });
    expect(await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD))).toMatchObject({ code });
  });

  test.each([
    [400, RefusedError],
    [401, RefusedError],
    [429, RateLimitedError],
  ])('counts by its status (%s) where its body is cut off', async (status, kind) => {
    const answer = `HTTP/1.1 ${status} X\r\nretry-after: 7\r\ncontent-length: 99\r\n\r\n{"co`;
    const half = createServer((socket) => {
      socket.once('data', () => socket.end(answer));
      socket.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => half.once('listening', resolve));
    const { port } = half.address() as { port: number };
    const client = createOrderService(new URL(`http://127.0.0.1:${port}`));
    onTestFinished(async () => {
      await client.close();
      half.close();
    });
    expect(await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD))).toBeInstanceOf(kind);
  });

  test('is cut to what a person can read', async () => {
    const { client, service } = await orderService();
    const details = Array.from({ length: 300 }, () => ({ field: 'f'.repeat(900), error: 'e'.repeat(900) }));
    const body = { code: 'C', message: 'm'.repeat(9_000), details };
    service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 400, body } });
    const error = await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD));
    const sizes = [error.message.length, error.details.length, error.details[0]?.error.length];
    expect(sizes).toEqual([1_000, 20, 500]);
  });

  test('is kept free of a token that it quotes', async () => {
    const { client, service } = await orderService();
    const body = { code: 'FORBIDDEN', message: `Token ${TOKEN} lacks a scope` };
    service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 403, body } });
    const error = await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD));
    expect(error.message).toBe('Token [token] lacks a scope');
  });

  test('never holds the token (section 7: UNAUTHORIZED)', async () => {
    const { client } = await orderService();
    const error = await failure(client.cancelOrder('wrong-token-4711', 'A-1001', 'x', HELD));
    expect(error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(JSON.stringify([error, error.stack, error.cause, Object.entries(error)])).not.toContain('4711');
  });
});

describe('no error holds the token', () => {
  test.each([
    ['speaks no HTTP', `Bearer ${TOKEN} is wrong\r\n\r\n`],
    ['sends a header that is none', `HTTP/1.1 400 X\r\nBearer ${TOKEN}\r\n\r\n`],
    ['sends no JSON', answer(201, TOKEN)],
    ['sends another shape', answer(201, [TOKEN])],
    [
      'names the token',
      answer(400, { code: TOKEN, message: TOKEN, details: [{ field: TOKEN, error: TOKEN }] }),
    ],
  ])('of a service that %s', async (_how, sends) => {
    const { url } = await hostileService(sends);
    const client = createOrderService(url);
    onTestFinished(() => client.close());
    const error = await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD));
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(TOKEN);
  });
});

test('a list of sub-brands is read as far as its first bad one', async () => {
  const { url } = await hostileService(answer(200, `[{"id":"1","name":"One"},${'{},'.repeat(300_000)}{}]`));
  const client = createOrderService(url);
  onTestFinished(() => client.close());
  const error = await failure(client.getSubBrands(TOKEN));
  expect(error).toMatchObject({ reason: 'unreadable', cause: { message: 'id: invalid_type' } });
});

describe('what may be tried again', () => {
  test('is a call that was turned away unread, after the time that the service asks for', async () => {
    const { client, service } = await orderService();
    service.faults.order({ on: 'cancel_order', fault: { type: 'rate_limit', retryAfterSeconds: 7 } });
    const error = await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ retryable: true, retryAfterMs: 7_000 });
  });

  test('is a call for which no connection could be made', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    const client = createOrderService(new URL(`http://127.0.0.1:${port}`));
    onTestFinished(() => client.close());
    const error = await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.retryable).toBe(true);
  });

  test('is a call whose TLS was never agreed on', async () => {
    const { service } = await orderService();
    const client = createOrderService(new URL(service.url.replace('http:', 'https:')));
    onTestFinished(() => client.close());
    expect(await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD))).toBeInstanceOf(UnreachableError);
    expect(service.calls()).toEqual([]);
  });
});

describe('what nobody can tell', () => {
  test.each([
    ['the socket is dropped after it was sent', { type: 'drop' as const }, 'cut'],
    ['it was carried out, and not answered', { type: 'unanswered' as const }, 'cut'],
    ['the answer is cut', { type: 'truncated' as const }, 'cut'],
    ['the answer is not JSON', { type: 'garbage' as const }, 'unreadable'],
    ['the service fails', { type: 'status' as const, status: 500 }, 'server_error'],
    ['the service is not available', { type: 'status' as const, status: 503 }, 'gave_up'],
    ['the service redirects', { type: 'redirect' as const, status: 307, location: '/token' }, 'redirected'],
  ])('is whether it was received when %s', async (_name, fault, reason) => {
    const { client, service } = await orderService();
    service.faults.order({ on: 'cancel_order', fault });
    const error = await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ reason, retryable: false });
    expect(service.calls()).toHaveLength(1);
  });

  test('is what became of a call that took too long', async () => {
    const { client, service } = await orderService({ deadlineMs: 150, maxBytes: 1_000 });
    service.faults.order({ on: 'cancel_order', fault: { type: 'hold', when: 'before' } });
    expect(await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD))).toMatchObject({
      reason: 'timeout',
    });
  });

  test('is an answer that is far too large', async () => {
    const { client } = await orderService({ deadlineMs: 10_000, maxBytes: 10 });
    expect(await failure(client.cancelOrder(TOKEN, 'A-1001', 'x', HELD))).toMatchObject({
      reason: 'unreadable',
    });
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
      faults.order({
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
    expect(await answering(404, 'SUB_BRANDS_NOT_FOUND')).toEqual({ type: 'accepted' });
    expect(await answering(403, 'FORBIDDEN')).toEqual({ type: 'limited', code: 'FORBIDDEN' });
    expect(await answering(500, 'INTERNAL_SERVER_ERROR')).toEqual({
      type: 'unverified',
      code: 'INTERNAL_SERVER_ERROR',
    });
  });

  test('says so where nobody answers', async () => {
    expect(
      await check(TOKEN, ({ faults }) => faults.order({ on: 'get_sub_brands', fault: { type: 'drop' } })),
    ).toEqual({
      type: 'unreachable',
    });
  });
});
