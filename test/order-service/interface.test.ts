/**
 * order-service-interface.md row by row: its sections 2, 4, 5 and 7, as the client and the calls read them. The rows of
 * sections 3 and 6 are named in test/e2e, by the threads that they make.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import type { CallOutcome } from '../../src/order-service/call-service.ts';
import { createOrderCalls } from '../../src/order-service/calls.ts';
import { createOrderService, type OrderService } from '../../src/order-service/client.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { KINDS, type KindOfRequest, kindOf } from '../support/e2e/kinds.ts';
import { failure, value } from '../support/order-service/failure.ts';
import { orderService, TOKEN, tokens } from '../support/order-service/order-service.ts';
import { calling, HELD } from '../support/requests/records.ts';

type Setup = Awaited<ReturnType<typeof orderService>>;
type Operation = KindOfRequest['operation'] | 'get_sub_brands' | 'revoke_token';
type MakeCall = (client: OrderService, token?: string) => Promise<CallOutcome<unknown>>;

const log = SILENT;
const AT = '2026-11-21T12:00:00.000Z';

const perform =
  ({ operation: kind, target }: KindOfRequest): MakeCall =>
  (client, token = TOKEN) =>
    client.perform({ kind, target, reason: 'Ordered twice' }, token, HELD);

const CALL = {
  ...Object.fromEntries(KINDS.map((kind) => [kind.operation, perform(kind)])),
  get_sub_brands: (client, token = TOKEN) => client.getSubBrands(token),
  revoke_token: (client, token = TOKEN) => client.revokeToken(token, HELD),
} as Record<Operation, MakeCall>;
const OPERATIONS = Object.keys(CALL) as Operation[];

function answer({ service }: Setup, on: Operation, status: number, body: unknown) {
  service.faults.schedule({ on, fault: { type: 'status', status, body } });
}

/** The result of a call, from its answer. */
async function learns(kind: KindOfRequest['operation'], status: number, body: unknown) {
  const setup = await orderService();
  answer(setup, kind, status, body);
  const calls = createOrderCalls({ service: setup.client, tokens: tokens(), log });
  const { target } = kindOf(kind);
  return (await calls.carryOut({ ...calling().record, kind, target }, HELD)).answer;
}

describe('section 2, cancel-order request body', () => {
  test('reason: is sent', async () => {
    const { client, journal } = await orderService();
    await client.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'Ordered twice' }, TOKEN, HELD);
    expect(journal.entries({ name: 'cancel_order' })[0]?.request).toMatchObject({
      body: '{"reason":"Ordered twice"}',
    });
  });

  test('reason: is required', async () => {
    const { client } = await orderService();
    expect(
      await failure(client.perform({ kind: 'cancel_order', target: 'A-1001', reason: '' }, TOKEN, HELD)),
    ).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'reason' }],
    });
  });
});

describe('section 2, order cancellation request', () => {
  test.each(['pending', 'approved', 'canceled', 'denied'])('cancellationStatus: %s is read', async (word) => {
    const body = { cancellationStatus: word, requestedAt: AT };
    expect(await learns('cancel_order', 201, body)).toMatchObject({ type: 'said', status: word });
  });

  test('cancellationStatus: may be left out, and then it is not known what became of the request', async () => {
    expect(await learns('cancel_order', 201, { requestedAt: AT })).toMatchObject({ status: 'accepted' });
  });

  test.each([{}, { cancellationReason: 'Ordered twice' }, { cancellationReason: null }])(
    'cancellationReason: changes nothing (%o)',
    async (more) => {
      const body = { cancellationStatus: 'pending', requestedAt: AT, ...more };
      expect(await learns('cancel_order', 201, body)).toMatchObject({ type: 'said', status: 'pending' });
    },
  );

  test('requestedAt: is kept, for events are matched by it', async () => {
    const body = { cancellationStatus: 'pending', requestedAt: AT };
    expect(await learns('cancel_order', 201, body)).toMatchObject({ requestedAt: Date.parse(AT) });
  });

  test('requestedAt: is read in any form of ISO 8601', async () => {
    const body = { cancellationStatus: 'pending', requestedAt: '2026-11-21T12:00+0000' };
    expect(await learns('cancel_order', 201, body)).toMatchObject({
      requestedAt: Date.UTC(2026, 10, 21, 12),
    });
  });

  test('requestedAt: the answer counts without it', async () => {
    expect(await learns('cancel_order', 201, { cancellationStatus: 'denied' })).toEqual({
      type: 'said',
      status: 'denied',
    });
  });
});

describe('section 2, sub-brand', () => {
  test('id and name: are read', async () => {
    const { client } = await orderService();
    expect(await value(client.getSubBrands(TOKEN))).toContainEqual({ id: 'sb-1', name: 'Acme Home' });
  });

  test.each([{ id: 'sb-1' }, { name: 'Acme Home' }])(
    'without one of them the list is not guessed (%o)',
    async (it) => {
      const setup = await orderService();
      answer(setup, 'get_sub_brands', 200, [it]);
      expect(await failure(setup.client.getSubBrands(TOKEN))).toMatchObject({ why: 'unreadable' });
    },
  );
});

describe('section 2, offer send result', () => {
  test.each([
    [true, { type: 'said', status: 'sent' }],
    [false, { type: 'refused', httpStatus: 200 }],
  ])('success: %s is read', async (success, learnt) => {
    expect(await learns('send_offer', 200, { success, sentAt: AT })).toMatchObject(learnt);
  });

  test.each([{}, { sentAt: null }])('sentAt: the answer counts without it (%o)', async (more) => {
    expect(await learns('send_offer', 200, { success: true, ...more })).toMatchObject({ status: 'sent' });
  });
});

describe('section 2, offer cancel result', () => {
  const full = { offerId: 'O-3001', status: 'CANCELED', canceledAt: AT };

  test('status: CANCELED is read', async () => {
    expect(await learns('cancel_offer', 200, full)).toEqual({ type: 'said', status: 'canceled' });
  });

  test('status: any other word is kept as it came', async () => {
    const body = { ...full, status: 'EXPIRED' };
    expect(await learns('cancel_offer', 200, body)).toMatchObject({ status: 'accepted', word: 'EXPIRED' });
  });

  test.each(['offerId', 'canceledAt'])('%s: the answer counts without it', async (field) => {
    expect(await learns('cancel_offer', 200, { ...full, [field]: undefined })).toMatchObject({
      status: 'canceled',
    });
  });
});

describe('section 2, error body', () => {
  const details = [{ field: 'id', error: 'is not an order' }];

  test('code, message and details: are read', async () => {
    const body = { code: 'VALIDATION_ERROR', message: 'Invalid input', details };
    expect(await learns('cancel_order', 400, body)).toEqual({ type: 'refused', httpStatus: 400, ...body });
  });

  test('details: may be left out', async () => {
    const body = { code: 'VALIDATION_ERROR', message: 'Invalid input' };
    expect(await learns('cancel_order', 400, body)).toMatchObject({ ...body, details: [] });
  });

  test('details: those that can be read are, beside others', async () => {
    const body = { code: 'VALIDATION_ERROR', message: 'Invalid input', details: [{ field: 1 }, ...details] };
    expect(await learns('cancel_order', 400, body)).toMatchObject({ details });
  });

  test.each(['code', 'message'])('%s: a refusal counts without it', async (field) => {
    const body = { code: 'X', message: 'x', details, [field]: undefined };
    expect(await learns('cancel_order', 400, body)).toMatchObject({ type: 'refused', details });
  });
});

describe('section 4, endpoints', () => {
  const ENDPOINTS: Record<Operation, [method: string, target: string, body: string, status: number]> = {
    cancel_order: ['POST', '/orders/A-1001/cancel', '{"reason":"Ordered twice"}', 201],
    get_sub_brands: ['GET', '/prod/offers/sub-brands', '', 200],
    send_offer: ['POST', '/prod/offers/O-3001/send', '', 200],
    cancel_offer: ['POST', '/prod/offers/O-3001/cancel', '', 200],
    revoke_token: ['DELETE', '/token', '', 204],
  };

  test.each(OPERATIONS)('%s: method, path, body and status', async (operation) => {
    const { client, journal } = await orderService();
    const [method, target, body, status] = ENDPOINTS[operation];
    await CALL[operation](client);
    expect(journal.entries({ kind: 'order_service' })).toMatchObject([
      { name: operation, request: { method, target, body }, response: { status } },
    ]);
  });

  test('cancel_order by the deprecated route behaves identically (and section 9)', async () => {
    const { service, journal } = await orderService();
    const client = createOrderService(new URL(service.url), { cancelRoute: 'deprecated' });
    onTestFinished(() => client.close());
    expect(await value(CALL.cancel_order(client))).toMatchObject({ status: 'canceled' });
    expect(journal.entries({ kind: 'order_service' })).toMatchObject([
      {
        request: {
          method: 'POST',
          target: '/orders/orders/A-1001/cancel',
          body: '{"reason":"Ordered twice"}',
        },
      },
    ]);
  });

  test.each<[Operation, unknown, unknown]>([
    ['get_sub_brands', [], []],
    ['send_offer', { success: true }, { status: 'sent' }],
    ['cancel_offer', { status: 'CANCELED' }, { status: 'canceled' }],
  ])('%s: any 2xx is a success, for its status is not shown', async (operation, body, said) => {
    for (const status of [200, 201, 202]) {
      const setup = await orderService();
      answer(setup, operation, status, body);
      expect(await value(CALL[operation](setup.client))).toMatchObject(said as object);
    }
  });

  test('send_offer: an offer that is not pending is refused for its status', async () => {
    const { client } = await orderService();
    expect(
      await failure(client.perform({ kind: 'send_offer', target: 'O-3002', reason: '' }, TOKEN, HELD)),
    ).toMatchObject({ type: 'refused', code: 'OFFER_CANCELLATION_ERROR' });
  });

  test('revoke_token: after it the token no longer authenticates requests', async () => {
    const { client } = await orderService();
    await client.revokeToken(TOKEN, HELD);
    for (const operation of OPERATIONS)
      expect(await failure(CALL[operation](client))).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('section 5, authentication', () => {
  test.each(OPERATIONS)('%s carries Bearer and the token', async (operation) => {
    const { client, journal } = await orderService();
    await CALL[operation](client);
    const [entry] = journal.entries({ name: operation });
    expect(entry?.request).toMatchObject({ authorization: expect.stringMatching(/^Bearer \S+$/) });
    expect(entry?.response?.status).toBeLessThan(300);
  });

  test.each(OPERATIONS)('%s: an invalid token yields 401 UNAUTHORIZED', async (operation) => {
    const { client } = await orderService();
    const error = await failure(CALL[operation](client, 'invalid'));
    expect(error).toMatchObject({ type: 'refused', httpStatus: 401, code: 'UNAUTHORIZED' });
  });

  test('a GraphQL token still works on some endpoints', async () => {
    const { client, service } = await orderService();
    const token = service.organization().tokens.find(({ kind }) => kind === 'graphql');
    if (token) token.acceptedBy = ['get_sub_brands'];
    expect(await value(client.getSubBrands(SEED_TOKENS.acme.graphql))).not.toEqual([]);
    expect(
      await failure(
        client.perform({ kind: 'send_offer', target: 'O-3001', reason: '' }, SEED_TOKENS.acme.graphql, HELD),
      ),
    ).toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  test.each(['rest', 'graphql'] as const)('a %s token can revoke itself', async (kind) => {
    const { client } = await orderService();
    const token = SEED_TOKENS.acme[kind];
    await client.revokeToken(token, HELD);
    expect(await failure(client.getSubBrands(token))).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('section 7, errors', () => {
  test.each<[string, Operation]>([
    ['VALIDATION_ERROR', 'cancel_order'],
    ['UNAUTHORIZED', 'cancel_order'],
    ['UNAUTHORIZED', 'get_sub_brands'],
    ['UNAUTHORIZED', 'cancel_offer'],
    ['SUB_BRANDS_NOT_FOUND', 'get_sub_brands'],
    ['OFFER_CANCELLATION_ERROR', 'cancel_offer'],
    ['FORBIDDEN', 'cancel_offer'],
    ['OFFER_NOT_FOUND', 'cancel_offer'],
  ])('%s of %s is a refusal, whatever its 4xx status', async (code, operation) => {
    for (const status of [400, 401, 403, 404, 409, 422]) {
      const setup = await orderService();
      answer(setup, operation, status, { code, message: 'No' });
      expect(await failure(CALL[operation](setup.client))).toMatchObject({
        type: 'refused',
        code,
        httpStatus: status,
      });
    }
  });

  test.each<Operation>(['cancel_order', 'get_sub_brands', 'cancel_offer'])(
    'INTERNAL_SERVER_ERROR of %s leaves open what came of the call, and keeps its details',
    async (operation) => {
      const setup = await orderService();
      const details = [{ field: 'id', error: 'could not be read' }];
      answer(setup, operation, 500, { code: 'INTERNAL_SERVER_ERROR', message: 'No', details });
      expect(await failure(CALL[operation](setup.client))).toMatchObject({
        type: 'no_answer',
        code: 'INTERNAL_SERVER_ERROR',
        why: 'server_error',
        details,
      });
    },
  );

  test.each([400, 404, 409])(
    'send_offer: its error responses are not shown, and %s is a refusal',
    async (status) => {
      const setup = await orderService();
      answer(setup, 'send_offer', status, 'no');
      expect(
        await failure(
          setup.client.perform({ kind: 'send_offer', target: 'O-3001', reason: '' }, TOKEN, HELD),
        ),
      ).toMatchObject({
        type: 'refused',
        httpStatus: status,
      });
    },
  );
});
