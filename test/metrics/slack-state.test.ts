import { expect, test } from 'vitest';
import type { Exchange } from '../../src/http/exchange.ts';
import { defineMetrics } from '../../src/metrics/definitions.ts';
import { createSlackState } from '../../src/metrics/observe-ports.ts';

const MINUTE = 60_000;

test('a wrong clock is forgotten after five minutes without an answer of Slack: it may have been set since', async () => {
  const now = Date.parse('2026-11-28T20:10:00Z');
  let monotonic = 0;
  const metrics = defineMetrics({ perWorkspace: false, version: '0', commit: 'a' });
  const state = createSlackState(metrics, { now: () => now, monotonic: () => monotonic });
  const offset = async () => {
    state.show();
    return (await metrics.clockOffset.get()).values[0]?.value;
  };
  const headers = { date: 'Sat, 28 Nov 2026 20:00:00 GMT' };
  const answer: Exchange = { type: 'answered', answer: { status: 200, headers, body: '{"ok":true}' } };
  expect(await offset()).toBe(0);
  state.learn(answer);
  monotonic += 4 * MINUTE;
  expect(await offset()).toBe(600);
  state.learn({ type: 'failed', sent: true, timedOut: false, head: undefined, cause: new Error('lost') });
  state.learn({ type: 'answered', answer: { status: 200, headers: {}, body: '{"ok":true}' } });
  expect(await offset()).toBe(600);
  monotonic += MINUTE;
  expect(await offset()).toBe(0);
});
