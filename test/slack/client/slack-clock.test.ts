import { expect, test } from 'vitest';
import type { SendHttp } from '../../../src/http/exchange.ts';
import { createSlackClock } from '../../../src/slack/client/slack-clock.ts';

const CALL = { method: 'POST', path: '/api/auth.test', headers: {} } as const;
const LIMITS = { deadlineMs: 7_000, maxBytes: 1 };
const DATE = 'Mon, 02 Nov 2026 09:00:00 GMT';

/** A clock that has heard an answer, which took some time. */
async function clockAfter(headers: Record<string, string>, tookMs: number) {
  let monotonic = 5_000;
  const send: SendHttp = async () => {
    monotonic += tookMs;
    return { type: 'answered', answer: { status: 500, headers, body: '' } };
  };
  const clock = createSlackClock(send, () => monotonic);
  await clock.send(CALL, LIMITS);
  monotonic += 60_000;
  return clock;
}

test('Slack’s clock is known from the Date of an answer, whatever it says', async () => {
  const clock = await clockAfter({ date: DATE }, 300);
  expect(clock.now()).toBe(Date.parse(DATE) + 60_000);
});

test.each<[string, Record<string, string>, number]>([
  ['has no Date', {}, 300],
  ['is read late, since the process was frozen', { date: DATE }, 600_000],
])('an answer that %s does not tell it', async (_name, headers, tookMs) => {
  expect((await clockAfter(headers, tookMs)).now()).toBeUndefined();
});
