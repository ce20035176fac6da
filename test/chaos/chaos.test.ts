import { describe, expect, test } from 'vitest';
import { needsRedis } from '../support/redis/redis.ts';
import type { ChaosOptions } from './options.ts';
import { describeReport, faultsOf } from './report.ts';
import { run } from './run.ts';

/** A short run; `npm run chaos` is the long one, and shows with `--without claims` that its checks find something. */
const SHORT = { requests: 24, faults: 10 };

const LONGEST_MS = 240_000;

async function playShort(
  options: Pick<ChaosOptions, 'seed' | 'storage'> & Partial<ChaosOptions>,
): Promise<void> {
  const report = await run({ ...SHORT, transport: 'http', ...options });
  expect(report.violations, describeReport(report)).toEqual([]);
  expect(report.replies).toBeGreaterThanOrEqual(SHORT.requests);
  expect(faultsOf(report)).toBeGreaterThan(SHORT.faults / 2);
}

/** Both runs mostly wait, for timers of the bot and for processes. */
const TOGETHER = { timeout: LONGEST_MS, concurrent: true };

describe(
  'three replicas and a load balancer over one Redis, which die, freeze and lose each other',
  TOGETHER,
  () => {
    needsRedis(true);

    test('lose nothing and double nothing', () => playShort({ seed: 2, storage: 'redis' }));
  },
);

describe('one process over SQLite, which dies and is started again', TOGETHER, () => {
  test('loses nothing and doubles nothing', () => playShort({ seed: 4, storage: 'sqlite' }));
});
