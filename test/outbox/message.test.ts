import { expect, test } from 'vitest';
import { afterLateUpdate, type Message, newUpkeep, updateAtOf, withPlace } from '../../src/outbox/message.ts';

const NOW = 1_000_000;
const FIRST_REVISION = 1;
const shown = { ...newUpkeep(NOW), shown: 7 };

test('a new message owes an update for the first revision', () => {
  expect(updateAtOf(newUpkeep(NOW), FIRST_REVISION)).toBe(NOW);
});

test('a message whose update was overtaken owes another one, whichever revision it showed', () => {
  const overtaken = afterLateUpdate(shown, { type: 'posted' }, { now: NOW, appearMs: 1_000 });
  expect(updateAtOf(overtaken, FIRST_REVISION)).toBe(NOW);
});

test('a message whose place another copy has taken owes an update, and has its destination', () => {
  const message = {
    key: 'card',
    at: NOW,
    delivery: { status: 'posted' as const, channel: 'C1', ts: '1.1' },
    to: 'thread' as const,
    upkeep: shown,
  } satisfies Message;
  const location = { channel: 'C2', ts: '2.2' };
  const placed = withPlace(message, location, 'requester');
  expect(placed).toMatchObject({ location, to: 'requester' });
  expect(updateAtOf(placed.upkeep ?? shown, FIRST_REVISION)).toBe(NOW);
  expect(withPlace(message, location, undefined).to).toBeUndefined();
});
