import { expect, test } from 'vitest';
import { defineMetrics } from '../../src/metrics/definitions.ts';

test('several bots in a process count for themselves, and measure Node once: nothing ends what measures it', () => {
  const [first, second] = [1, 2].map(
    () => defineMetrics({ perWorkspace: false, version: '0', commit: 'a' }).registry,
  );
  const [gc, build] = ['nodejs_gc_duration_seconds', 'countermand_build_info'];
  expect(first?.getSingleMetric(gc)).toBeDefined();
  expect(second?.getSingleMetric(gc)).toBe(first?.getSingleMetric(gc));
  expect(second?.getSingleMetric(build)).not.toBe(first?.getSingleMetric(build));
});
