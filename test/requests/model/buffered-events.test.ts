import { describe, expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import type { ServiceEvent } from '../../../src/requests/model/cause.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { calling, event, said, T0 } from '../../support/requests/records.ts';

/** Buffers events in turn. @returns the result of each, and the last record */
function buffered(events: readonly ServiceEvent[], record: RequestRecord = calling().record) {
  const results: string[] = [];
  const last = events.reduce((next, each) => {
    const applied = applyEvent(next, each, T0);
    results.push(applied.result);
    return applied.record;
  }, record);
  return { results, record: last };
}

const flip = (n: number, given: Partial<ServiceEvent> = {}) =>
  event({ status: n % 2 ? 'approved' : 'denied', createdAt: T0, updatedAt: T0 + n, ...given });

describe('the buffer of a request that is being called', () => {
  test('keeps the newest event of each request of the service', () => {
    const events = Array.from({ length: 500 }, (_, n) => flip(n));
    const { record } = buffered([...events, flip(0, { createdAt: T0 - 60_000 })]);
    expect(record.bufferedEvents).toMatchObject([
      { createdAt: T0, updatedAt: T0 + 499 },
      { createdAt: T0 - 60_000 },
    ]);
    const answeredNow = applyCallResult(record, said('pending', T0), 1, T0 + 1_000);
    expect(answeredNow.record.state).toBe('approved');
    expect(answeredNow.unmatched).toMatchObject([{ createdAt: T0 - 60_000 }]);
  });

  test('knows what is older, what comes again, and that a decision beats what is pending at the same time', () => {
    const denied = flip(2);
    const events = [flip(1), denied, denied, flip(1), flip(2, { status: 'pending' }), flip(2)];
    expect(buffered(events).results).toEqual([
      'buffered',
      'buffered',
      'repeated',
      'stale',
      'stale',
      'repeated',
    ]);
  });

  test('keeps events without a time of change, and knows each of them again', () => {
    const [first, second] = [event({ createdAt: T0 }), event({ createdAt: T0, status: 'denied' })];
    expect(buffered([first, second, first]).results).toEqual(['buffered', 'buffered', 'repeated']);
  });

  test('lets a decision stand when its creation is announced late', () => {
    const created = event({ topic: 'created', status: 'pending', createdAt: T0, updatedAt: T0 + 9 });
    const { record } = buffered([flip(1), created]);
    expect(applyCallResult(record, said('pending', T0), 1, T0).record.state).toBe('approved');
  });

  test('lets a decision stand when a word follows that the interface does not list', () => {
    const scheduled = flip(3, { status: 'accepted', word: 'scheduled' });
    const { record } = buffered([flip(2), scheduled, flip(4, { createdAt: T0 + 60_000 })]);
    const { record: answeredNow } = applyCallResult(record, said('pending', T0), 1, T0);
    expect(answeredNow).toMatchObject({ state: 'denied', word: 'scheduled' });
  });

  test('keeps apart what may be about two requests: other ids, and events without a time of creation', () => {
    const events = [
      flip(1),
      flip(2, { target: 'a-1001' }),
      event({ updatedAt: T0 }),
      event({ updatedAt: T0 + 1 }),
    ];
    expect(buffered(events).record.bufferedEvents).toHaveLength(4);
  });

  test('holds fifty at most, and takes a newer one about each of these', () => {
    const events = Array.from({ length: 50 }, (_, n) => flip(0, { createdAt: T0 + n }));
    const { record } = buffered(events);
    const more = applyEvent(record, flip(0, { createdAt: T0 + 50 }), T0);
    expect(more).toEqual({ result: 'full', record });
    expect(applyEvent(record, flip(7, { createdAt: T0 + 3 }), T0).result).toBe('buffered');
    expect(applyEvent(record, flip(7, { createdAt: T0 + 3 }), T0).record.bufferedEvents).toHaveLength(50);
  });
});
