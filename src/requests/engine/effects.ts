/**
 * Claims and performs one effect, and returns how to apply its result.
 *
 * Why nothing is posted twice (promise 3): a post is claimed in the record before it is made (outbox/claim.ts), and not written
 * once the claim has expired (`inTime` of its guard, asked by http/exchange.ts). An event that comes again owes no second reply
 * (`isApplied` in requests/model/events.ts). If Slack's answer is lost (`afterAttempt` in outbox/attempt.ts), or the process ends
 * before it has recorded it (`applyExpiredClaim`), the message is doubtful. A doubtful message is searched for (`postingOf` in
 * outbox/message.ts, slack/messages/find-message.ts), and posted again only after a complete search without a result, or
 * elsewhere once Slack has refused the search for minutes. Where a copy may still appear, the message owes a tidy, which
 * removes all copies but one (slack/messages/tidy-messages.ts).
 */

import { lateOf } from '../../outbox/attempt.ts';
import type { FindResult, PostResult, UpdateResult } from '../../outbox/delivery.ts';
import { mayBeWritten } from '../../outbox/message.ts';
import type { ClaimGuard } from '../../outbox/ports.ts';
import { type Claimed, type Holder, type Outcome, outcomeOf } from '../../outbox/record-type.ts';
import type { Effect, OutsideEffect } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import type { Timings } from '../model/timings.ts';
import { transition } from '../model/transition.ts';
import type { Called, Messenger, OrderCalls } from '../ports/ports.ts';
import { type Applied, applyAnswer, applyCallResult, attemptOf, NO_ANSWER } from './apply-call.ts';
import { applyPosting, owingTidy, type ResultContext } from './apply-posting.ts';
import { applyLateUpdate, applyTidy, applyUpdate } from './apply-update.ts';
import { applyConfirmation, type Confirmation, confirmVotes } from './confirm-votes.ts';
import { applyUndoneAnswer } from './undone-calls.ts';

export const isOutside = (effect: Effect): effect is OutsideEffect =>
  'messageKey' in effect || effect.type === 'confirm_votes' || effect.type === 'call';

/** A performed effect of a request, like `Performed` in outbox/record-type.ts. */
type PerformedEffect = { outcome: Outcome; apply: Apply; applyLate?: Apply | undefined };

type Apply = (record: RequestRecord, context: ResultContext) => Applied;

/** Claims an effect. A call is claimed by entering `calling`, so that it never begins twice. */
export function claimEffect(
  record: RequestRecord,
  effect: OutsideEffect,
  by: Holder,
): Claimed<RequestRecord> {
  switch (effect.type) {
    case 'call':
      return claimCall(record, by);
    case 'confirm_votes':
      return { ...record, claim: { ...by, effect: effect.type } };
    default:
      return { ...record, claim: { ...by, effect: effect.type, messageKey: effect.messageKey } };
  }
}

function claimCall(record: RequestRecord, by: Holder): Claimed<RequestRecord> {
  const begun = transition(record, { type: 'call_begun' }, by.startedAt);
  if (!begun) throw new Error(`A request that is ${record.state} cannot be called.`);
  const attempt = begun.call.attempts + 1;
  return { ...begun, call: { ...begun.call, attempts: attempt }, claim: { ...by, effect: 'call', attempt } };
}

/**
 * Handles an expired claim: its owner is gone, and its progress is unknown. A call becomes `unknown`, a post doubtful;
 * an update is owed again; a search, a tidy or a check of votes is simply repeated.
 */
export function applyExpiredClaim(
  record: RequestRecord,
  claim: Claim,
  timings: Timings,
  now: number,
): Applied {
  const { claim: _gone, ...free } = record;
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  const { startedAt, expiresAt: until } = claim;
  switch (claim.effect) {
    case 'call': {
      const attempt = attemptOf(free, claim) ?? claim.attempt;
      return applyCallResult(free, NO_ANSWER, attempt, now);
    }
    case 'post': {
      // The call to Slack was made in the first half of the claim or never, so Slack has had time to show it.
      const context = { claim, timings, now: startedAt, rendered: 0, until };
      return { record: applyPosting(free, claim.messageKey, interrupted, context) };
    }
    case 'update':
      return { record: applyLateUpdate(free, claim.messageKey, interrupted, { timings, now: until }) };
    default:
      return { record: free };
  }
}

/** Performs a claimed effect. It never throws: uncertainty is a result. */
export async function performEffect(
  { messenger, calls }: { messenger: Messenger; calls: OrderCalls },
  effect: OutsideEffect,
  record: RequestRecord,
  guard: ClaimGuard,
): Promise<PerformedEffect> {
  switch (effect.type) {
    case 'call':
      return called(record, await calls.carryOut(record, guard));
    case 'confirm_votes':
      return confirmed(record, await confirmVotes(messenger, record, guard));
    case 'update':
      return updated(effect.messageKey, await messenger.update(record, effect.messageKey, guard));
    case 'tidy': {
      const result = await messenger.tidy(record, effect, guard);
      const apply: Apply = (current, context) => ({ record: applyTidy(current, effect, result, context) });
      return { outcome: outcomeOf(result), apply };
    }
    case 'post':
    case 'find':
      return posted(effect.messageKey, await messenger[effect.type](record, effect.messageKey, guard));
  }
}

function posted(messageKey: string, result: PostResult | FindResult): PerformedEffect {
  const apply: Apply = (record, context) => ({ record: applyPosting(record, messageKey, result, context) });
  const doubtful: Apply = (record, context) => ({ record: owingTidy(record, messageKey, context) });
  return { outcome: outcomeOf(result), apply, applyLate: lateOf(result, { posted: apply, doubtful }) };
}

function updated(messageKey: string, result: UpdateResult): PerformedEffect {
  const late: Apply = (record, context) => ({ record: applyLateUpdate(record, messageKey, result, context) });
  return {
    outcome: outcomeOf(result),
    apply: (record, context) => ({ record: applyUpdate(record, messageKey, result, context) }),
    applyLate: mayBeWritten(result) ? late : undefined,
  };
}

function called({ call: { attempts } }: RequestRecord, { answer, err }: Called): PerformedEffect {
  const outcome: Outcome = {
    result: answer.type,
    ...(answer.type === 'said' && { said: answer.word ?? answer.status }),
    ...(err && { err }),
  };
  const apply: Apply = (record, context) => applyAnswer(record, answer, attempts, context);
  const applyLate: Apply = (record, context) =>
    attemptOf(record, { attempt: attempts, startedAt: context.claim.startedAt }) === undefined
      ? applyUndoneAnswer(record, answer, attempts, context)
      : apply(record, context);
  return { outcome, apply, applyLate };
}

function confirmed({ approval }: RequestRecord, result: Confirmation): PerformedEffect {
  const votes = approval?.votes ?? [];
  // A process that was frozen past its claim may have read outdated votes: then they are read again.
  const apply: Apply = (record, { now, claim }) => ({
    record: now < claim.expiresAt ? applyConfirmation(record, votes, result, now) : record,
  });
  return { outcome: outcomeOf(result), apply };
}
