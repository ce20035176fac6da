import { expect, test } from 'vitest';
import { createBreaker } from '../../../src/order-service/transport/breaker.ts';
import { claimEffect } from '../../../src/requests/engine/effects.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { type BucketName, NOW, type RateLimiter } from '../../../src/requests/ports/rate-limiter.ts';
import { carded, HELD, queued, T0 } from '../../support/requests/records.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

const SERVICE = { origin: 'https://orders.example', expiresAfterMs: TIMINGS.expiresAfterMs };

/** A limiter that holds nobody back, and notes its pauses. */
const limiterOf = (pause: RateLimiter['pause'] = async () => {}, isProbe = false) => ({
  pause,
  take: async () => ({ ...NOW, isProbe }),
  resume: async () => {},
});

type Pause = { whose: string; ms: number; why: string };

/** The pauses that a breaker makes of these answers, one after the other, each to a workspace. */
async function pausesAfter(...answers: [workspace: string, answer: Answer][]): Promise<Pause[]> {
  const pauses: Pause[] = [];
  const pause = async ({ workspace = 'all' }: BucketName, ms: number, why: string) =>
    void pauses.push({ whose: workspace, ms, why });
  let next: Answer;
  const breaker = createBreaker(limiterOf(pause), SERVICE, log).watch({ carryOut: async () => next });
  for (const [workspace, answer] of answers) {
    next = answer;
    await breaker.carryOut(queued({ workspace }), HELD);
  }
  return pauses;
}

const silent: Answer = { type: 'no_answer', why: 'server_error', httpStatus: 500 };
const said: Answer = { type: 'said', status: 'canceled' };
const limited = (retryAfterMs: number): Answer => ({
  type: 'not_received',
  why: 'rate_limited',
  retryAfterMs,
});

test.each(['not_connected', 'token_refused', 'connection_unreadable'] as const)(
  'a workspace whose requests wait because of its own connection (%s) pauses nobody',
  async (why) => {
    const waiting: Answer = { type: 'not_received', why };
    const answers = [waiting, waiting, waiting, waiting, silent];
    expect(await pausesAfter(...answers.map((answer): [string, Answer] => ['T1', answer]))).toEqual([]);
  },
);

test('a service that cannot be reached is paused for all', async () => {
  const [pause] = await pausesAfter(['T1', { type: 'not_received', why: 'unreachable' }]);
  expect(pause).toMatchObject({ whose: 'all', why: 'unreachable' });
});

test('a rate limit pauses the workspace whose token it was given for, and nobody else', async () => {
  expect(await pausesAfter(['T1', limited(2_000)])).toEqual([
    { whose: 'T1', ms: 2_000, why: 'rate_limited' },
  ]);
});

test('a rate limit pauses for no longer than a request may wait, whatever Retry-After says', async () => {
  const [pause] = await pausesAfter(['T1', limited(999_999_999_000)]);
  expect(pause?.ms).toBe(5 * 60_000);
  const calls = { carryOut: async () => limited(999_999_999_000) };
  const watched = createBreaker(limiterOf(), SERVICE, log).watch(calls);
  expect(await watched.carryOut(queued(), HELD)).toEqual(limited(5 * 60_000));
});

test('a rate limit leaves a request time for a last try before it expires', async () => {
  const startedAt = T0 + 12 * 60_000;
  const late = claimEffect(
    carded(),
    { type: 'call' },
    { owner: 'o', startedAt, expiresAt: startedAt + 60_000 },
  );
  const calls = { carryOut: async () => limited(5 * 60_000) };
  const watched = createBreaker(limiterOf(), SERVICE, log).watch(calls);
  expect(await watched.carryOut(late, HELD)).toEqual(limited(2.5 * 60_000));
});

test('three failures of one workspace pause that workspace alone', async () => {
  const failures = [silent, silent, silent].map((answer): [string, Answer] => ['T1', answer]);
  expect(await pausesAfter(...failures)).toEqual([{ whose: 'T1', ms: 4_000, why: 'failing' }]);
  // Another workspace gets answers in between: the breaker is about the first one alone.
  const mixed = failures.flatMap((failure): [string, Answer][] => [failure, ['T2', said]]);
  expect(await pausesAfter(...mixed)).toEqual([{ whose: 'T1', ms: 4_000, why: 'failing' }]);
});

test('failures of several workspaces pause each of them, and nobody else', async () => {
  const thrice = ['T1', 'T2', 'T3', 'T1', 'T2', 'T3', 'T1', 'T2', 'T3'];
  const pauses = await pausesAfter(...thrice.map((workspace): [string, Answer] => [workspace, silent]));
  expect(pauses.map(({ whose }) => whose)).toEqual(['T1', 'T2', 'T3']);
});

test('a probe that fails pauses its workspace again, whichever replica counted the failures before', async () => {
  const pauses: string[] = [];
  const pause = async ({ workspace = 'all' }: BucketName) => void pauses.push(workspace);
  const breaker = createBreaker(limiterOf(pause, true), SERVICE, log);
  await breaker.take(queued());
  await breaker.watch({ carryOut: async () => silent }).carryOut(queued(), HELD);
  expect(pauses).toEqual(['T1']);
});

test('an answer, even a refusal, ends the count', async () => {
  const refused: Answer = { type: 'refused', httpStatus: 400, details: [] };
  const answers: Answer[] = [silent, silent, refused, silent, silent, said, silent, silent];
  expect(await pausesAfter(...answers.map((answer): [string, Answer] => ['T1', answer]))).toEqual([]);
});
