import { describe, expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { applyExpiredClaim, claimEffect } from '../../../src/requests/engine/effects.ts';
import { decided } from '../../../src/requests/model/acts.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { State } from '../../../src/requests/model/states.ts';
import { receiptOf } from '../../../src/requests/model/summary.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { type TransitionCause, transition, withCardGivenUp } from '../../../src/requests/model/transition.ts';
import { possibleActions } from '../../../src/requests/use-cases/possible-actions.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { answered, calling, event, REQUEST, said, statesTold, T0 } from '../../support/requests/records.ts';

const NOT_RECEIVED: Answer = { type: 'not_received', why: 'unreachable' };
const REFUSED: Answer = { type: 'refused', httpStatus: 409, details: [], code: 'CONFLICT', message: 'No' };
const LOST: Answer = { type: 'no_answer', why: 'timeout' };

const then = (record: RequestRecord, ...causes: TransitionCause[]): RequestRecord =>
  causes.reduce((next, cause) => {
    const moved = transition(next, cause, T0);
    if (!moved) throw new Error(`${next.state} does not take ${cause.type}`);
    return moved;
  }, record);

const by = (action: Extract<TransitionCause, { type: 'person' }>['action']): TransitionCause => ({
  type: 'person',
  by: 'U1',
  action,
});

/** The process that made the first call was frozen past its claim, and its answer is still to come. */
function frozen(): RequestRecord {
  const { record } = calling();
  if (!record.claim) throw new Error('no claim');
  return applyExpiredClaim(record, record.claim, TIMINGS, T0).record;
}

const sentAgain = (): RequestRecord => then(frozen(), by('not_received'));

function calledAgain(record = sentAgain(), startedAt = T0): RequestRecord {
  const holder = { owner: 'p', startedAt, expiresAt: startedAt + TIMINGS.claimMs };
  return claimEffect(record, { type: 'call' }, holder);
}

/** The second call has been answered, and so its claim is over. */
function answeredAgain(answer: Answer, record = calledAgain()): RequestRecord {
  const { claim: _over, ...free } = applyCallResult(record, answer, 2, T0).record;
  return free;
}

const awaitingAgain = (): RequestRecord => {
  const { record } = calling();
  const { approval } = newRecord(REQUEST, T0, { policy: POLICY, earlier: [] });
  const unknown = applyCallResult({ ...record, ...(approval ? { approval } : {}) }, LOST, 1, T0).record;
  return then(unknown, { type: 'approval_requested_again', by: 'U1' });
};

/** Each state from which nobody knows what became of the first call. */
const WAITING: Partial<Record<State, () => RequestRecord>> = {
  unknown: frozen,
  queued: sentAgain,
  awaiting_approval: awaitingAgain,
  withdrawn: () => then(sentAgain(), by('withdraw')),
  expired: () => then(sentAgain(), { type: 'expire' }),
  not_sent: () =>
    then(withCardGivenUp(sentAgain(), 'is_archived'), { type: 'card_refused', code: 'is_archived' }),
  declined: () => decided(awaitingAgain(), { type: 'decided', choice: 'no', by: ['U2'] }, T0),
  closed: () => then(frozen(), by('release')),
};

describe('an answer that comes late', () => {
  const rows = Object.entries(WAITING).flatMap(([state, make]) =>
    (['canceled', 'approved', 'denied', 'pending', 'accepted'] as const).map(
      (status) => [state, status, make] as const,
    ),
  );

  test.each(rows)('to a request that is %s applies: %s', (state, status, make) => {
    const record = make();
    expect(record.state).toBe(state);
    const { state: next } = applyCallResult(record, said(status, T0), 1, T0).record;
    expect(next).toBe(status === 'pending' || status === 'accepted' ? 'under_review' : status);
  });

  test.each(Object.entries(WAITING))(
    'to a request that is %s says that an offer was sent',
    (_state, make) => {
      const record: RequestRecord = { ...make(), kind: 'send_offer' };
      expect(applyCallResult(record, said('sent'), 1, T0).record.state).toBe('sent');
    },
  );

  test('tells that a person has recorded something else, and corrects it', () => {
    const recorded = then(frozen(), by('denied'));
    expect(applyCallResult(recorded, said('canceled'), 1, T0).record.state).toBe('canceled');
  });

  test('does not take back what a person has recorded since: it was under review before that', () => {
    const recorded = then(frozen(), by('approved'));
    expect(applyCallResult(recorded, said('pending'), 1, T0).record.state).toBe('approved');
  });

  test('takes the place of what a person has recorded, where it says the same', () => {
    const recorded = then(frozen(), by('approved'));
    const { steps } = applyCallResult(recorded, said('canceled'), 1, T0).record;
    expect(steps.at(-1)).toMatchObject({ state: 'canceled', cause: { type: 'answer' } });
  });

  test.each(['pending', 'denied', 'approved'] as const)('and says %s undoes no newer event', (status) => {
    const decision = status === 'approved' ? 'denied' : 'approved';
    const applied = applyEvent(
      frozen(),
      event({ status: decision, createdAt: T0, updatedAt: T0 + 5 }),
      T0,
    ).record;
    const { state, steps } = applyCallResult(applied, said(status, T0), 1, T0).record;
    expect([state, steps.length]).toEqual([decision, applied.steps.length]);
  });

  test('and says that it was cancelled at once applies though the review is said to have denied it', () => {
    const applied = applyEvent(
      frozen(),
      event({ status: 'denied', createdAt: T0, updatedAt: T0 + 5 }),
      T0,
    ).record;
    expect(applyCallResult(applied, said('canceled', T0), 1, T0).record.state).toBe('canceled');
  });

  test('undoes nothing that a later call was told', () => {
    const decidedSince = answeredAgain(said('approved', T0 + 5));
    expect(applyCallResult(decidedSince, said('denied', T0), 1, T0).record.state).toBe('approved');
  });

  test('does not reopen a request that was released under review', () => {
    const released = then(answered(said('pending')), by('release'));
    expect(applyCallResult(released, said('pending'), 1, T0).record.state).toBe('closed');
  });
});

describe('an answer to an earlier call', () => {
  test('is kept while another call is under way, and applied once that one is answered', () => {
    const kept = applyCallResult(calledAgain(), said('canceled', T0), 1, T0).record;
    expect(kept).toMatchObject({ state: 'calling', lateAnswers: [{ attempt: 1 }] });
    const settled = answeredAgain(REFUSED, kept);
    expect(settled).toMatchObject({ state: 'canceled', lateAnswers: [] });
    // One reply, not two of which the second corrects the first.
    expect(settled.steps.at(-2)?.state).toBe('calling');
  });

  test.each([
    ['refused', REFUSED],
    ['not received', NOT_RECEIVED],
  ])('that was %s changes no state but "unknown", and is remembered', (_name, answer) => {
    for (const [state, make] of Object.entries(WAITING)) {
      const before = make();
      const { record } = applyCallResult(before, answer, 1, T0);
      expect(receiptOf(before)).toBe('possible');
      expect(receiptOf(record)).toBe(answer === REFUSED ? 'refused' : 'none');
      expect(record.state).toBe(state === 'unknown' ? 'failed' : state);
      expect(record.revision).toBeGreaterThan(before.revision);
    }
  });

  test('that was not received leaves a call under way as it is, which is then an ordinary refusal', () => {
    const kept = applyCallResult(calledAgain(), NOT_RECEIVED, 1, T0).record;
    expect(kept.state).toBe('calling');
    expect(answeredAgain(REFUSED, kept).state).toBe('failed');
  });

  test('that was refused settles nothing while a later one is in doubt', () => {
    const unknown = answeredAgain(LOST);
    const { record } = applyCallResult(unknown, REFUSED, 1, T0);
    expect(record.steps.length).toBe(unknown.steps.length);
    expect(applyCallResult(record, said('canceled'), 2, T0).record.state).toBe('canceled');
  });

  test('that was denied says nothing of the order while a later one is in doubt, and does once that is settled', () => {
    const { record } = applyCallResult(answeredAgain(LOST), said('denied', T0), 1, T0);
    expect(record.state).toBe('unknown');
    expect(applyCallResult(record, NOT_RECEIVED, 2, T0).record.state).toBe('denied');
    expect(applyCallResult(record, said('canceled'), 2, T0).record.state).toBe('canceled');
  });

  test('that was denied is older than what a person records while it waits', () => {
    const { record } = applyCallResult(answeredAgain(LOST), said('denied', T0), 1, T0);
    const recorded = then(record, by('approved'));
    expect(applyCallResult(recorded, NOT_RECEIVED, 2, T0).record.state).toBe('approved');
  });

  test.each([
    ['another request for the order', { status: 'denied', createdAt: T0 - 60_000, updatedAt: T0 + 5 }],
    ['the creation of its own', { topic: 'created', status: 'pending', createdAt: T0, updatedAt: T0 }],
  ] as const)('is not outdated by an event that waits with it and tells of %s', (_what, about) => {
    const kept = applyCallResult(calledAgain(), said('approved', T0), 1, T0).record;
    const { result, record } = applyEvent(kept, event(about), T0);
    expect(result).toBe('buffered');
    expect(answeredAgain(NOT_RECEIVED, record).state).toBe('approved');
  });

  test('is not told where an event that waits with it came at the same time: the service answers before that', () => {
    const kept = applyCallResult(calledAgain(), said('approved', T0), 1, T0).record;
    const denied = applyEvent(kept, event({ status: 'denied', createdAt: T0, updatedAt: T0 }), T0).record;
    const { state, steps } = answeredAgain(NOT_RECEIVED, denied);
    expect([state, steps.some((step) => step.state === 'approved')]).toEqual(['denied', false]);
  });

  test('that comes twice changes nothing the second time', () => {
    const once = applyCallResult(frozen(), said('denied', T0), 1, T0).record;
    expect(applyCallResult(once, said('denied', T0), 1, T0).record).toEqual(once);
  });
});

describe('the answer to the call under way', () => {
  test.each([
    ['pending', 'under_review'],
    ['accepted', 'under_review'],
    ['denied', 'denied'],
  ] as const)(
    'ends it where the clock of the storage was set back since the call before: %s',
    (status, state) => {
      const again = calledAgain(sentAgain(), T0 - 5 * 60_000);
      expect(answeredAgain(said(status), again).state).toBe(state);
    },
  );
});

describe('an answer that an event has waited for', () => {
  const settled = (
    about: Parameters<typeof event>[0],
    answer: Answer,
    record: RequestRecord = calling().record,
  ) => applyCallResult(applyEvent(record, event(about), T0).record, answer, record.call.attempts, T0).record;

  test.each<[string, Parameters<typeof event>[0], Answer, State[], RequestRecord?]>([
    ['no answer', { topic: 'created', status: 'pending', createdAt: T0 }, LOST, ['unknown', 'under_review']],
    ['a denial', { status: 'approved', updatedAt: T0 + 5 }, said('denied', T0), ['denied', 'approved']],
    [
      'a refusal after a call in doubt',
      { status: 'approved', updatedAt: T0 + 5 },
      REFUSED,
      ['unknown', 'approved'],
      calledAgain(),
    ],
  ])('is a step of its own, and only the event is told: %s', (_what, about, answer, states, former) => {
    const record = settled(about, answer, former);
    expect(record.steps.slice(-2).map(({ state }) => state)).toEqual(states);
    expect(statesTold(record).slice(-2)).not.toContain(states[0]);
    expect(statesTold(record).at(-1)).toBe(states[1]);
  });

  test('is told where it says that the request is under review', () => {
    const record = settled({ status: 'approved', updatedAt: T0 + 5 }, said('pending', T0));
    expect(statesTold(record)).toEqual(['under_review', 'approved']);
  });

  test('is told before an event that comes later', () => {
    const unknown = applyCallResult(calling().record, LOST, 1, T0).record;
    const { record } = applyEvent(unknown, event({ status: 'approved', createdAt: T0 }), T0 + 1);
    expect(statesTold(record)).toEqual(['unknown', 'approved']);
  });
});

describe('an answer to a call, where events came before that', () => {
  /** An event of the first call was applied. A person has corrected the record of it, and retried the request. */
  const calledAfter = (times: { updatedAt?: number }) => {
    const reviewed = applyEvent(answered(said('pending')), event({ status: 'pending', ...times }), T0).record;
    return calledAgain(then(reviewed, by('denied'), by('never_received'), by('retry')));
  };

  test.each(['approved', 'denied'] as const)('is no older than an event without a time: %s', (status) => {
    expect(answeredAgain(said(status, T0), calledAfter({})).state).toBe(status);
  });

  test('is no older than an event by a clock that is ahead, and applies without a time', () => {
    const record = calledAfter({ updatedAt: T0 + 60_000 });
    expect(answeredAgain(said('denied', T0), record).state).toBe('denied');
    expect(answeredAgain(said('denied'), record).state).toBe('denied');
  });

  test.each(['approved', 'denied'] as const)(
    'is no older where its process was frozen past its claim: %s',
    (status) => {
      const record = calledAfter({});
      if (!record.claim) throw new Error('no claim');
      const unknown = applyExpiredClaim(record, record.claim, TIMINGS, T0).record;
      expect(unknown.state).toBe('unknown');
      expect(applyCallResult(unknown, said(status, T0), 2, T0).record.state).toBe(status);
    },
  );

  test('is no older where a late answer to the call before it was kept', () => {
    const { record } = applyCallResult(calledAfter({}), said('pending', T0), 1, T0);
    expect(answeredAgain(said('denied', T0), record).state).toBe('denied');
  });

  test('is older than an event that has come since', () => {
    const recorded = then(frozen(), by('in_review'));
    const { record } = applyEvent(recorded, event({ status: 'pending', updatedAt: T0 + 1 }), T0);
    expect(applyCallResult(record, said('denied', T0), 1, T0).record.state).toBe('under_review');
  });
});

describe('a refusal', () => {
  test('after a call that may have been received is unknown, and the outcome can be recorded', () => {
    const record = answeredAgain(REFUSED);
    expect(record.state).toBe('unknown');
    expect(possibleActions(record)).toEqual(['approved', 'denied', 'in_review', 'not_received', 'release']);
  });

  test('is final once it is known that the call before it was refused or not received', () => {
    for (const answer of [REFUSED, NOT_RECEIVED]) {
      expect(applyCallResult(answeredAgain(REFUSED), answer, 1, T0).record.state).toBe('failed');
    }
  });

  test('that comes late, of the last of two calls in doubt, is told', () => {
    const unknown = answeredAgain(LOST);
    const { record } = applyCallResult(unknown, REFUSED, 2, T0);
    expect([record.state, record.steps.length]).toEqual(['unknown', unknown.steps.length + 1]);
  });
});

describe('a call that was certainly not received', () => {
  test('as an answer that comes late shows, can be made again by a person, and not by itself', () => {
    const { record } = applyCallResult(frozen(), NOT_RECEIVED, 1, T0);
    expect([record.state, possibleActions(record)]).toEqual(['failed', ['retry']]);
  });

  test('after one that may have been received is tried again, as a person has decided', () => {
    expect(answeredAgain(NOT_RECEIVED).state).toBe('queued');
  });
});
