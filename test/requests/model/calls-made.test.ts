/** What the service says of one call, and what that means for the others of the same request. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { claimEffect } from '../../../src/requests/engine/effects.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import { outcomeSaid, STATES } from '../../../src/requests/model/states.ts';
import { personCorrectedBy } from '../../../src/requests/model/summary.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { sentence } from '../../../src/slack/messages/sentences/sentences.ts';
import { answered, event, replied, said, T0 } from '../../support/requests/records.ts';

type Status = 'approved' | 'denied' | 'pending' | 'accepted';
/** `s`: the seconds after the first call at which the service says it. */
type Word = { by: 'answer' | 'event'; call: 1 | 2; status: Status; s: number };
type Arrival = Word | 'no answer to 2';

const NO_ANSWER: Answer = { type: 'no_answer', why: 'timeout' };
/** The second call begins while the first one may still be decided. */
const BEGUN_AT = { 1: T0, 2: T0 + 100_000 };

/** The answer to the first call was lost, a person had the request sent again, and that call is under way. */
function callingAgain(): RequestRecord {
  const act = { type: 'person', by: 'U1', action: 'not_received' } as const;
  const again = transition(answered(NO_ANSWER), act, BEGUN_AT[2]);
  if (!again) throw new Error('It cannot be sent again.');
  return callingSecond(again);
}

function callingSecond(queued: RequestRecord): RequestRecord {
  const by = { owner: 'o', startedAt: BEGUN_AT[2], expiresAt: BEGUN_AT[2] + 60_000 };
  return claimEffect(queued, { type: 'call' }, by);
}

/** How long the service took for the first call, and how far its clock is ahead, in milliseconds. */
type Times = { latency: number; ahead: number };
const EXACT: Times = { latency: 0, ahead: 0 };

function arriving(record: RequestRecord, arrival: Arrival, { latency, ahead }: Times = EXACT): RequestRecord {
  const now = T0 + 500_000;
  const requestedAt = { 1: BEGUN_AT[1] + ahead + latency, 2: BEGUN_AT[2] + ahead };
  if (arrival !== 'no answer to 2' && arrival.by === 'event') {
    const { call, status, s } = arrival;
    const times = { createdAt: requestedAt[call], updatedAt: T0 + ahead + s * 1_000, arrivedAt: now };
    const word = status === 'accepted' ? { word: 'ESCALATED' } : {};
    return applyEvent(record, event({ status, ...word, ...times }), now).record;
  }
  const [answer, attempt] =
    arrival === 'no answer to 2'
      ? ([NO_ANSWER, 2] as const)
      : ([said(arrival.status, requestedAt[arrival.call]), arrival.call] as const);
  const { claim, ...next } = applyCallResult(record, answer, attempt, now).record;
  return attempt === 2 || !claim ? next : { ...next, claim };
}

const after = (arrivals: readonly Arrival[], times = EXACT): RequestRecord =>
  arrivals.reduce((record, arrival) => arriving(record, arrival, times), callingAgain());

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((first, i) => ordersOf(all.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}

const answer = (call: 1 | 2, status: Status): Word => ({
  by: 'answer',
  call,
  status,
  s: call === 1 ? 0 : 100,
});
const told = (call: 1 | 2, status: Status, s: number): Word => ({ by: 'event', call, status, s });
/** Answers to the second call arrive in time, or late, after none was there in time. */
const LOST = 'no answer to 2';

describe('an order that one call has cancelled stays so in whatever order the words arrive', () => {
  test.each<[string, ...Arrival[]]>([
    ['the first one, by an event from before the second one', told(1, 'approved', 50), answer(2, 'denied')],
    ['the first one, while the second one is under review', told(1, 'approved', 50), answer(2, 'pending')],
    ['the first one, by a later event', told(1, 'approved', 150), answer(2, 'denied')],
    ['the first one, by its late answer', answer(1, 'approved'), answer(2, 'denied')],
    [
      'the first one, and an event denies the second one',
      answer(1, 'approved'),
      answer(2, 'pending'),
      told(2, 'denied', 150),
    ],
    ['both by events', told(1, 'approved', 50), answer(2, 'pending'), told(2, 'denied', 150)],
    ['the first one, the second one having no answer', told(1, 'approved', 50), LOST, told(2, 'denied', 150)],
    [
      'the first one, and the second one is answered late',
      told(1, 'approved', 50),
      LOST,
      answer(2, 'denied'),
    ],
    ['the second one', told(1, 'denied', 50), answer(2, 'approved')],
    ['the second one, by an event', told(1, 'denied', 150), answer(2, 'pending'), told(2, 'approved', 120)],
    [
      'the second one, and the first one is answered late',
      answer(1, 'denied'),
      LOST,
      told(2, 'approved', 120),
    ],
    [
      'the first one, and the word about the second one is unlisted',
      told(1, 'approved', 50),
      answer(2, 'accepted'),
      told(2, 'accepted', 150),
    ],
  ])('%s', (_which, ...words) => {
    for (const arrivals of ordersOf(words).filter(isPossible))
      expect([arrivals, after(arrivals).state]).toEqual([arrivals, 'approved']);
  });
});

test.each<[string, string, ...Arrival[]]>([
  [
    'a newer word about the same call',
    'denied',
    told(1, 'approved', 50),
    answer(2, 'denied'),
    told(1, 'denied', 60),
  ],
  [
    'a newer word about the second one',
    'denied',
    told(2, 'approved', 120),
    answer(2, 'pending'),
    told(2, 'denied', 150),
  ],
])('a cancellation is taken back in whatever order the words arrive: %s', (_which, state, ...words) => {
  for (const arrivals of ordersOf(words).filter(isPossible))
    expect([arrivals, after(arrivals).state]).toEqual([arrivals, state]);
});

test.each<[string, string, ...Arrival[]]>([
  ['both calls are denied', 'denied', answer(2, 'pending'), told(1, 'denied', 150), told(2, 'denied', 150)],
  ['both are denied at other times', 'denied', LOST, told(1, 'denied', 160), told(2, 'denied', 150)],
  ['the second one is under review', 'under_review', LOST, told(1, 'denied', 150), told(2, 'pending', 110)],
  ['the second one is answered late', 'under_review', LOST, told(1, 'denied', 150), answer(2, 'pending')],
])('a denial of the first call hides no word about the second one: %s', (_which, state, ...words) => {
  for (const arrivals of ordersOf(words).filter(isPossible))
    expect([arrivals, after(arrivals).state]).toEqual([arrivals, state]);
});

test('the event of its creation tells of a call in doubt, also once an earlier one was denied', () => {
  const denied = after([LOST, told(1, 'denied', 150)]);
  const createdAt = BEGUN_AT[2];
  const created = event({ topic: 'created', status: 'pending', createdAt, updatedAt: createdAt });
  expect([denied.state, applyEvent(denied, created, T0 + 500_000).record.state]).toEqual([
    'denied',
    'under_review',
  ]);
});

test('a denial from before the second call waits while that is in doubt', () => {
  expect(after([LOST, told(1, 'denied', 50)]).state).toBe('unknown');
  expect(after([LOST, told(1, 'denied', 50), answer(2, 'pending')]).state).toBe('under_review');
});

test('a denial that leaves a later call under review is kept as what the service has said', () => {
  const record = after([told(1, 'approved', 50), answer(2, 'pending'), told(1, 'denied', 150)]);
  expect(record).toMatchObject({ state: 'under_review' });
  expect(currentStep(record)).toMatchObject({ cause: { type: 'reconsidered', event: { status: 'denied' } } });
});

test('a denial that leaves a later call under review is not told as a review that was reopened', () => {
  const approved = replied(after([answer(2, 'pending'), told(1, 'approved', 150)]));
  const record = arriving(approved, told(1, 'denied', 160));
  expect(sentence(record, currentStep(record))).toBe(
    'The order service has decided against an earlier call, and is reviewing the last one. The outcome will follow.',
  );
});

test('nor is the first word about the second call, once the first one was denied', () => {
  const record = after([LOST, told(1, 'denied', 150), answer(2, 'pending')]);
  expect(sentence(record, currentStep(record))).toBe(
    'The order service has accepted the request and is reviewing it. The outcome will follow.',
  );
});

test('a denial that leaves a later call under review corrects whoever recorded an approval', () => {
  const reviewed = after([answer(2, 'pending')]);
  const act = { type: 'person', by: 'U9', action: 'approved' } as const;
  const recorded = transition(reviewed, act, T0 + 200_000) ?? reviewed;
  const record = arriving(recorded, told(1, 'denied', 300));
  expect(record.state).toBe('under_review');
  expect(personCorrectedBy(record, currentStep(record))).toBe('U9');
});

test('where nothing tells which call is meant, the newer event counts', () => {
  const approved = after([told(1, 'approved', 50), answer(2, 'pending')]);
  const denied = event({ status: 'denied', updatedAt: T0 + 150_000 });
  expect(applyEvent(approved, denied, T0 + 500_000)).toMatchObject({
    result: 'applied',
    record: { state: 'denied' },
  });
});

test('what the service has said before a call was made is no newer word than the answer to that', () => {
  const act = (record: RequestRecord, action: 'denied' | 'never_received' | 'retry', at: number) =>
    transition(record, { type: 'person', by: 'U1', action }, at) ?? record;
  const recorded = act(answered(NO_ANSWER), 'denied', T0 + 40_000);
  const early = event({ status: 'pending', updatedAt: T0 + 30_000, arrivedAt: T0 + 50_000 });
  const heard = applyEvent(recorded, early, T0 + 50_000).record;
  const queued = act(act(heard, 'never_received', T0 + 60_000), 'retry', T0 + 70_000);
  const inDoubt = arriving(callingSecond(queued), LOST);
  expect(inDoubt.state).toBe('unknown');
  expect(applyCallResult(inDoubt, said('denied'), 2, T0 + 500_000).record.state).toBe('denied');
});

describe('for a request with one call, whatever time of creation events name,', () => {
  const approvedAt = (createdAt: number) => event({ status: 'approved', createdAt, updatedAt: T0 + 60_000 });
  const deniedAt = (createdAt: number) => event({ status: 'denied', createdAt, updatedAt: T0 + 90_000 });
  const word = event({
    status: 'accepted',
    word: 'ESCALATED',
    createdAt: T0 + 9_000,
    updatedAt: T0 + 60_000,
  });

  test.each([
    ['its answer', answered(said('approved', T0)), deniedAt(T0 + 3_000)],
    ['an event', applyEvent(answered(said('pending', T0)), approvedAt(T0 + 3_000), T0).record, deniedAt(T0)],
    [
      'its answer, before an unlisted word',
      applyEvent(answered(said('approved', T0)), word, T0).record,
      deniedAt(T0 + 9_000),
    ],
  ])('a newer denial takes back the approval by %s', (_by, approved, denied) => {
    const { result, record } = applyEvent(approved, denied, T0);
    expect([approved.state, result, record.state, record.word]).toEqual([
      'approved',
      'applied',
      'denied',
      undefined,
    ]);
  });
});

test('the denial of another call ends the doubt that an unlisted word about that call has raised', () => {
  const approved = after([told(1, 'approved', 50), answer(2, 'pending')]);
  const inDoubt = arriving(approved, told(2, 'accepted', 150));
  expect(inDoubt).toMatchObject({ state: 'approved', word: 'ESCALATED' });
  expect(arriving(inDoubt, told(2, 'denied', 160))).toMatchObject({ state: 'approved', word: undefined });
});

/** Whether answers to the second call come in a possible order: the one in time first, or a late one after none in time. */
function isPossible(arrivals: readonly Arrival[]): boolean {
  const ends = arrivals.filter((each) => each === LOST || (each.by === 'answer' && each.call === 2));
  return ends.length === 1 || ends[0] === LOST;
}

const anyStatus = fc.constantFrom<Status[]>('approved', 'denied', 'pending');
const anyArrivals = fc
  .record({
    events: fc.uniqueArray(
      fc.record({
        by: fc.constant('event' as const),
        call: fc.constantFrom(1 as const, 2 as const),
        status: anyStatus,
        s: fc.integer({ min: 11, max: 200 }),
      }),
      { selector: ({ s }) => s, maxLength: 5 },
    ),
    first: fc.option(anyStatus),
    second: anyStatus,
    isLost: fc.boolean(),
  })
  .map(({ events, first, second, isLost }): Arrival[] => [
    ...events.map((each) => (each.call === 2 ? { ...each, s: each.s + 110 } : each)),
    ...(first ? [answer(1, first)] : []),
    answer(2, second),
    ...(isLost ? [LOST as Arrival] : []),
  ])
  .chain((arrivals) => fc.shuffledSubarray(arrivals, { minLength: arrivals.length }))
  .filter(isPossible);

/** The first call times out because the service is slow. A clock that is further behind leaves events to a notice (`ownerOf`). */
const anyTimes = fc.record({
  latency: fc.integer({ min: 0, max: 10_000 }),
  ahead: fc.integer({ min: -2_000, max: 30_000 }),
});

test('a request ends as cancelled if the newest word about any call says so, else as that about the last call says', () => {
  fc.assert(
    fc.property(anyArrivals, anyTimes, (arrivals, times) => {
      const words = arrivals.filter((each) => each !== LOST);
      const newest = ([1, 2] as const).map((call) =>
        words
          .filter((word) => word.call === call)
          .toSorted((a, b) => a.s - b.s)
          .at(-1),
      );
      const { state } = after(arrivals, times);
      const isCanceled = newest.some((word) => word && outcomeSaid(word.status) === 'done');
      expect(STATES[state].outcome === 'done').toBe(isCanceled);
      const isClose = words.some(({ by, call, s }) => by === 'event' && call === 1 && Math.abs(s - 100) < 3);
      if (!isCanceled && !isClose && newest[0]?.status !== 'pending')
        expect(state).toBe(newest[1]?.status === 'denied' ? 'denied' : 'under_review');
    }),
    { numRuns: 1_000 },
  );
});
