import { describe, expect, test } from 'vitest';
import { checkToken } from '../../src/order-service/calls.ts';
import { orderService, TOKEN } from '../support/order-service/order-service.ts';

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
    expect(await answering(404, 'SUB_BRANDS_NOT_FOUND')).toEqual({ type: 'accepted' });
    expect(await answering(403, 'FORBIDDEN')).toEqual({ type: 'limited', code: 'FORBIDDEN' });
    expect(await answering(500, 'INTERNAL_SERVER_ERROR')).toEqual({
      type: 'unverified',
      code: 'INTERNAL_SERVER_ERROR',
    });
  });

  test('says so where nobody answers', async () => {
    expect(
      await check(TOKEN, ({ faults }) => faults.schedule({ on: 'get_sub_brands', fault: { type: 'drop' } })),
    ).toEqual({
      type: 'unreachable',
    });
  });
});
