import { describe, expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { receivedAt } from '../../../src/requests/model/events-and-calls.ts';
import { mayHaveReceived, receiptOf } from '../../../src/requests/model/summary.ts';
import { answered, calling, carded, event, said, T0 } from '../../support/requests/records.ts';

describe('whether the service may have received a request', () => {
  test.each([
    ['was not called', carded(), 'none'],
    ['could not be sent', answered({ type: 'not_received', why: 'unreachable' }), 'none'],
    ['was refused', answered({ type: 'refused', httpStatus: 400, details: [] }), 'refused'],
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
