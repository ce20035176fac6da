import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimitAlarm } from '../../src/slack/rate-limit-alarm.ts';

test('one workspace is told of at most once a minute, and of any minute in which Slack says it anew', () => {
  const told = fc.record({ workspace: fc.constantFrom('T1', 'T2'), afterMs: fc.nat(90_000) });
  fc.assert(
    fc.property(fc.array(told), (all) => {
      let now = 0;
      const lines: { workspace: string; at: number }[] = [];
      const log = {
        debug() {},
        info() {},
        warn() {},
        error: (fields: object) => lines.push({ ...(fields as { workspace: string }), at: now }),
      };
      const alarm = createRateLimitAlarm(log, () => now);
      for (const { workspace, afterMs } of all) {
        now += afterMs;
        alarm({ type: 'rate_limit', name: 'app_rate_limited', workspace, since: undefined });
        // Whatever was said before, within this last minute there is a line, and never two.
        const recent = lines.filter((line) => line.workspace === workspace && now - line.at < 60_000);
        expect(recent).toHaveLength(1);
      }
    }),
  );
});
