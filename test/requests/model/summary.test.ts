import { describe, expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { canSucceedAgain, refusalAt } from '../../../src/requests/model/refusal.ts';
import { mayHaveReceived, receiptOf, receivedAt } from '../../../src/requests/model/summary.ts';
import { answered, calling, carded, event, said, T0 } from '../../support/requests/records.ts';

const refused = (httpStatus: number, code?: string) =>
  answered({ type: 'refused', httpStatus, details: [], ...(code ? { code } : {}) });

describe('whether the service may have received a request', () => {
  test.each([
    ['was not called', carded(), 'none'],
    ['could not be sent', answered({ type: 'not_received', why: 'unreachable' }), 'none'],
    ['was refused', refused(400), 'refused'],
    ['is being called', calling().record, 'possible'],
    ['got no answer', answered({ type: 'no_answer', why: 'cut' }), 'possible'],
    ['is reviewed', answered(said('pending')), 'certain'],
    [
      'got no answer, and then an event',
      applyEvent(answered({ type: 'no_answer', why: 'cut' }), event(), T0).record,
      'certain',
    ],
  ])('one that %s', (_name, record, receipt) => {
    expect(receiptOf(record)).toBe(receipt);
    expect(mayHaveReceived(record)).toBe(receipt === 'possible' || receipt === 'certain');
    expect(receivedAt(record) !== undefined).toBe(mayHaveReceived(record));
  });

  test('is judged for a step by the calls before it, and by what is known of them now', () => {
    const unknown = answered({ type: 'no_answer', why: 'cut' });
    expect([1, 2, 3].map((n) => receiptOf(unknown, n))).toEqual(['none', 'none', 'possible']);
    const late = applyCallResult(unknown, { type: 'not_received', why: 'unreachable' }, 1, T0).record;
    expect(receiptOf(late, 3)).toBe('none');
  });
});

describe('after a refusal the same call can succeed', () => {
  test.each([
    [401, 'UNAUTHORIZED', true],
    [403, 'FORBIDDEN', true],
    [409, undefined, true],
    [423, 'ORDER_LOCKED', true],
    [200, undefined, true],
    [400, 'VALIDATION_ERROR', false],
    [409, 'OFFER_CANCELLATION_ERROR', false],
    [404, 'OFFER_NOT_FOUND', false],
    [404, undefined, false],
    [422, 'SOMETHING_NEW', false],
    [0, 'INVALID_ID', false],
  ])('%s %s: %s', (status, code, can) => {
    const record = refused(status, code);
    const refusal = refusalAt(record, record.steps.length);
    expect(refusal && canSucceedAgain(refusal)).toBe(can);
  });
});
