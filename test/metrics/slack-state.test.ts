import { expect, test } from 'vitest';
import { ClaimLostError, type Exchange } from '../../src/http/exchange.ts';
import { defineMetrics } from '../../src/metrics/definitions.ts';
import { createSlackState } from '../../src/metrics/observe-ports.ts';

const MINUTE = 60_000;

function setUp() {
  const clock = { now: Date.parse('2026-11-28T20:10:00Z'), monotonic: 0 };
  const metrics = defineMetrics({ perWorkspace: false, version: '0', commit: 'a' });
  const state = createSlackState(metrics, { now: () => clock.now, monotonic: () => clock.monotonic });
  const shown = async (gauge: 'clockOffset' | 'slackReachable') => {
    state.show(true);
    return (await metrics[gauge].get()).values[0]?.value;
  };
  return { clock, state, shown };
}

const LOST: Exchange = {
  type: 'failed',
  sent: true,
  timedOut: false,
  head: undefined,
  cause: new Error('lost'),
};

test('Slack is unreachable after three failures in a row, and for five minutes after the last one', async () => {
  const { clock, state, shown } = setUp();
  const reachable = () => shown('slackReachable');
  for (let times = 0; times < 2; times++) state.learn(LOST);
  // A call that this process stopped says nothing about Slack.
  state.learn({ ...LOST, sent: false, cause: new ClaimLostError() });
  expect(await reachable()).toBe(1);
  clock.monotonic += 4 * MINUTE;
  state.learn(LOST);
  clock.monotonic += 4 * MINUTE;
  expect(await reachable()).toBe(0);
  clock.monotonic += MINUTE;
  expect(await reachable()).toBe(1);
});

test('a wrong clock is forgotten after five minutes without an answer of Slack: it may have been set since', async () => {
  const { clock, state, shown } = setUp();
  const offset = () => shown('clockOffset');
  const headers = { date: 'Sat, 28 Nov 2026 20:00:00 GMT' };
  const answer: Exchange = { type: 'answered', answer: { status: 200, headers, body: '{"ok":true}' } };
  expect(await offset()).toBe(0);
  state.learn(answer);
  clock.monotonic += 4 * MINUTE;
  expect(await offset()).toBe(600);
  state.learn(LOST);
  state.learn({ type: 'answered', answer: { status: 200, headers: {}, body: '{"ok":true}' } });
  expect(await offset()).toBe(600);
  clock.monotonic += MINUTE;
  expect(await offset()).toBe(0);
});
