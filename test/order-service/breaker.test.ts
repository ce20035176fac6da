import { describe, expect, test } from 'vitest';
import { createBreaker } from '../../src/order-service/breaker.ts';
import { NO_WAIT, type RateLimiter, SILENT } from '../../src/outbox/ports.ts';
import { claimEffect } from '../../src/requests/engine/effects.ts';
import type { Answer, WaitingReason } from '../../src/requests/model/cause.ts';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { carded, HELD, queued, T0 } from '../support/requests/records.ts';

const log = SILENT;

const SERVICE = { origin: 'https://orders.example', expiresAfterMs: TIMINGS.expiresAfterMs };

/** A limiter that holds nobody back, and notes its pauses. */
const limiterOf = (pause: RateLimiter['pause'] = async () => {}, isProbe = false) => ({
  pause,
  take: async () => ({ ...NO_WAIT, isProbe }),
  resume: async () => {},
});

type Pause = { whose: string; ms: number; why: string; probeMs: number | undefined };

/** A probe has longer than a call takes, whose deadline is 20 s. */
const PROBE_MS = 30_000;

/** A limiter that notes its pauses, and how long others wait for a probe after them; `resumed` where one is ended. */
function notingLimiter(isProbe = false) {
  const pauses: (Pause | 'resumed')[] = [];
  const pause: RateLimiter['pause'] = async ({ workspace = 'all' }, ms, why, probeMs) =>
    void pauses.push({ whose: workspace, ms, why, probeMs });
  const resume = async () => void pauses.push('resumed');
  return { pauses, limiter: { ...limiterOf(pause, isProbe), resume } };
}

/** The pauses that a breaker makes of these answers, one after the other, each to a workspace. */
async function pausesAfter(...answers: [workspace: string, answer: Answer][]) {
  const { pauses, limiter } = notingLimiter();
  let next: Answer;
  const breaker = createBreaker(limiter, SERVICE, log).watch({ carryOut: async () => ({ answer: next }) });
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
  const pauses = await pausesAfter(['T1', { type: 'not_received', why: 'unreachable' }]);
  expect(pauses).toMatchObject([{ whose: 'all', why: 'unreachable' }]);
});

test('connections that are made, and lost before a request is written, pause the workspace that met them three times', async () => {
  const lost: Answer = { type: 'not_received', why: 'disconnected' };
  expect(await pausesAfter(['T1', lost], ['T2', lost], ['T1', lost], ['T1', lost])).toEqual([
    { whose: 'T1', ms: 4_000, why: 'failing', probeMs: PROBE_MS },
  ]);
});

test.each<[string, Answer]>([
  ['for all', { type: 'not_received', why: 'unreachable' }],
  ['for its workspace', limited(2_000)],
])('an answer is returned only once the pause that it asks for is recorded: %s', async (_, answer) => {
  const [asked, recorded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const limiter = limiterOf(() => {
    asked.resolve();
    return recorded.promise;
  });
  const calls = { carryOut: async () => ({ answer }) };
  let isReturned = false;
  const carrying = createBreaker(limiter, SERVICE, log)
    .watch(calls)
    .carryOut(queued(), HELD)
    .then(() => {
      isReturned = true;
    });
  await asked.promise;
  await new Promise(setImmediate);
  expect(isReturned).toBe(false);
  recorded.resolve();
  await carrying;
});

test('a rate limit pauses the workspace whose token it was given for, and nobody else', async () => {
  expect(await pausesAfter(['T1', limited(2_000)])).toEqual([
    { whose: 'T1', ms: 2_000, why: 'rate_limited', probeMs: PROBE_MS },
  ]);
});

test('a rate limit pauses for no longer than a request may wait, whatever Retry-After says', async () => {
  const [pause] = await pausesAfter(['T1', limited(999_999_999_000)]);
  expect(pause).toMatchObject({ ms: 5 * 60_000 });
  const calls = { carryOut: async () => ({ answer: limited(999_999_999_000) }) };
  const watched = createBreaker(limiterOf(), SERVICE, log).watch(calls);
  expect((await watched.carryOut(queued(), HELD)).answer).toEqual(limited(5 * 60_000));
});

test('a rate limit leaves a request time for a last try before it expires', async () => {
  const startedAt = T0 + 12 * 60_000;
  const late = claimEffect(
    carded(),
    { type: 'call' },
    { owner: 'o', startedAt, expiresAt: startedAt + 60_000 },
  );
  const calls = { carryOut: async () => ({ answer: limited(5 * 60_000) }) };
  const watched = createBreaker(limiterOf(), SERVICE, log).watch(calls);
  expect((await watched.carryOut(late, HELD)).answer).toEqual(limited(2.5 * 60_000));
});

test('three failures of one workspace pause that workspace alone', async () => {
  const failures = [silent, silent, silent].map((answer): [string, Answer] => ['T1', answer]);
  const paused = { whose: 'T1', ms: 4_000, why: 'failing', probeMs: PROBE_MS };
  expect(await pausesAfter(...failures)).toEqual([paused]);
  // Another workspace gets answers in between: the breaker is about the first one alone.
  const mixed = failures.flatMap((failure): [string, Answer][] => [failure, ['T2', said]]);
  expect(await pausesAfter(...mixed)).toEqual([paused]);
});

test('the pauses after failures grow to half a minute', async () => {
  const failures = Array.from({ length: 9 }, (): [string, Answer] => ['T1', silent]);
  const pauses = await pausesAfter(...failures);
  expect(pauses.map((each) => each !== 'resumed' && each.ms)).toEqual([
    4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000,
  ]);
});

test('failures of several workspaces pause each of them, and nobody else', async () => {
  const thrice = ['T1', 'T2', 'T3', 'T1', 'T2', 'T3', 'T1', 'T2', 'T3'];
  const pauses = await pausesAfter(...thrice.map((workspace): [string, Answer] => [workspace, silent]));
  expect(pauses).toMatchObject(['T1', 'T2', 'T3'].map((whose) => ({ whose })));
});

const unreachable: Answer = { type: 'not_received', why: 'unreachable' };

test('the failures of one workspace do not lengthen the pause of all, which begins with one connection that cannot be made', async () => {
  const failures = Array.from({ length: 6 }, (): [string, Answer] => ['T1', silent]);
  const pauses = await pausesAfter(...failures, ['T1', unreachable]);
  expect(pauses.at(-1)).toMatchObject({ whose: 'all', ms: 1_000 });
});

test('the pause of all grows while no connection can be made, and any answer to anybody ends that', async () => {
  const lost: [string, Answer][] = [unreachable, unreachable, unreachable].map((answer) => ['T1', answer]);
  const pauses = await pausesAfter(...lost, ['T2', silent], ...lost);
  expect(pauses).toMatchObject(
    [1_000, 2_000, 4_000, 1_000, 2_000, 4_000].map((ms) => ({ whose: 'all', ms })),
  );
});

test('a pause or its end that is not recorded is an error in the log, and no pause or end', async () => {
  const refuse = () => Promise.reject(new Error('The storage is down.'));
  const lines: string[] = [];
  const note = (_: object, message: string) => void lines.push(message);
  const noting = { debug: note, info: note, warn: note, error: note };
  const breaker = createBreaker({ ...limiterOf(refuse, true), resume: refuse }, SERVICE, noting);
  for (const answer of [said, limited(2_000)]) {
    await breaker.take(queued());
    await breaker.watch({ carryOut: async () => ({ answer }) }).carryOut(queued(), HELD);
  }
  expect(lines).toEqual(['pause not ended', 'pause not recorded']);
});

describe('after a pause', () => {
  const notReceived = (why: WaitingReason): Answer => ({ type: 'not_received', why });

  /** Gives a breaker the answer to the request that probes, and returns what it makes of that. */
  async function probed(answer: Answer) {
    const { pauses, limiter } = notingLimiter(true);
    const breaker = createBreaker(limiter, SERVICE, log);
    await breaker.take(queued());
    await breaker.watch({ carryOut: async () => ({ answer }) }).carryOut(queued(), HELD);
    return pauses;
  }

  test.each<[string, Answer, string[]]>([
    ['fails', silent, ['T1']],
    ['is turned away', limited(2_000), ['T1']],
    ['loses its connection', notReceived('disconnected'), ['T1']],
    ['is interrupted', notReceived('interrupted'), ['T1']],
    ['finds nobody', notReceived('unreachable'), ['all', 'T1']],
  ])(
    'a probe that %s pauses its workspace again, whichever replica counted the failures before, until the next probe',
    async (_what, answer, whose) => {
      const pauses = await probed(answer);
      expect(pauses).toMatchObject(whose.map((each) => ({ whose: each })));
      expect(pauses.at(-1)).toMatchObject({ whose: 'T1', probeMs: PROBE_MS });
      if (answer === silent) expect(pauses).toMatchObject([{ ms: 8_000 }]);
    },
  );

  test.each<[string, Answer]>([
    ['an answer', said],
    ['a refusal', { type: 'refused', httpStatus: 400, details: [] }],
    ['no token to probe with', notReceived('token_refused')],
  ])('%s lets the others proceed', async (_what, answer) => {
    expect(await probed(answer)).toEqual(['resumed']);
  });
});

test('a probe that never began, because its claim was not written, is followed by another one within a second', async () => {
  const { pauses, limiter } = notingLimiter(true);
  const breaker = createBreaker(limiter, SERVICE, log);
  await breaker.take(queued());
  expect(pauses).toEqual([]);
  await breaker.take(queued());
  expect(pauses).toEqual([{ whose: 'T1', ms: 1_000, why: 'failing', probeMs: PROBE_MS }]);
});

test('a request that was to probe, and goes later as any other does, neither pauses its workspace nor lets others proceed', async () => {
  const { pauses, limiter } = notingLimiter();
  let isProbe = true;
  const breaker = createBreaker({ ...limiter, take: async () => ({ ...NO_WAIT, isProbe }) }, SERVICE, log);
  for (const answer of [said, silent]) {
    isProbe = true;
    await breaker.take(queued());
    isProbe = false;
    await breaker.take(queued());
    pauses.length = 0;
    await breaker.watch({ carryOut: async () => ({ answer }) }).carryOut(queued(), HELD);
    expect(pauses).toEqual([]);
  }
});

test('an answer, even a refusal, ends the count', async () => {
  const refused: Answer = { type: 'refused', httpStatus: 400, details: [] };
  const answers: Answer[] = [silent, silent, refused, silent, silent, said, silent, silent];
  expect(await pausesAfter(...answers.map((answer): [string, Answer] => ['T1', answer]))).toEqual([]);
});
