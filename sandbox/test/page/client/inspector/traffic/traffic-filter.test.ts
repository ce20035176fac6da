import { describe, expect, test } from 'vitest';
import { type Side, sideOf } from '../../../../../page/client/inspector/traffic/exchange.ts';
import {
  isShown,
  SHOW_ALL,
  type TrafficFilter,
} from '../../../../../page/client/inspector/traffic/traffic-filter.ts';
import { action, begun, entry } from './exchanges.ts';

const shows = (exchange: Parameters<typeof isShown>[0], filter: Partial<TrafficFilter>) =>
  isShown(exchange, { ...SHOW_ALL, ...filter });

const refused = entry({ response: { status: 200, body: { ok: false, error: 'channel_not_found' } } });

test.each([
  ['bot', 'slack', 'slack'],
  ['slack', 'bot', 'slack'],
  ['bot', 'order-service', 'order-service'],
  ['order-service', 'bot', 'order-service'],
  ['ana', 'slack', 'people'],
  ['admin', 'slack', 'people'],
  ['back-office', 'order-service', 'people'],
])('what goes from %s to %s is on the side of %s', (from, to, side) => {
  expect(sideOf(entry({ from, to }))).toBe(side);
});

describe('a filter', () => {
  test('that is none shows everything', () => {
    for (const each of [entry(), begun, action(), refused]) expect(isShown(each, SHOW_ALL)).toBe(true);
  });

  test('hides the sides that it names', () => {
    const exchanges = [entry(), entry({ to: 'order-service' }), action()];
    const shown = (...hidden: Side[]) => exchanges.map((each) => shows(each, { hidden }));
    expect(shown('slack')).toEqual([false, true, true]);
    expect(shown('order-service', 'people')).toEqual([true, false, false]);
  });

  test('of what was refused shows that alone', () => {
    const exchanges = [
      entry(),
      begun,
      refused,
      action({ refused: 'ana may not' }),
      entry({ ended: 'timeout' }),
    ];
    expect(exchanges.map((each) => shows(each, { isOnlyRefused: true }))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test('hides what was cleared, and not what came after or is under way', () => {
    const exchanges = [entry({ n: 4 }), entry({ n: 5 }), entry({ n: 6 }), begun];
    expect(exchanges.map((each) => shows(each, { clearedUpTo: 5 }))).toEqual([false, false, true, true]);
  });

  test.each([
    ['postmessage', true],
    ['  Hello ', true],
    ['BOT', true],
    ['slack', true],
    ['channel_not_found', true],
    ['goodbye', false],
    ['   ', true],
  ])('finds %j: %s', (text, isFound) => {
    expect(shows(refused, { text })).toBe(isFound);
  });

  test('finds what came of an act', () => {
    expect(shows(action({ trouble: 'dispatch_failed' }), { text: 'dispatch' })).toBe(true);
  });
});
