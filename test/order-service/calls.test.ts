import { describe, expect, test } from 'vitest';
import {
  createOrderCalls,
  fromCancellation,
  fromOfferCancellation,
  fromSending,
} from '../../src/order-service/calls.ts';
import { retryAfterMs } from '../../src/order-service/retry-after.ts';
import type { Tokens } from '../../src/requests/ports.ts';
import { heldToken, orderService, tokens } from '../support/order-service.ts';
import { calling } from '../support/records.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const { record } = calling();

async function calls(take?: Tokens['take']) {
  const { client, service } = await orderService();
  const held = tokens(take);
  const { verdicts } = held;
  return { service, verdicts, calls: createOrderCalls({ service: client, tokens: held, log }) };
}

const offer = (kind: 'send_offer' | 'cancel_offer', target: string) => ({ ...record, kind, target });

describe('what an answer means for the request', () => {
  test.each([
    ['a listed status', 'canceled', { status: 'canceled' }],
    ['a listed status in another case', 'Approved', { status: 'approved' }],
    ['no status', undefined, { status: 'pending' }],
    ['an unlisted status', 'escalated', { status: 'pending', word: 'escalated' }],
  ])('%s', (_name, cancellationStatus, answer) => {
    expect(fromCancellation({ cancellationStatus })).toEqual({ type: 'said', ...answer });
  });

  test('the time of the request is what events are matched by', () => {
    const requestedAt = '2026-11-21T12:00:00.000+01:00';
    expect(fromCancellation({ requestedAt })).toMatchObject({ requestedAt: Date.UTC(2026, 10, 21, 11) });
  });

  test('a success is said', async () => {
    const { calls: orders } = await calls();
    expect(await orders.carryOut(record)).toMatchObject({ type: 'said', status: 'canceled' });
  });

  test.each([
    [
      { type: 'status' as const, status: 404 },
      { type: 'refused', httpStatus: 404 },
    ],
    [
      { type: 'status' as const, status: 500 },
      { type: 'no_answer', why: 'server_error', httpStatus: 500 },
    ],
    [
      { type: 'redirect' as const, status: 302, location: '/' },
      { type: 'no_answer', why: 'redirected' },
    ],
    [{ type: 'unanswered' as const }, { type: 'no_answer', why: 'cut' }],
    [{ type: 'garbage' as const }, { type: 'no_answer', why: 'unreadable' }],
    [
      { type: 'rate_limit' as const, retryAfterSeconds: 3 },
      { type: 'not_received', why: 'rate_limited', retryAfterMs: 3_000 },
    ],
  ])('%o', async (fault, answer) => {
    const { calls: orders, service } = await calls();
    service.faults.order({ on: 'cancel_order', fault });
    expect(await orders.carryOut(record)).toMatchObject(answer);
  });

  test('an id that can not be sent is refused without a call', async () => {
    const { calls: orders, service } = await calls();
    expect(await orders.carryOut({ ...record, target: '..' })).toMatchObject({
      type: 'refused',
      code: 'INVALID_ID',
    });
    expect(service.calls()).toEqual([]);
  });

  test.each(['not_connected', 'token_refused'] as const)('%s sends nothing and waits', async (why) => {
    const none = await calls(async () => why);
    expect(await none.calls.carryOut(record)).toEqual({ type: 'not_received', why });
    expect(none.service.calls()).toEqual([]);
  });

  test('a connection that can not be read sends nothing and waits', async () => {
    const broken = await calls(() => Promise.reject(new Error('storage away')));
    expect(await broken.calls.carryOut(record)).toEqual({
      type: 'not_received',
      why: 'connection_unreadable',
    });
    expect(broken.service.calls()).toEqual([]);
  });
});

describe('what an answer says of the token', () => {
  const status = (code: number, body?: object) => ({ type: 'status' as const, status: code, body });

  test('that it is known, where the service did what it was asked', async () => {
    const { calls: orders, verdicts } = await calls();
    await orders.carryOut(record);
    expect(verdicts).toEqual(['accepted']);
  });

  test.each([
    ['401', status(401), ['refused']],
    ['401 UNAUTHORIZED', status(401, { code: 'UNAUTHORIZED', message: 'no' }), ['refused']],
    ['403', status(403), ['accepted']],
    ['FORBIDDEN, whatever its status', status(401, { code: 'FORBIDDEN', message: 'no' }), ['accepted']],
    ['400', status(400), ['accepted']],
    ['500', status(500), []],
    ['429', { type: 'rate_limit' as const, retryAfterSeconds: 3 }, []],
    ['no answer', { type: 'unanswered' as const }, []],
  ])('%s', async (_name, fault, said) => {
    const { calls: orders, service, verdicts } = await calls();
    service.faults.order({ on: 'cancel_order', fault });
    await orders.carryOut(record);
    expect(verdicts).toEqual(said);
  });

  test('nothing, where an id could not be sent', async () => {
    const { calls: orders, verdicts } = await calls();
    await orders.carryOut({ ...record, target: '..' });
    expect(verdicts).toEqual([]);
  });
});

describe('what an answer means for an offer (sections 2 to 4)', () => {
  test.each([
    [
      { success: true, sentAt: '2026-11-21T12:00:00Z' },
      { type: 'said', status: 'sent' },
    ],
    [{ success: false }, { type: 'refused', httpStatus: 200, details: [] }],
    [{}, { type: 'said', status: 'pending' }],
  ])('sending: %o', (result, answer) => {
    expect(fromSending(result)).toEqual(answer);
  });

  test.each([
    ['CANCELED', { type: 'said', status: 'canceled' }],
    ['canceled', { type: 'said', status: 'canceled' }],
    ['EXPIRED', { type: 'said', status: 'pending', word: 'EXPIRED' }],
    [undefined, { type: 'said', status: 'pending' }],
  ])('cancelling: %s', (status, answer) => {
    expect(fromOfferCancellation({ status })).toEqual(answer);
  });

  test('a pending offer is sent, and a cancelled one is cancelled', async () => {
    const { calls: orders, service } = await calls();
    expect(await orders.carryOut(offer('send_offer', 'O-3001'))).toEqual({ type: 'said', status: 'sent' });
    expect(await orders.carryOut(offer('cancel_offer', 'O-3001'))).toEqual({
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
    expect(await orders.carryOut(offer('cancel_offer', target))).toMatchObject({ type: 'refused', code });
  });
});

describe('a GraphQL token that a REST endpoint refuses (section 5)', () => {
  test.each([401, 403])('is named as the likely cause of a %s', async (status) => {
    const { calls: orders, service } = await calls(async () => heldToken('graphql'));
    service.faults.order({ on: 'cancel_order', fault: { type: 'status', status } });
    expect(await orders.carryOut(record)).toMatchObject({ type: 'refused', tokenKind: 'graphql' });
  });

  test('is not blamed for anything else', async () => {
    const { calls: orders, service } = await calls(async () => heldToken('graphql'));
    service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 400 } });
    expect(await orders.carryOut(record)).not.toHaveProperty('tokenKind');
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 21, 12);

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    [undefined, undefined],
  ])('%s is %s ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
