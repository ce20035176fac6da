import { expect, test } from 'vitest';
import { createServerClock } from '../../../../src/storage/redis/connection/commands.ts';

test('a deadline by the clock of the server is never later than it is here', () => {
  let here = 5_000.4;
  const clock = createServerClock(() => here);
  expect(clock.deadline(100)).toBe(0);
  // It was 1,000 there when it answered, and the answer was under way for a while.
  clock.learn(1_000);
  here += 50;
  expect(clock.deadline(100)).toBe(1_150);
  expect(clock.deadline(99.9)).toBe(1_149);
  clock.forget();
  expect(clock.deadline(100)).toBe(0);
});
