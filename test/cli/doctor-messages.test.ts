/** Slack limits the rate at which it judges messages, and its page does not say to how many. */
import { expect, test } from 'vitest';
import { checkMessages } from '../../src/cli/doctor/messages.ts';

/** Returns doctor's findings where Slack answers so many requests with 429, and how long it waits. */
async function checked({ limited }: { limited: number }) {
  let asked = 0;
  const send = async () => {
    asked += 1;
    const isLimited = asked <= limited;
    const body = JSON.stringify(isLimited ? { ok: false, error: 'ratelimited' } : { ok: true });
    const headers = { 'retry-after': '3' };
    return { type: 'answered', answer: { status: isLimited ? 429 : 200, headers, body } };
  };
  const api = { apiUrl: new URL('https://slack.example/api/'), send };
  const waits: number[] = [];
  const sleep = async (ms: number) => waits.push(ms);
  const findings = await checkMessages({ api, sleep } as never, 'xoxb-1');
  return { waits, said: findings.map(({ status, text }) => `${status}: ${text}`) };
}

test('doctor waits as long as Slack asks, and goes on', async () => {
  expect(await checked({ limited: 2 })).toEqual({
    waits: [3_000, 3_000],
    said: [expect.stringMatching(/^ok: Slack accepts all \d+ messages and forms$/)],
  });
});

test('doctor gives up where Slack goes on refusing', async () => {
  expect(await checked({ limited: 20 })).toEqual({
    waits: [3_000, 3_000, 3_000, 3_000],
    said: [expect.stringContaining('unknown: Slack does not judge messages here (ratelimited)')],
  });
});
