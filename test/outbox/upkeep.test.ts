import { expect, test } from 'vitest';
import { afterLateUpdate, newUpkeep, updateAtOf } from '../../src/outbox/message.ts';

const NOW = 1_000_000;
const FIRST_REVISION = 1;

test('a new message owes an update for the first revision', () => {
  expect(updateAtOf(newUpkeep(NOW), FIRST_REVISION)).toBe(NOW);
});

test('a message whose update was overtaken owes another one, whichever revision it showed', () => {
  const shown = { ...newUpkeep(NOW), shown: 7 };
  const overtaken = afterLateUpdate(shown, { type: 'posted' }, { now: NOW, appearMs: 1_000 });
  expect(updateAtOf(overtaken, FIRST_REVISION)).toBe(NOW);
});
