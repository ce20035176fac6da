import { expect, test } from 'vitest';
import { afterRefusal, PAUSE_TIMES } from '../../../src/workspaces/connection/token-pauses.ts';

const DAY = 24 * 60 * 60_000;
const NOW = 10 * DAY;

test('a refusal is the next in a row soon after the last one, and a new one after a clock was set back', () => {
  const over = { ...afterRefusal(undefined, NOW, PAUSE_TIMES), told: true, state: 'over' as const };
  expect(afterRefusal(over, NOW + 1_000, PAUSE_TIMES)).toMatchObject({ refusals: 2, told: true });
  expect(afterRefusal(over, NOW - DAY, PAUSE_TIMES)).toMatchObject({ refusals: 1, told: false });
});
