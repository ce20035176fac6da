import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { errorOf } from '../../src/order-service/call-service.ts';
import { createOrderService } from '../../src/order-service/client.ts';
import { failure } from '../support/order-service/failure.ts';
import { orderService, TOKEN } from '../support/order-service/order-service.ts';
import { HELD } from '../support/requests/records.ts';
import { answer, hostileService } from './hostile-service.ts';

describe('what the service refuses', () => {
  test('has the code, message and details of the error body (section 7: VALIDATION_ERROR)', async () => {
    const { client } = await orderService();
    const error = await failure(
      client.perform({ kind: 'cancel_order', target: 'A-1001', reason: '' }, TOKEN, HELD),
    );
    expect(error).toMatchObject({
      type: 'refused',
      httpStatus: 400,
      code: 'VALIDATION_ERROR',
      details: [{ field: 'reason' }],
    });
  });

  test('has its code and message also where its details are of another form', async () => {
    const { client, service } = await orderService();
    const body = { code: 'OFFER_NOT_FOUND', message: 'No such offer', details: 'none' };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 404, body } });
    expect(
      await failure(client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'x' }, TOKEN, HELD)),
    ).toEqual({ type: 'refused', httpStatus: 404, code: body.code, message: body.message, details: [] });
  });

  test('is told by its status where there is no error body', async () => {
    const { client, service } = await orderService();
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 418, body: 'teapot' } });
    expect(
      await failure(client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'x' }, TOKEN, HELD)),
    ).toEqual({
      type: 'refused',
      httpStatus: 418,
      details: [],
    });
  });

  test.each([
    ['is too large', { type: 'status' as const, status: 403, body: 'x'.repeat(5_000) }, 403],
    ['is not JSON', { type: 'status' as const, status: 404, body: '<html>' }, 404],
  ])('counts by its status where its body %s', async (_name, fault, httpStatus) => {
    const { client, service } = await orderService({ deadlineMs: 10_000, maxBytes: 1_000 });
    service.faults.schedule({ on: 'cancel_order', fault });
    expect(
      await failure(client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'x' }, TOKEN, HELD)),
    ).toEqual({
      type: 'refused',
      httpStatus,
      details: [],
    });
  });

  test.each([
    [400, { type: 'refused', httpStatus: 400 }],
    [401, { type: 'refused', httpStatus: 401 }],
    [429, { type: 'not_received', why: 'rate_limited', retryAfterMs: 7_000 }],
  ])('counts by its status (%s) where its body is cut off', async (status, told) => {
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
    expect(
      await failure(client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'x' }, TOKEN, HELD)),
    ).toMatchObject(told);
  });

  test('is cut to what a person can read', async () => {
    const { client, service } = await orderService();
    const details = Array.from({ length: 300 }, () => ({ field: 'f'.repeat(900), error: 'e'.repeat(900) }));
    const body = { code: 'C', message: 'm'.repeat(9_000), details };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 400, body } });
    const error = await failure(
      client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'x' }, TOKEN, HELD),
    );
    if (error.type !== 'refused') throw new Error(error.type);
    const sizes = [error.message?.length, error.details.length, error.details[0]?.error.length];
    expect(sizes).toEqual([1_000, 20, 500]);
  });

  test('is kept free of a token that it quotes', async () => {
    const { client, service } = await orderService();
    const body = { code: 'FORBIDDEN', message: `Token ${TOKEN} lacks a scope` };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 403, body } });
    const error = await failure(
      client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'x' }, TOKEN, HELD),
    );
    expect(error).toMatchObject({ message: 'Token [token] lacks a scope' });
  });

  test('never holds the token (section 7: UNAUTHORIZED)', async () => {
    const { client } = await orderService();
    const error = await failure(
      client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'x' }, 'wrong-token-4711', HELD),
    );
    expect(error).toMatchObject({ httpStatus: 401, code: 'UNAUTHORIZED' });
    expect(inspect([error, errorOf(error)], { depth: null, showHidden: true })).not.toContain('token-4711');
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
    const error = await failure(
      client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'x' }, TOKEN, HELD),
    );
    expect(inspect([error, errorOf(error)], { depth: null, showHidden: true })).not.toContain(TOKEN);
  });
});
