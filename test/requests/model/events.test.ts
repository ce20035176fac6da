import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { claimEffect } from '../../../src/requests/engine/effects.ts';
import type { Answer, ServiceEvent } from '../../../src/requests/model/cause.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { callsOf, ownerOf, requestTimes } from '../../../src/requests/model/events-and-calls.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import { personCorrectedBy, receiptOf } from '../../../src/requests/model/summary.ts';
import { changesUpTo, transition } from '../../../src/requests/model/transition.ts';
import {
  answered,
  anyEvent,
  calling,
  event,
  queued,
  replied,
  said,
  T0,
} from '../../support/requests/records.ts';

const underReview = () => answered(said('pending', T0));
/** In a word that the interface does not list. */
const ON_HOLD = { status: 'accepted', word: 'on_hold' } as const;
const NEVER = Number.POSITIVE_INFINITY;

describe('an event belongs to', () => {
  test('the request whose requestedAt is its createdAt, two seconds either way', () => {
    const older = answered(said('pending', T0 - 60_000), { id: 'older' }, T0 - 60_000);
    const newer = answered(said('pending', T0), { id: 'newer' });
    const owner = (createdAt: number) => ownerOf(event({ createdAt }), [newer, older])?.id;
    expect(owner(T0 - 60_000 - 2_000)).toBe('older');
    expect(owner(T0 - 60_000 + 2_000)).toBe('older');
    expect(owner(T0 + 2_000)).toBe('newer');
  });

  test('else the newest that was called and is not younger', () => {
    const older = answered(said('pending'), { id: 'older' }, T0 - 60_000);
    const newer = answered(said('pending'), { id: 'newer' }, T0);
    expect(ownerOf(event({ createdAt: T0 + 30_000 }), [newer, older])?.id).toBe('newer');
    expect(ownerOf(event({ createdAt: T0 - 30_000 }), [newer, older])?.id).toBe('older');
    expect(ownerOf(event({}), [newer, older])?.id).toBe('newer');
  });

  test('a call under way, whatever its time: the answer will tell', () => {
    expect(ownerOf(event({ createdAt: T0 - 60_000 }), [calling().record])).toBeDefined();
  });

  test('an order that is spelled exactly so, before one that differs in case', () => {
    const other = answered(said('pending', T0), { id: 'other', target: 'a-1001' });
    const exact = answered(said('pending', T0), { id: 'exact' });
    expect(ownerOf(event({ createdAt: T0 }), [other, exact])?.id).toBe('exact');
    expect(ownerOf(event({ createdAt: T0 + 9_000 }), [other, exact])?.id).toBe('exact');
  });

  test('the request of that very moment, though an older one is spelled exactly so', () => {
    const fresh = answered(said('pending', T0), { id: 'fresh', target: 'a-1001' });
    const older = answered(said('denied', T0 - 60_000), { id: 'older' }, T0 - 60_000);
    expect(ownerOf(event({ createdAt: T0, updatedAt: T0 + 60_000 }), [fresh, older])?.id).toBe('fresh');
  });

  test('a call under way of either spelling, before a request that was answered', () => {
    const { record } = calling({ id: 'fresh', target: 'a-1001' });
    const older = answered(said('denied', T0 - 60_000), { id: 'older' }, T0 - 60_000);
    expect(ownerOf(event({ createdAt: T0 }), [record, older])?.id).toBe('fresh');
  });

  test('no request that was called after the creation that it names, or after the change if it names no creation', () => {
    const record = answered(said('pending', T0));
    expect(ownerOf(event({ status: 'denied', updatedAt: T0 - 60_000 }), [record])).toBeUndefined();
    expect(ownerOf(event({ status: 'denied', updatedAt: T0 + 60_000 }), [record])).toBeDefined();
  });

  test('a request that was called before it by the clock of the service, which is behind ours', () => {
    const record = answered(said('pending', T0 - 60_000));
    expect(ownerOf(event({ status: 'approved', updatedAt: T0 - 30_000 }), [record])).toBe(record);
    expect(ownerOf(event({ status: 'approved', updatedAt: T0 - 90_000 }), [record])).toBeUndefined();
    const absurd = answered(said('pending', 0));
    expect(ownerOf(event({ status: 'denied', createdAt: T0 - 3_600_000 }), [absurd])).toBeUndefined();
  });

  test('an order that differs in case, only where it was requested at that very moment', () => {
    const other = answered(said('pending', T0), { target: 'a-1001' });
    expect(ownerOf(event({ createdAt: T0 + 2_000 }), [other])).toBeDefined();
    expect(ownerOf(event({ createdAt: T0 + 3_000 }), [other])).toBeUndefined();
    expect(ownerOf(event({}), [other])).toBeUndefined();
  });

  test('no request, if nothing was called, the service refused, or the event is older than every call', () => {
    expect(ownerOf(event(), [queued()])).toBeUndefined();
    expect(ownerOf(event(), [answered({ type: 'refused', httpStatus: 400, details: [] })])).toBeUndefined();
    expect(ownerOf(event({ createdAt: T0 - 60_000 }), [answered(said('pending'))])).toBeUndefined();
    expect(ownerOf(event(), [])).toBeUndefined();
  });
});

describe('an event that is newer', () => {
  test('decides a request under review', () => {
    const applied = applyEvent(underReview(), event({ status: 'approved', updatedAt: T0 + 1 }), T0);
    expect(applied).toMatchObject({ result: 'applied', record: { state: 'approved' } });
  });

  test('takes back a denial and then approves', () => {
    const denied = applyEvent(underReview(), event({ status: 'denied', updatedAt: T0 + 1 }), T0).record;
    const again = event({ status: 'pending', updatedAt: T0 + 2 });
    const pending = applyEvent(replied(denied), again, T0).record;
    const decided = event({ status: 'approved', updatedAt: T0 + 3 });
    const approved = applyEvent(replied(pending), decided, T0).record;
    expect(approved.steps.map(({ state }) => state)).toEqual([
      'queued',
      'calling',
      'under_review',
      'denied',
      'under_review',
      'approved',
    ]);
  });

  test('tells what became of a call without an answer', () => {
    const unknown = answered({ type: 'no_answer', why: 'timeout' });
    expect(applyEvent(unknown, event({ updatedAt: T0 }), T0).record.state).toBe('approved');
  });

  test('with a word that the interface does not list is shown as it came', () => {
    const applied = applyEvent(underReview(), event({ ...ON_HOLD, updatedAt: T0 + 1 }), T0);
    expect(applied).toMatchObject({ result: 'applied', record: { state: 'under_review', word: 'on_hold' } });
    const after = applyEvent(applied.record, event({ status: 'pending', updatedAt: T0 + 2 }), T0);
    expect(after.record.word).toBeUndefined();
    expect(after.record.revision).toBe(applied.record.revision + 1);
  });

  test('and says what is known already changes nothing that is seen', () => {
    const applied = applyEvent(
      underReview(),
      event({ topic: 'created', status: 'pending', updatedAt: T0 }),
      T0,
    );
    expect(applied.result).toBe('unchanged');
    expect(applied.record).toMatchObject({ state: 'under_review', revision: underReview().revision });
  });
});

describe('an event about an outcome that a person has recorded', () => {
  const recorded = () => {
    const unknown = answered({ type: 'no_answer', why: 'timeout' });
    return transition(unknown, { type: 'person', by: 'U1', action: 'approved' }, T0 + 60_000) ?? unknown;
  };

  test('corrects it, whenever it happened', () => {
    expect(applyEvent(recorded(), event({ status: 'denied', updatedAt: T0 }), T0).record.state).toBe(
      'denied',
    );
  });

  test('does not question it if it tells only that the request was made, though by a clock that is ahead; but its time counts', () => {
    const createdAt = T0 + 180_000;
    const made = event({ topic: 'created', status: 'pending', createdAt, updatedAt: createdAt });
    const { result, record } = applyEvent(recorded(), made, T0 + 70_000);
    expect([result, record.state]).toEqual(['stale', 'approved']);
    expect(requestTimes(record)).toEqual([createdAt]);
  });

  test('does not put it back under review, unless that happened since', () => {
    expect(applyEvent(recorded(), event({ status: 'pending', updatedAt: T0 }), T0).result).toBe('stale');
    const since = event({ status: 'pending', updatedAt: T0 + 60_001 });
    expect(applyEvent(recorded(), since, T0).record.state).toBe('under_review');
  });

  test('is outdated by a later one that arrived before it, though that one did not count', () => {
    const pending = event({ status: 'pending', updatedAt: T0 + 2 });
    const { record } = applyEvent(recorded(), pending, T0);
    const denied = event({ status: 'denied', updatedAt: T0 + 1 });
    expect(applyEvent(record, denied, T0)).toMatchObject({ result: 'stale', record: { state: 'approved' } });
    const since = event({ status: 'denied', updatedAt: T0 + 3 });
    expect(applyEvent(record, since, T0).record.state).toBe('denied');
  });

  test('confirms a review that a person recorded, whenever it began', () => {
    const unknown = answered({ type: 'no_answer', why: 'timeout' });
    const cause = { type: 'person', by: 'U1', action: 'in_review' } as const;
    const reviewed = transition(unknown, cause, T0 + 60_000) ?? unknown;
    const { result, record } = applyEvent(reviewed, event({ status: 'pending', updatedAt: T0 }), T0);
    expect(result).toBe('applied');
    expect(record.steps.at(-1)).toMatchObject({ state: 'under_review', cause: { type: 'event' } });
  });

  test('takes its place, where it says the same', () => {
    const { steps } = applyEvent(recorded(), event({ status: 'approved', updatedAt: T0 }), T0).record;
    expect(steps.at(-1)).toMatchObject({ state: 'approved', cause: { type: 'event' } });
  });
});

describe('an event about a call from before the last one', () => {
  const denied = () => event({ status: 'denied', createdAt: T0, updatedAt: T0 + 50_000 });

  /** The first answer was lost, a person had it sent again, and this came of that. */
  const calledAgain = (answer: Answer) => {
    const lost = answered({ type: 'no_answer', why: 'timeout' });
    const again =
      transition(lost, { type: 'person', by: 'U1', action: 'not_received' }, T0 + 100_000) ?? lost;
    const by = { owner: 'o', startedAt: T0 + 110_000, expiresAt: T0 + 170_000 };
    const called = claimEffect(again, { type: 'call' }, by);
    const { claim: _over, ...free } = applyCallResult(called, answer, 2, T0 + 111_000).record;
    return free;
  };

  test('says nothing of the one that the service took since', () => {
    const record = calledAgain(said('pending', T0 + 110_000));
    const { version, state, steps } = record;
    expect(applyEvent(record, denied(), T0 + 120_000)).toMatchObject({
      result: 'stale',
      record: { version, state, steps: steps.map(({ n }) => ({ n })) },
    });
  });

  test.each([denied(), event({ status: 'pending', createdAt: T0, updatedAt: T0 })])(
    'is kept as long as nobody knows whether the service has the last one ($status)',
    (given) => {
      const record = calledAgain({ type: 'no_answer', why: 'timeout' });
      const kept = applyEvent(record, given, T0 + 120_000);
      expect(kept).toMatchObject({ result: 'buffered', record: { state: 'unknown' } });
      const late = (answer: Answer) => applyCallResult(kept.record, answer, 2, T0 + 130_000).record;
      const state = given.status === 'denied' ? 'denied' : 'under_review';
      expect(late({ type: 'not_received', why: 'interrupted' })).toMatchObject({ state, bufferedEvents: [] });
      expect(late(said('pending', T0 + 110_000))).toMatchObject({
        state: 'under_review',
        bufferedEvents: [],
      });
    },
  );

  const inDoubt = () => calledAgain({ type: 'no_answer', why: 'timeout' });
  const about = (status: ServiceEvent['status'], updatedAt: number) =>
    event({ status, createdAt: T0, updatedAt });
  const inOrder = (record: RequestRecord, ...events: ServiceEvent[]) =>
    events.reduce((next, each) => applyEvent(next, each, T0 + 120_000).record, record);

  test('says that the order is cancelled, whatever became of the last one', () => {
    expect(inOrder(inDoubt(), about('approved', T0 + 50_000)).state).toBe('approved');
  });

  test.each(['in order', 'in reverse'])('takes that back, %s, and says nothing of the last one', (how) => {
    const events = [about('approved', T0 + 30_000), denied()];
    const record = inOrder(inDoubt(), ...(how === 'in order' ? events : events.toReversed()));
    expect(record).toMatchObject({ state: 'unknown', bufferedEvents: [{ status: 'denied' }] });
    const late = applyCallResult(
      record,
      { type: 'not_received', why: 'interrupted' },
      2,
      T0 + 130_000,
    ).record;
    expect(late).toMatchObject({ state: 'denied', bufferedEvents: [] });
  });

  test('is stale, and does not wait, where a newer one about that call was applied', () => {
    const record = inOrder(inDoubt(), about('approved', T0 + 50_000));
    expect(applyEvent(record, about('pending', T0 + 30_000), T0 + 120_000)).toEqual({
      result: 'stale',
      record,
    });
  });

  test('takes nothing back where it cannot be kept', () => {
    const bufferedEvents = Array.from({ length: 50 }, (_, n) => event({ createdAt: T0 - 60_000 * (n + 1) }));
    const record = { ...inOrder(inDoubt(), about('approved', T0 + 30_000)), bufferedEvents };
    expect(applyEvent(record, denied(), T0 + 120_000)).toEqual({ result: 'full', record });
  });

  test('leaves it certain that the service has the request, where nobody has read what is taken back', () => {
    const record = inOrder(inDoubt(), about('approved', T0 + 30_000), denied());
    expect(record.steps.at(-1)).toMatchObject({ cause: { type: 'reconsidered' }, flips: 1 });
    expect(receiptOf(record)).toBe('certain');
  });

  test('corrects nobody whose record stands once the word against it is taken back', () => {
    const act = { type: 'person', by: 'U9', action: 'denied' } as const;
    const recorded = transition(inDoubt(), act, T0 + 115_000) ?? inDoubt();
    const approved = inOrder(recorded, about('approved', T0 + 30_000));
    expect(personCorrectedBy(approved, currentStep(approved))).toBe('U9');
    const record = inOrder(approved, denied());
    expect(record.steps.at(-1)).toMatchObject({ state: 'unknown', cause: { type: 'reconsidered' } });
    expect(personCorrectedBy(record, currentStep(record))).toBeUndefined();
  });

  test('counts as one change of what was told, though it is applied only once the last call proves not received', () => {
    const told = replied(inOrder(inDoubt(), about('approved', T0 + 30_000)));
    const unread = inOrder(told, denied());
    const applied = (record: RequestRecord) => {
      const notReceived: Answer = { type: 'not_received', why: 'interrupted' };
      const { record: late } = applyCallResult(record, notReceived, 2, T0 + 130_000);
      expect(late).toMatchObject({ state: 'denied', bufferedEvents: [] });
      return late;
    };
    expect(currentStep(applied(unread)).flips).toBeUndefined();
    const read = applied(replied(unread));
    expect(read.steps).toHaveLength(unread.steps.length + 1);
    expect([unread, read].map((record) => changesUpTo(record, currentStep(record)))).toEqual([1, 1]);
    const changed = applied(inOrder(unread, about('denied', T0 + 60_000)));
    expect(currentStep(changed).flips).toBe(1);
  });

  test('fills no history, however often it is changed', () => {
    const changes = Array.from({ length: 40 }, (_, n) =>
      about(n % 2 === 0 ? 'approved' : 'pending', T0 + 30_000 + n * 1_000),
    );
    const record = inOrder(inDoubt(), ...changes);
    expect(record).toMatchObject({ state: 'unknown', bufferedEvents: [{ status: 'pending' }] });
    expect(record.steps.length).toBeLessThan(10);
  });

  test('in a word that the interface does not list takes that back, too, and is told', () => {
    const word = { ...about('accepted', T0 + 50_000), word: 'ESCALATED' };
    const record = inOrder(inDoubt(), about('approved', T0 + 30_000), word);
    expect(record).toMatchObject({ state: 'unknown', word: 'ESCALATED', bufferedEvents: [word] });
  });

  test('waits where a person has recorded that the order is cancelled', () => {
    const act = { type: 'person', by: 'U1', action: 'approved' } as const;
    const recorded = transition(inDoubt(), act, T0 + 115_000) ?? inDoubt();
    for (const status of ['denied', 'accepted'] as const)
      expect(inOrder(recorded, about(status, T0 + 50_000))).toMatchObject({
        state: 'approved',
        word: undefined,
        bufferedEvents: [{ status }],
      });
  });

  test('is stale once an event about the last one has come, though it came before that', () => {
    const fresh = event({ status: 'pending', createdAt: T0 + 110_000, updatedAt: T0 + 110_000 });
    const after = inOrder(inDoubt(), denied(), fresh);
    expect(after).toMatchObject({ state: 'under_review', bufferedEvents: [] });
    expect(applyEvent(after, denied(), T0 + 122_000)).toEqual({ result: 'repeated', record: after });
  });

  test('decides, where the service changed it after the last one', () => {
    expect(inOrder(inDoubt(), about('denied', T0 + 115_000)).state).toBe('denied');
  });

  test('waits on though a person has released the request, and decides once the last one was not received', () => {
    const released =
      transition(inDoubt(), { type: 'person', by: 'U1', action: 'release' }, T0 + 115_000) ?? inDoubt();
    const kept = inOrder(released, denied());
    expect(kept).toMatchObject({ state: 'closed', bufferedEvents: [{ status: 'denied' }] });
    const late = applyCallResult(kept, { type: 'not_received', why: 'interrupted' }, 2, T0 + 130_000).record;
    expect(late.state).toBe('denied');
  });

  test('waits where the call after that one was refused, perhaps because of that one', () => {
    const again = { type: 'person', by: 'U1', action: 'not_received' } as const;
    const queuedAgain = transition(inDoubt(), again, T0 + 120_000) ?? inDoubt();
    const by = { owner: 'o', startedAt: T0 + 121_000, expiresAt: T0 + 181_000 };
    const called = claimEffect(queuedAgain, { type: 'call' }, by);
    const refused: Answer = { type: 'refused', httpStatus: 400, details: [] };
    const { claim: _over, ...free } = applyCallResult(called, refused, 3, T0 + 122_000).record;
    expect(free.state).toBe('unknown');
    expect(applyEvent(free, denied(), T0 + 123_000)).toMatchObject({ result: 'buffered' });
  });

  test('is kept where the service took the last one without telling its outcome', () => {
    const record = calledAgain({ type: 'said', status: 'accepted' });
    expect(applyEvent(record, denied(), T0 + 120_000)).toMatchObject({ result: 'buffered' });
  });

  test('waits also where it does not tell when it was created', () => {
    const given = event({ status: 'denied', updatedAt: T0 + 50_000 });
    expect(applyEvent(inDoubt(), given, T0 + 120_000)).toMatchObject({ result: 'buffered' });
  });

  test('is told from one about the last call by the nearer of the two, where the clock of the service is behind', () => {
    const behind = event({ status: 'pending', createdAt: T0 + 90_000, updatedAt: T0 + 90_000 });
    expect(inOrder(inDoubt(), behind).state).toBe('under_review');
  });

  test('is not looked for among calls that were not received', () => {
    const lost = claimEffect(
      queued(),
      { type: 'call' },
      { owner: 'o', startedAt: T0, expiresAt: T0 + 60_000 },
    );
    const { claim: _first, ...once } = applyCallResult(
      lost,
      { type: 'not_received', why: 'unreachable' },
      1,
      T0 + 1_000,
    ).record;
    const by = { owner: 'o', startedAt: T0 + 10_000, expiresAt: T0 + 70_000 };
    const called = claimEffect(once, { type: 'call' }, by);
    const { claim: _second, ...record } = applyCallResult(
      called,
      { type: 'no_answer', why: 'timeout' },
      2,
      T0 + 11_000,
    ).record;
    // The clock of the service is behind.
    const given = event({ status: 'pending', createdAt: T0 + 1_000, updatedAt: T0 + 1_000 });
    expect(inOrder(record, given).state).toBe('under_review');
  });
});

test('an event in an unlisted word tells that the service has a request, if that was not known', () => {
  const applied = applyEvent(answered({ type: 'no_answer', why: 'timeout' }), event(ON_HOLD), T0);
  expect(applied.record).toMatchObject({ state: 'under_review', word: 'on_hold' });
});

describe('an event that is a repeat or stale', () => {
  const decided = () =>
    applyEvent(underReview(), event({ status: 'approved', updatedAt: T0 + 5 }), T0).record;

  test.each<[string, Partial<ServiceEvent>, string]>([
    ['the same time and status', { status: 'approved', updatedAt: T0 + 5 }, 'repeated'],
    ['an older time', { status: 'denied', updatedAt: T0 + 4 }, 'stale'],
    ['the same time, and pending', { status: 'pending', updatedAt: T0 + 5 }, 'stale'],
    ['the same time, and the opposite decision', { status: 'denied', updatedAt: T0 + 5 }, 'stale'],
    ['created, after a decision', { topic: 'created', status: 'pending', updatedAt: T0 + 9 }, 'stale'],
    ['the same time, and a word of its own', { ...ON_HOLD, updatedAt: T0 + 5 }, 'stale'],
  ])('with %s changes nothing', (_name, given, result) => {
    const record = decided();
    expect(applyEvent(record, event(given), T0)).toEqual({ result, record });
  });

  test.each([{ status: 'pending' } as const, ON_HOLD])(
    'a decision beats $status at the same time',
    (given) => {
      const open = applyEvent(underReview(), event({ ...given, updatedAt: T0 + 5 }), T0).record;
      const applied = applyEvent(open, event({ status: 'denied', updatedAt: T0 + 5 }), T0);
      expect(applied.record.state).toBe('denied');
      expect(applied.record.word).toBeUndefined();
    },
  );

  test('without a time is told by its body, in the order of arrival', () => {
    const first = applyEvent(underReview(), event({ status: 'denied', digest: 'x' }), T0);
    expect(first.record.state).toBe('denied');
    expect(applyEvent(first.record, event({ status: 'denied', digest: 'x' }), T0).result).toBe('repeated');
    expect(applyEvent(first.record, event({ status: 'approved', digest: 'y' }), T0).record.state).toBe(
      'approved',
    );
  });

  test('is known again among the last hundred, also by a whole digest as version 0.5.0 has kept it', () => {
    const digest = 'ab'.repeat(32);
    const denied = event({ status: 'denied', digest });
    const others = Array.from({ length: 99 }, (_, n) => event({ status: 'approved', digest: `other ${n}` }));
    const heard = [denied, ...others].reduce((next, e) => applyEvent(next, e, T0).record, underReview());
    expect(applyEvent(heard, denied, T0).result).toBe('repeated');
    const forgotten = applyEvent(heard, event({ status: 'approved', digest: 'one more' }), T0).record;
    expect(applyEvent(forgotten, denied, T0).result).toBe('applied');
    const ofOlderVersion = { ...underReview(), appliedEvents: { digests: [digest] } };
    expect(applyEvent(ofOlderVersion, denied, T0).result).toBe('repeated');
  });

  test('heard twice in a row is never applied twice', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), anyEvent, (before, last) => {
        const record = [...before, last].reduce(
          (applied, e) => applyEvent(applied, e, T0).record,
          underReview(),
        );
        expect(applyEvent(record, last, T0).result).not.toBe('applied');
      }),
    );
  });

  test('never moves a request backwards in time', () => {
    const lastHeard = (of: RequestRecord) => callsOf(of)[0]?.heard?.last?.updatedAt ?? -NEVER;
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
        let record = underReview();
        for (const next of events) {
          const before = lastHeard(record);
          record = applyEvent(record, next, T0).record;
          expect(lastHeard(record)).toBeGreaterThanOrEqual(before);
        }
      }),
    );
  });
});

describe('an event during the call', () => {
  const held = (given: Parameters<typeof event>[0]) => {
    const { record } = calling();
    const applied = applyEvent(record, event(given), T0);
    expect(applied.result).toBe('buffered');
    return applied.record;
  };

  test('is kept, and applied after the answer', () => {
    const record = held({ status: 'approved', createdAt: T0, updatedAt: T0 + 1 });
    const settled = applyCallResult(record, said('pending', T0), 1, T0);
    expect(settled.record.steps.map(({ state }) => state).slice(2)).toEqual(['under_review', 'approved']);
    expect(settled).toMatchObject({ unmatched: [], record: { bufferedEvents: [] } });
  });

  test('is kept once, however often it comes', () => {
    const record = held({ digest: 'same' });
    expect(applyEvent(record, event({ digest: 'same' }), T0)).toEqual({ result: 'repeated', record });
  });

  test('decides a call that got no answer', () => {
    const record = held({ status: 'denied', createdAt: T0, updatedAt: T0 + 1 });
    const settled = applyCallResult(record, { type: 'no_answer', why: 'cut' }, 1, T0);
    expect(settled.record.state).toBe('denied');
  });

  test('is kept for an order that differs in case, until the answer tells when it was requested', () => {
    const { record } = calling({ target: 'a-1001' });
    const kept = applyEvent(
      record,
      event({ status: 'approved', createdAt: T0, updatedAt: T0 + 1 }),
      T0,
    ).record;
    expect(applyCallResult(kept, said('pending', T0), 1, T0).record.state).toBe('approved');
    expect(applyCallResult(kept, said('pending', T0 + 9_000), 1, T0).unmatched).toHaveLength(1);
  });

  test('is handed on where the answer shows that it was about something else', () => {
    const old = { createdAt: T0 - 60_000, updatedAt: T0 - 50_000 };
    const record = held(old);
    const settled = applyCallResult(record, said('pending', T0), 1, T0);
    expect(settled.unmatched).toMatchObject([old]);
    expect(settled.record.state).toBe('under_review');
    const refused = applyCallResult(held({}), { type: 'refused', httpStatus: 400, details: [] }, 1, T0);
    expect(refused.unmatched).toHaveLength(1);
  });
});

describe('an event with a time that is ahead', () => {
  const AHEAD = Date.UTC(9999, 0);

  test('does not make what comes after it stale', () => {
    const reviewed = answered(said('pending', T0));
    const first = event({ status: 'denied', updatedAt: AHEAD, arrivedAt: T0 + 1_000, digest: 'first' });
    const denied = applyEvent(reviewed, first, T0 + 1_000).record;
    const next = event({ status: 'approved', updatedAt: T0 + 5_000, arrivedAt: T0 + 5_000, digest: 'next' });
    const after = applyEvent(denied, next, T0 + 5_000);
    expect(after).toMatchObject({ result: 'applied', record: { state: 'approved' } });
    expect(applyEvent(after.record, { ...first, arrivedAt: T0 + 9_000 }, T0 + 9_000).result).toBe('repeated');
  });

  test('is not lost, and neither is an event after an answer with such a time', () => {
    const reviewed = answered(said('pending', AHEAD));
    const next = event({ status: 'approved', updatedAt: T0 + 5_000, arrivedAt: T0 + 5_000 });
    expect(applyEvent(reviewed, next, T0 + 5_000)).toMatchObject({ record: { state: 'approved' } });
  });

  test('is not lost after one of a service whose clock is minutes ahead', () => {
    const reviewed = answered(said('pending', T0));
    const first = event({ status: 'denied', updatedAt: T0 + 300_000, arrivedAt: T0 + 1_000 });
    const denied = applyEvent(reviewed, first, T0 + 1_000).record;
    const next = event({ status: 'approved', updatedAt: AHEAD, arrivedAt: T0 + 5_000 });
    expect(applyEvent(denied, next, T0 + 5_000).record.state).toBe('approved');
  });

  test.for([
    [9, 'stale'],
    [11, 'applied'],
  ] as const)('of %i minutes ahead leaves the next event %s', ([minutes, result]) => {
    const reviewed = answered(said('pending', T0));
    const first = event({ status: 'denied', updatedAt: T0 + minutes * 60_000, arrivedAt: T0 });
    const denied = applyEvent(reviewed, first, T0).record;
    const next = event({ status: 'approved', updatedAt: T0 + 5_000, arrivedAt: T0 + 5_000 });
    expect(applyEvent(denied, next, T0 + 5_000).result).toBe(result);
  });

  test('in an answer that comes late undoes no event about that call', () => {
    const unknown = answered({ type: 'no_answer', why: 'timeout' });
    const first = event({ status: 'approved', updatedAt: T0 + 1_000, arrivedAt: T0 + 1_000 });
    const approved = applyEvent(unknown, first, T0 + 1_000).record;
    const late = applyCallResult(approved, said('denied', AHEAD), 1, T0 + 2_000).record;
    expect(late.state).toBe('approved');
  });
});
