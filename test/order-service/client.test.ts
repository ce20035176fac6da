import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Fault } from '../../sandbox/lib/faults/faults.ts';
import { listSubBrands, revoke } from '../../src/order-service/calls.ts';
import { createOrderService } from '../../src/order-service/client.ts';
import { failure, value } from '../support/order-service/failure.ts';
import { orderService, TOKEN } from '../support/order-service/order-service.ts';
import { HELD } from '../support/requests/records.ts';
import { answer, hostileService } from './hostile-service.ts';

describe('cancelling an order', () => {
  test.each(['?x', '#x', 'a b', '100%', '$&'])('with the id %s reaches no other path', async (id) => {
    const { client, service } = await orderService();
    await failure(client.perform({ kind: 'cancel_order', target: id, reason: 'x' }, TOKEN, HELD));
    expect(service.calls()).toMatchObject([{ operation: 'cancel_order', id }]);
  });

  test.each(['', '..', '.', 'x'.repeat(10_000), '../token', 'a/b', 'a%2fb', '..%2f..'])(
    'with an id that cannot be a segment sends nothing (%#)',
    async (id) => {
      const { client, service } = await orderService();
      expect(
        await failure(client.perform({ kind: 'cancel_order', target: id, reason: 'x' }, TOKEN, HELD)),
      ).toMatchObject({
        type: 'refused',
        code: 'INVALID_ID',
      });
      expect(service.calls()).toEqual([]);
    },
  );

  test('keeps the path of the base address', async () => {
    const { client: _other, service, journal } = await orderService();
    const client = createOrderService(new URL(`${service.url}/v1/`));
    onTestFinished(() => client.close());
    await failure(client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'x' }, TOKEN, HELD));
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
      expect(
        await failure(client.perform({ kind: 'send_offer', target: id, reason: '' }, TOKEN, HELD)),
      ).toMatchObject({ code: 'INVALID_ID' });
      expect(
        await failure(client.perform({ kind: 'cancel_offer', target: id, reason: '' }, TOKEN, HELD)),
      ).toMatchObject({ code: 'INVALID_ID' });
      expect(service.calls()).toEqual([]);
    },
  );

  test('sub-brands are listed, as many as there are', async () => {
    const { client, service } = await orderService();
    expect((await value(client.getSubBrands(TOKEN))).map(({ name }) => name)).toContain('Acme Home');
    service.organization().subBrands = Array.from({ length: 5_000 }, (_, i) => ({
      id: `sb-${i}`,
      name: `Brand ${i}`,
    }));
    expect(await value(client.getSubBrands(TOKEN))).toHaveLength(5_000);
  });

  test('sub-brands are shown without the token, wherever the service quotes it', async () => {
    const { client, service } = await orderService();
    service.organization().subBrands = [{ id: `id ${TOKEN}`, name: `name ${TOKEN}` }];
    expect(await value(client.getSubBrands(TOKEN))).toEqual([{ id: 'id [token]', name: 'name [token]' }]);
  });

  test('a token revokes itself, and is dead afterwards', async () => {
    const { client } = await orderService();
    expect(await revoke(client, TOKEN, 'rest', HELD)).toEqual({ type: 'revoked' });
    expect(await revoke(client, TOKEN, 'rest', HELD)).toEqual({ type: 'dead' });
    expect(await failure(client.getSubBrands(TOKEN))).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test.each([
    ['cuts the line', { type: 'drop' as const }, 'CUT'],
    ['fails', { type: 'status' as const, status: 500, body: '' }, 'HTTP_500'],
    ['redirects', { type: 'redirect' as const, status: 307, location: '/' }, 'REDIRECTED'],
    ['does not answer in time', { type: 'hold' as const, when: 'before' as const }, 'TIMEOUT'],
    ['has taken it for later', { type: 'status' as const, status: 202, body: '' }, 'HTTP_202'],
    [
      'succeeds and says that it has not',
      { type: 'status' as const, status: 200, body: { success: false } },
      'HTTP_200',
    ],
    ['sends an error with a 2xx', { type: 'status' as const, status: 200, body: { code: 'X' } }, 'X'],
    ['refuses', { type: 'status' as const, status: 403, body: { code: 'X', message: 'x' } }, 'X'],
    ['is asked too often', { type: 'rate_limit' as const, retryAfterSeconds: 7 }, 'RATE_LIMITED'],
  ])(
    'a revocation at a service that %s may have been done: the token is tried once',
    async (_name, fault, code) => {
      const { client, service } = await orderService({ deadlineMs: 2_000, maxBytes: 1_000 });
      service.faults.schedule({ on: 'revoke_token', fault });
      const error = expect.any(Error);
      expect(await revoke(client, TOKEN, 'rest', HELD)).toEqual({ type: 'unknown', code, error });
      expect(service.calls({ operation: 'get_sub_brands' })).toHaveLength(1);
    },
  );

  test('a revocation that was done and not confirmed is found by trying the token', async () => {
    const { client, service } = await orderService();
    service.faults.schedule({ on: 'revoke_token', fault: { type: 'unanswered' } });
    expect(await revoke(client, TOKEN, 'rest', HELD)).toEqual({ type: 'revoked' });
  });

  test('a revocation stays open if the token is a known one without a permission', async () => {
    const { client, service } = await orderService();
    const fault = { type: 'status' as const, status: 401, body: { code: 'FORBIDDEN', message: 'no' } };
    for (const on of ['revoke_token', 'get_sub_brands'] as const) service.faults.schedule({ on, fault });
    expect(await revoke(client, TOKEN, 'rest', HELD)).toMatchObject({ type: 'unknown' });
    expect(service.calls({ operation: 'get_sub_brands' })).toHaveLength(1);
  });

  test('a refused GraphQL token proves nothing, so that it is not tried', async () => {
    const { client, service } = await orderService();
    service.faults.schedule({ on: 'revoke_token', fault: { type: 'unanswered' } });
    expect(await revoke(client, TOKEN, 'graphql', HELD)).toMatchObject({ type: 'unknown', code: 'CUT' });
    expect(service.calls({ operation: 'get_sub_brands' })).toEqual([]);
  });

  test('a revocation whose check has no answer stays open', async () => {
    const { client, service } = await orderService();
    service.faults.schedule({ on: 'revoke_token', fault: { type: 'unanswered' } });
    service.faults.schedule({ on: 'get_sub_brands', fault: { type: 'drop' } });
    expect(await revoke(client, TOKEN, 'rest', HELD)).toMatchObject({ type: 'unknown' });
  });

  test('a revocation that was never sent was not done', async () => {
    const { client, service } = await orderService();
    await service.close();
    const error = expect.any(Error);
    expect(await revoke(client, TOKEN, 'rest', HELD)).toEqual({ type: 'unreachable', error });
  });

  test.each([
    ['was lost', { ...HELD, isHeld: async () => false }],
    ['cannot be checked', { ...HELD, isHeld: () => Promise.reject(new Error('the storage is away')) }],
    ['is about to expire', { ...HELD, inTime: () => false }],
  ])('a revocation whose claim %s is not sent, and blames no service', async (_how, guard) => {
    const { client, service } = await orderService();
    const error = expect.any(Error);
    expect(await revoke(client, TOKEN, 'rest', guard)).toEqual({ type: 'not_sent', error });
    expect(service.calls()).toEqual([]);
  });

  const listing = async (fault: Fault, times = 2) => {
    const { client, service } = await orderService({ deadlineMs: 2_000, maxBytes: 1_000 });
    service.faults.schedule({ on: 'get_sub_brands', fault, times });
    return {
      listed: await listSubBrands(client, TOKEN, () => performance.now()),
      calls: service.calls().length,
    };
  };
  const saying = (status: number, code: string): Fault => ({
    type: 'status',
    status,
    body: { code, message: 'x' },
  });

  test('sub-brands that do not exist, are refused or are turned away are three things', async () => {
    const none = await listing(saying(404, 'SUB_BRANDS_NOT_FOUND'));
    expect(none).toEqual({ listed: { type: 'none' }, calls: 1 });
    expect(await listing(saying(401, 'SUB_BRANDS_NOT_FOUND'))).toMatchObject({
      listed: { type: 'refused', status: 401 },
    });
    expect((await listing({ type: 'status', status: 403, body: {} })).listed).toMatchObject({
      type: 'refused',
      code: undefined,
    });
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
      listed: { type: 'failed', error: expect.any(Error) },
      calls,
    });
  });

  test('sub-brands are asked for once more where that may help', async () => {
    expect(await listing({ type: 'drop' }, 1)).toMatchObject({ listed: { type: 'found' }, calls: 2 });
  });

  test('sub-brands of a service that cannot be reached are a fault of another kind', async () => {
    const { client, service } = await orderService();
    await service.close();
    expect(await listSubBrands(client, TOKEN, () => performance.now())).toEqual({
      type: 'unreachable',
      error: expect.any(Error),
    });
  });
});

test('a call asks for an answer that is not compressed: none is unpacked', async () => {
  const { url, received } = await hostileService(answer(200, []));
  const client = createOrderService(url);
  onTestFinished(client.close);
  await client.getSubBrands(TOKEN);
  expect(received).toEqual([expect.stringMatching(/^accept-encoding: identity\r$/m)]);
});

test('a list of sub-brands is read as far as its first bad one', async () => {
  const { url } = await hostileService(answer(200, `[{"id":"1","name":"One"},${'{},'.repeat(300_000)}{}]`));
  const client = createOrderService(url);
  onTestFinished(() => client.close());
  const error = await failure(client.getSubBrands(TOKEN));
  expect(error).toMatchObject({
    why: 'unreadable',
    problem: expect.stringContaining('id: invalid_type'),
  });
});

test.each([
  ['many texts', 1_000, '%2525252541&amp;amp;#65;'],
  ['long texts', 12, '%2525252541&amp;amp;#65;'.repeat(300)],
])('a list of sub-brands with %s, which take long to read, holds nobody else', async (_what, count, text) => {
  const list = Array.from({ length: count }, () => ({ id: text, name: text }));
  const answered = { status: 200, headers: {}, body: JSON.stringify(list) };
  const send = async () => ({ type: 'answered' as const, answer: answered });
  const transport = { send, close: async () => {} };
  const client = createOrderService(new URL('http://127.0.0.1'), { transport });
  let turns = 0;
  let isOver = false;
  const listed = value(client.getSubBrands(TOKEN)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise(setImmediate);
    turns += 1;
  }
  expect(await listed).toHaveLength(count);
  expect(turns).toBeGreaterThan(10);
});

test('an answer of more than a megabyte is not read', async () => {
  const listed = async (bytes: number) => {
    const { url } = await hostileService(answer(200, '[{"id":"1","name":"One"}]'.padEnd(bytes)));
    const client = createOrderService(url);
    onTestFinished(() => client.close());
    return client.getSubBrands(TOKEN);
  };
  const MEGABYTE = 1_048_576;
  expect(await value(listed(MEGABYTE))).toEqual([{ id: '1', name: 'One' }]);
  expect(await failure(listed(MEGABYTE + 1))).toMatchObject({ type: 'no_answer', why: 'unreadable' });
});

test('a call without an answer is given up after 20 s', async () => {
  const { url, received } = await hostileService(() => {});
  const client = createOrderService(url);
  onTestFinished(() => client.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isOver = false;
  const listed = failure(client.getSubBrands(TOKEN)).finally(() => {
    isOver = true;
  });
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  while (!received[0]) await turns();
  vi.advanceTimersByTime(19_999);
  await turns();
  expect(isOver).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await listed).toMatchObject({ type: 'no_answer', why: 'timeout' });
});
