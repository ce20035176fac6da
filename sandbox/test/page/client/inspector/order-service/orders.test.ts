import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CancellationStatus, Order } from '../../../../../order-service/organization.ts';
import {
  rangesOf,
  STATUS_TEXT,
  sortOrders,
} from '../../../../../page/client/inspector/order-service/orders.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 5, 12, minute)).toISOString();
const untouched = (id: string): Order => ({ id, poNumber: null, reviewed: false });
const asked = (id: string, status: CancellationStatus, minute: number): Order => ({
  ...untouched(id),
  cancellation: { status, reason: 'Late', createdAt: at(0), updatedAt: at(minute) },
});
const idsOf = (orders: readonly Order[]) => orders.map(({ id }) => id);

describe('orders', () => {
  test('stand where their cancellations stand, those that changed last first', () => {
    const given = [
      asked('A-1', 'pending', 1),
      asked('A-2', 'canceled', 2),
      asked('A-3', 'approved', 9),
      asked('A-4', 'pending', 5),
      asked('A-5', 'denied', 4),
      untouched('A-6'),
    ];
    const { waiting, decided, untouched: rest } = sortOrders(given);
    expect([waiting, decided, rest].map(idsOf)).toEqual([['A-4', 'A-1'], ['A-3', 'A-5', 'A-2'], ['A-6']]);
    expect(idsOf(given)).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6']);
  });

  test('that nobody touched are counted as people count', () => {
    const { untouched: rest } = sortOrders(['A-10', 'B-1', 'A-9', 'A-100'].map(untouched));
    expect(idsOf(rest)).toEqual(['A-9', 'A-10', 'A-100', 'B-1']);
  });

  test('have a word for every status', () => {
    expect(Object.values(STATUS_TEXT).every((word) => word.length > 0)).toBe(true);
  });
});

describe('ids in a few words', () => {
  test.each([
    [[], ''],
    [['A-1001'], 'A-1001'],
    [['A-1001', 'A-1002'], 'A-1001 … A-1002'],
    [['A-1001', 'A-1002', 'A-1003', 'A-1005', 'A-2001'], 'A-1001 … A-1003, A-1005, A-2001'],
    [['A-1', 'B-2'], 'A-1, B-2'],
    [['X-008', 'X-009', 'X-010'], 'X-008 … X-010'],
    [['X-09', 'X-9', 'X-10'], 'X-09, X-9 … X-10'],
    [['A-99', 'A-100'], 'A-99 … A-100'],
    [['first', 'second'], 'first, second'],
  ])('%j are "%s"', (ids, text) => {
    expect(rangesOf(ids)).toBe(text);
  });

  test('stand for every id, and for no other', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(numbers, (given) => {
        const sorted = given.toSorted((one, other) => one - other);
        const text = rangesOf(sorted.map((number) => `A-${number}`));
        const ranges = text === '' ? [] : text.split(', ');
        const meant = ranges.flatMap((range) => {
          const [first = 0, last = first] = range.split(' … ').map((id) => Number(id.slice(2)));
          return Array.from({ length: last - first + 1 }, (_, index) => first + index);
        });
        expect(meant).toEqual(sorted);
      }),
    );
  });
});
