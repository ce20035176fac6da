import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMonotonic, RUNTIME } from '../src/runtime.ts';

/** A machine with two clocks: the one that runs, with fractions, and the one that is set, in whole milliseconds. */
function machine() {
  const clocks = { running: 0, wall: 1_000_000 };
  const monotonic = createMonotonic(
    () => clocks.running,
    () => Math.floor(clocks.wall),
  );
  const pass = (ms: number) => {
    clocks.running += ms;
    clocks.wall += ms;
  };
  return { clocks, monotonic, pass };
}

describe('the clock that nobody sets', () => {
  test('runs as fast as time, however often it is asked', () => {
    const { monotonic, pass } = machine();
    for (let n = 0; n < 10_000; n++) {
      pass(0.3);
      monotonic();
    }
    expect(monotonic()).toBeCloseTo(3_000, 3);
  });

  test('is not moved by a clock that is set back, or a little ahead', () => {
    const { clocks, monotonic, pass } = machine();
    clocks.wall -= 3_600_000;
    pass(5);
    clocks.wall += 400;
    expect(monotonic()).toBe(5);
  });

  test('includes the time for which the machine was suspended', () => {
    const { clocks, monotonic } = machine();
    clocks.wall += 60_000;
    expect(monotonic()).toBe(60_000);
  });
});

test('what was put off does not run once it is cancelled', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ran: string[] = [];
  RUNTIME.after(10, () => ran.push('kept'));
  RUNTIME.after(10, () => ran.push('cancelled'))();
  vi.advanceTimersByTime(10);
  expect(ran).toEqual(['kept']);
});
