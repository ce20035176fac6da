import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { currentStep, type RequestRecord, type Step, slotOf } from '../../../src/requests/model/record.ts';
import { replyOf } from '../../../src/requests/model/record-messages.ts';
import {
  STATE_NAMES,
  STATES,
  type State,
  TRANSITIONS,
  type TransitionInput,
} from '../../../src/requests/model/states.ts';
import { queuedSince, type TransitionCause, transition } from '../../../src/requests/model/transition.ts';
import {
  answered,
  anyAnswer,
  anyEvent,
  calling,
  event,
  queued,
  replied,
  said,
  statesTold,
  T0,
} from '../../support/requests/records.ts';

/** States that the service's word can lead to, whenever its answer or an event comes. */
const SAID = ['canceled', 'approved', 'denied', 'under_review', 'sent'] as const;

/** The states that may follow each state, written by hand: what the code's table is held against. */
const NEXT: Record<State, readonly State[]> = {
  awaiting_approval: ['queued', 'declined', 'withdrawn', 'expired', 'already_canceled', 'not_sent', ...SAID],
  queued: ['calling', 'withdrawn', 'expired', 'not_sent', ...SAID],
  calling: [...SAID, 'failed', 'unknown', 'queued'],
  under_review: ['under_review', 'approved', 'denied', 'canceled', 'sent', 'closed', 'failed'],
  unknown: [...SAID, 'failed', 'unknown', 'queued', 'awaiting_approval', 'closed'],
  canceled: ['failed'],
  approved: ['under_review', 'denied', 'canceled', 'unknown', 'failed'],
  denied: ['under_review', 'approved', 'canceled', 'failed'],
  sent: ['failed'],
  failed: ['queued', 'awaiting_approval', ...SAID],
  declined: SAID,
  withdrawn: SAID,
  expired: SAID,
  already_canceled: ['canceled', 'approved'],
  not_sent: SAID,
  closed: SAID,
};

const answer = (given: Answer): TransitionCause => ({ type: 'answer', answer: given, attempt: 1 });
const refusal: Answer = { type: 'refused', httpStatus: 400, details: [] };

/** A cause that pulls each trigger. */
const CAUSES: Record<TransitionInput, TransitionCause> = {
  call_begun: { type: 'call_begun' },
  card_refused: { type: 'card_refused', code: 'is_archived' },
  expire: { type: 'expire' },
  canceled_elsewhere: { type: 'canceled_elsewhere', event: event({ status: 'canceled' }) },
  reconsidered: { type: 'reconsidered', event: event({ status: 'denied' }) },
  not_received: answer({ type: 'not_received', why: 'unreachable' }),
  refused: answer(refusal),
  refused_in_doubt: answer(refusal),
  no_answer: answer({ type: 'no_answer', why: 'timeout' }),
  says_accepted: answer(said('accepted')),
  says_pending: { type: 'event', event: event({ status: 'pending' }) },
  says_canceled: answer(said('canceled')),
  says_approved: { type: 'event', event: event({ status: 'approved' }) },
  says_denied: { type: 'event', event: event({ status: 'denied' }) },
  says_sent: answer(said('sent')),
  approve: { type: 'decision', choice: 'yes', by: ['U2'] },
  decline: { type: 'decision', choice: 'no', by: ['U2'] },
  withdraw: { type: 'person', by: 'U1', action: 'withdraw' },
  request_approval_again: { type: 'approval_requested_again', by: 'U1' },
  resend: { type: 'person', by: 'U1', action: 'retry' },
  release: { type: 'person', by: 'U1', action: 'release' },
  never_received: { type: 'person', by: 'U1', action: 'never_received' },
};

/** The last step before a trigger, for those that depend on it. */
const BEFORE: Partial<Record<TransitionInput, Partial<Step>>> = {
  // An earlier call may have been received.
  refused_in_doubt: { state: 'calling' },
  // All that is known of a request under review is that the service has it.
  says_pending: { cause: CAUSES.says_accepted },
};
const inState = (state: State, input?: TransitionInput): RequestRecord => {
  const record = queued();
  const steps = record.steps.map((step) => ({ ...step, ...(input ? BEFORE[input] : {}) }));
  return { ...record, steps, state };
};
const INPUTS = Object.keys(CAUSES) as TransitionInput[];
const pairs = STATE_NAMES.flatMap((state) => INPUTS.map((input) => [state, input] as const));

describe('the transition table', () => {
  test.each(STATE_NAMES)('leads from %s to the states that may follow it, and nowhere else', (state) => {
    expect(new Set(Object.values(TRANSITIONS[state]))).toEqual(new Set(NEXT[state]));
  });

  test.each(pairs)('%s x %s is obeyed', (state, input) => {
    const before = inState(state, input);
    const after = transition(before, CAUSES[input], T0 + 1);
    const next = TRANSITIONS[state][input];
    expect(after?.state).toBe(next);
    if (after) {
      expect(currentStep(after)).toMatchObject({ n: 2, state: next, at: T0 + 1, cause: CAUSES[input] });
      const isTold = STATES[after.state].reply !== 'none' || input === 'approve' || input === 'resend';
      expect(replyOf(after, currentStep(after)) !== undefined).toBe(isTold);
    }
  });

  test('sends nothing again by itself once an answer is in doubt: only a person does', () => {
    const back = Object.entries(TRANSITIONS.unknown).filter(
      ([, next]) => next === 'queued' || next === 'calling' || next === 'awaiting_approval',
    );
    expect(back.map(([input]) => input)).toEqual(['resend', 'request_approval_again']);
  });

  test('is obeyed through any sequence of happenings, and begins one call for each time it is queued', () => {
    const anyCause: fc.Arbitrary<TransitionCause> = fc.oneof(
      fc.constantFrom(...Object.values(CAUSES)),
      anyAnswer.map(answer),
      anyEvent.map((applied): TransitionCause => ({ type: 'event', event: applied })),
    );
    fc.assert(
      fc.property(fc.array(anyCause, { maxLength: 30 }), (causes) => {
        const end = causes.reduce(
          (record, cause, i) => transition(record, cause, T0 + i) ?? record,
          queued(),
        );
        expect(end.steps.map(({ n }) => n)).toEqual(end.steps.map((_, i) => i + 1));
        expect(currentStep(end).state).toBe(end.state);
        expect(slotOf(end) !== undefined).toBe(STATES[end.state].slot);
        const calls = end.steps.filter(({ state }) => state === 'calling').length;
        const decisions = end.steps.filter(({ state }) => state === 'queued').length;
        expect(calls).toBeLessThanOrEqual(decisions);
      }),
    );
  });
});

test('a request that is only known to be accepted gets one more step, once, when the service says that it is under review', () => {
  const accepted = answered(said('accepted'));
  const reviewed = transition(accepted, CAUSES.says_pending, T0) as RequestRecord;
  expect(reviewed.state).toBe('under_review');
  expect(transition(reviewed, CAUSES.says_pending, T0)).toBeUndefined();
});

describe('a step', () => {
  test('of a second entry into a state has a reply of its own', () => {
    const denied = transition(answered(said('pending')), CAUSES.says_denied, T0) as RequestRecord;
    const again = transition(replied(denied), CAUSES.says_pending, T0) as RequestRecord;
    expect(statesTold(again)).toEqual(['under_review', 'denied', 'under_review']);
  });

  test('goes to the requester where there is no card to reply to', () => {
    const to = (record: RequestRecord) => replyOf(record, currentStep(record))?.to;
    expect(to(transition(queued(), { type: 'expire' }, T0) as RequestRecord)).toBe('requester');
    expect(to(answered(said('canceled')))).toBe('thread');
  });
});

describe('a call that was not received', () => {
  const notReceived = (why: 'unreachable' | 'rate_limited', retryAfterMs?: number) =>
    answered({ type: 'not_received', why, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

  test('is tried again after a while that grows', () => {
    expect(notReceived('unreachable')).toMatchObject({ state: 'queued', call: { notBefore: T0 + 1_000 } });
    const third = { ...calling().record, call: { attempts: 3, notBefore: T0 } };
    const again = transition(third, CAUSES.not_received, T0) as RequestRecord;
    expect(again.call.notBefore).toBe(T0 + 4_000);
  });

  test('waits as long as the service asks for', () => {
    expect(notReceived('rate_limited', 30_000).call.notBefore).toBe(T0 + 30_000);
  });

  test('changes the card only when the cause is another one', () => {
    const first = notReceived('unreachable');
    const recalled = transition(first, { type: 'call_begun' }, T0) as RequestRecord;
    const same = transition(recalled, CAUSES.not_received, T0) as RequestRecord;
    expect(same.revision).toBe(first.revision);
    const other = answer({ type: 'not_received', why: 'rate_limited' });
    expect(transition(recalled, other, T0)?.revision).toBe(first.revision + 1);
  });

  test('does not put off the end of the request', () => {
    expect(queuedSince(notReceived('unreachable'))).toBe(T0);
  });
});

describe('the slot', () => {
  test('is held while the request is open and free afterwards', () => {
    expect(slotOf(queued())).toBe('order:a-1001');
    expect(slotOf(answered(said('pending')))).toBe('order:a-1001');
    expect(slotOf(answered(said('canceled')))).toBeUndefined();
  });

  test('is wanted again by a request that the service reopens, which can stand without it', () => {
    const denied = answered(said('denied'));
    const reopened = transition(denied, CAUSES.says_pending, T0) as RequestRecord;
    expect(slotOf(reopened)).toBe('order:a-1001');
    expect(slotOf({ ...reopened, holdsSlot: false })).toBeUndefined();
  });
});
