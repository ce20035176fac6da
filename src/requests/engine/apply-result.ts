/**
 * Applies the result of an effect to the record. The loop in advance.ts performs the effects and stores what this
 * returns.
 */

import { ApproversProblem } from '../model/approvals/problems.ts';
import { withDelivery, withDestination } from '../model/changes/deliveries.ts';
import { withEvidence, withNotification, withProblem } from '../model/changes/notify.ts';
import { withSharingSeen } from '../model/changes/sharing.ts';
import { deliveryOf, destinationOfReply } from '../model/facts/messages.ts';
import { afterTidy, afterTry, type Try, withTidy } from '../model/messages/attempt.ts';
import {
  backoffMs,
  type Delivery,
  type Destination,
  type Found,
  givenUp,
  isPending,
  type Posting,
  type Tidied,
  type Updating,
} from '../model/messages/delivery.ts';
import type { MessageKey, TrackedMessage } from '../model/messages/message.ts';
import type { Timings } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import { STATES } from '../model/states.ts';
import { transition, withCardGivenUp } from '../model/transition.ts';
import { applyCallResult } from './apply-call.ts';
import { applyEdit, applyNotification, applyReply } from './apply-posted.ts';

/** `now`: epoch milliseconds by the store's clock. `rendered`: the revision that the effect showed to people. */
export type ResultContext = { claim: Claim; rendered: number; now: number; timings: Timings };

/** @param until the latest moment at which the request may have been written */
function tryOf(
  record: RequestRecord,
  messageKey: MessageKey,
  { claim, now, timings }: ResultContext,
  until = now,
): Try {
  const to = destinationOfReply(record, messageKey);
  return { ...timings, startedAt: claim.startedAt, until, to, now };
}

/** Applies the result of a post or a search. */
export function applyPosting(
  given: RequestRecord,
  messageKey: MessageKey,
  result: Posting | Found,
  s: ResultContext,
  until?: number,
): RequestRecord {
  const before = deliveryOf(given, messageKey);
  if (!before || !isPending(before)) return given;
  const after = afterTry(before, result, tryOf(given, messageKey, s, until));
  const record = withSharingSeen(given, result, s.now);
  switch (messageKey.type) {
    case 'card':
      return applyCardPosting(record, after, s);
    case 'approval_message':
      return applyApprovalMessagePosting(record, { result, delivery: after }, s);
    case 'reply':
      return applyReply(record, messageKey.n, { result, after, now: s.now });
    case 'notification':
      return applyNotification(record, messageKey.n, after, s.now);
  }
}

/**
 * Owes a tidy after a doubtful post under a claim that another process has taken over: another copy may exist or appear
 * soon.
 */
export function owingTidy(record: RequestRecord, messageKey: MessageKey, s: ResultContext): RequestRecord {
  const { startedAt, ...given } = tryOf(record, messageKey, s);
  return withDelivery(record, messageKey, (delivery) => withTidy(delivery, { since: startedAt, ...given }));
}

/** Applies a tidy. People who voted on another copy are told where to vote. */
export function applyTidy(
  record: RequestRecord,
  { messageKey, to }: { messageKey: MessageKey; to: Destination | undefined },
  result: Tidied,
  { now }: ResultContext,
): RequestRecord {
  const before = deliveryOf(record, messageKey);
  const tidied = withDelivery(record, messageKey, (delivery) => afterTidy(delivery, { to, result, now }));
  if (result.type !== 'tidied') return tidied;
  const isReplaced =
    result.kept !== undefined && !(before?.status === 'posted' && before.ts === result.kept.ts);
  const kept = isReplaced ? withNewPlace(tidied, { messageKey, to }, result.kept) : tidied;
  const notified = result.voters.reduce(
    (next, voter) => withNotification(next, { type: 'misplaced_vote', voter }, now),
    kept,
  );
  if (!isReplaced) return notified;
  return result.uncounted.reduce(
    (next, voter) => withNotification(next, { type: 'misplaced_vote', voter, stays: true }, now),
    notified,
  );
}

/**
 * Records the new location after a tidy kept another copy. A card or an approval message may show an older state there;
 * a reply gets the destination where it was found.
 */
function withNewPlace(
  record: RequestRecord,
  { messageKey, to }: { messageKey: MessageKey; to: Destination | undefined },
  location: TrackedMessage['location'],
): RequestRecord {
  if (messageKey.type === 'reply' && to) return withDestination(record, messageKey.n, to);
  const moved = (message: TrackedMessage): TrackedMessage => ({ ...message, location, shown: 0 });
  if (messageKey.type === 'card') return { ...record, card: moved(record.card) };
  const { approvalMessage } = record.approval ?? {};
  return messageKey.type === 'approval_message' && approvalMessage
    ? withApprovalMessage(record, moved(approvalMessage))
    : record;
}

/** Applies the delivery of the card. If Slack refuses it, the request ends, provided that nothing was sent. */
function applyCardPosting(record: RequestRecord, delivery: Delivery, s: ResultContext): RequestRecord {
  if (delivery.status === 'posted') return { ...record, card: posted(record.card, delivery, s) };
  const next = { ...record, card: { ...record.card, delivery } };
  if (delivery.status === 'given_up') return withoutCard(next, delivery.code, s.now);
  const wanted = STATES[record.state].slot;
  return delivery.status === 'owed' && !wanted ? withoutCard(next, 'not_needed', s.now) : next;
}

/**
 * Applies the delivery of the approval message. A refusal is retried until the request expires: an admin is notified
 * and can fix the cause.
 */
function applyApprovalMessagePosting(
  record: RequestRecord,
  { result, delivery }: { result: Posting | Found; delivery: Delivery },
  s: ResultContext,
): RequestRecord {
  const { approvalMessage } = record.approval ?? {};
  if (!approvalMessage) return record;
  if (delivery.status === 'posted') {
    return withEvidence(withApprovalMessage(record, posted(approvalMessage, delivery, s)), 'post', s.now);
  }
  if (!STATES[record.state].votes && delivery.status !== 'doubtful') {
    return withApprovalMessage(record, { ...approvalMessage, delivery: givenUp(delivery, 'not_needed') });
  }
  const next = withApprovalMessage(record, {
    ...approvalMessage,
    delivery: givenUpForNow(approvalMessage, delivery, s),
  });
  if (result.type !== 'refused') return next;
  const problem = ApproversProblem.safeParse(result.code).data ?? 'channel_refused';
  return withProblem(next, problem, s.now);
}

/** Retries a refused approval message, because an admin can fix the cause. */
function givenUpForNow(approvalMessage: TrackedMessage, delivery: Delivery, s: ResultContext): Delivery {
  if (delivery.status !== 'given_up') return delivery;
  const tries = isPending(approvalMessage.delivery) ? approvalMessage.delivery.tries + 1 : 1;
  const owing = delivery.tidies ? { tidies: delivery.tidies } : {};
  return { status: 'owed', tries, notBefore: s.now + backoffMs(tries), ...owing };
}

/**
 * Records a posted message. One that was found, rather than posted now, may show an older state and is updated again.
 */
function posted(
  message: TrackedMessage,
  delivery: Extract<Delivery, { status: 'posted' }>,
  s: ResultContext,
): TrackedMessage {
  const { channel, ts } = delivery;
  return {
    ...message,
    delivery,
    location: { channel, ts },
    shown: s.claim.effect === 'post' ? s.rendered : 0,
  };
}

/** Applies an update of a message. Repeating one does no harm, so doubt counts as delay. */
export function applyUpdate(
  record: RequestRecord,
  messageKey: MessageKey,
  result: Updating,
  s: ResultContext,
): RequestRecord {
  if (messageKey.type === 'notification') return applyEdit(record, messageKey.n, result, s.now);
  const isApprovalMessage = messageKey.type === 'approval_message';
  const message = trackedMessageOf(record, messageKey);
  if (!message) return record;
  const withMessage = (changed: TrackedMessage) => withTrackedMessage(record, messageKey, changed);
  switch (result.type) {
    case 'posted':
    case 'kept': {
      const updated = withMessage({ ...refreshed(message, s), shown: s.rendered, updateTries: 0 });
      const seen =
        isApprovalMessage && result.type === 'posted' ? withEvidence(updated, 'update', s.now) : updated;
      return withSharingSeen(seen, result, s.now);
    }
    case 'gone':
      if (!isApprovalMessage) return withoutCard(record, result.code, s.now);
      return withoutApprovalMessage(withMessage(updatedLater(message, s.now)), result.code, s.now);
    case 'later':
      return withMessage(updatedLater(message, s.now, result.retryAfterMs));
    case 'doubtful':
      return withMessage(refreshedAfter(updatedLater(message, s.now), s.now + s.timings.appearMs));
  }
}

/** @returns undefined for a reply or a notification, which show no revision of the record */
function trackedMessageOf(
  { approval, card }: RequestRecord,
  { type }: MessageKey,
): TrackedMessage | undefined {
  if (type === 'card') return card;
  return type === 'approval_message' ? approval?.approvalMessage : undefined;
}

const withTrackedMessage = (
  record: RequestRecord,
  messageKey: MessageKey,
  message: TrackedMessage,
): RequestRecord =>
  messageKey.type === 'approval_message'
    ? withApprovalMessage(record, message)
    : { ...record, card: message };

/** Owes one more update: an earlier one may still arrive until then, and overwrite newer content. */
function refreshedAfter(message: TrackedMessage, at: number): TrackedMessage {
  return { ...message, refreshAt: Math.max(message.refreshAt ?? 0, at) };
}

/** Fulfils the extra update if this one began late enough. */
function refreshed({ refreshAt, ...message }: TrackedMessage, { claim }: ResultContext): TrackedMessage {
  const isDone = refreshAt === undefined || claim.startedAt >= refreshAt;
  return isDone ? message : { ...message, refreshAt };
}

function updatedLater(message: TrackedMessage, now: number, retryAfterMs = 0): TrackedMessage {
  const updateTries = message.updateTries + 1;
  return { ...message, updateTries, updateAt: now + Math.max(retryAfterMs, backoffMs(updateTries)) };
}

/** Applies an update whose claim was taken over: it may have overwritten newer content, or may do so soon. */
export function applyLateUpdate(
  record: RequestRecord,
  messageKey: MessageKey,
  { type }: Updating,
  { now, timings }: ResultContext,
): RequestRecord {
  const message = trackedMessageOf(record, messageKey);
  if (!message) return record;
  const shownAnew = { ...message, shown: 0 };
  const owing = type === 'doubtful' ? refreshedAfter(shownAnew, now + timings.appearMs) : shownAnew;
  return withTrackedMessage(record, messageKey, owing);
}

/**
 * Handles an expired claim: its owner is gone, and its progress is unknown. A call becomes `unknown`, a post doubtful;
 * an update is owed again; a search or a tidy is simply repeated.
 */
export function applyExpiredClaim(record: RequestRecord, claim: Claim, timings: Timings, now: number) {
  const { claim: _gone, ...free } = record;
  if (claim.effect === 'call')
    return applyCallResult(free, { type: 'no_answer', why: 'interrupted' }, claim.attempt, now);
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  // The request was written in the first half of the claim or never, so Slack has had time to show it.
  const context = { claim, timings, now: claim.startedAt, rendered: 0 };
  const { expiresAt: until } = claim;
  if (claim.effect === 'post')
    return { record: applyPosting(free, claim.messageKey, interrupted, context, until), unmatched: [] };
  if (claim.effect === 'update')
    return {
      record: applyLateUpdate(free, claim.messageKey, interrupted, { ...context, now: until }),
      unmatched: [],
    };
  return { record: free, unmatched: [] };
}

/**
 * Handles a refused or deleted card. Before the call this ends the request. Afterwards untried replies go to the
 * requester, and replies that may be in the thread are searched for there first.
 */
function withoutCard(record: RequestRecord, code: string, now: number): RequestRecord {
  const bare = withCardGivenUp(record, code);
  return transition(bare, { type: 'card_refused', code }, now) ?? bare;
}

/**
 * Handles an approval message that is no longer visible. A problem of the channel can be fixed, so an admin is
 * notified. If the message is gone, nobody can vote any more, and nothing is sent.
 */
export function withoutApprovalMessage(record: RequestRecord, code: string, now: number): RequestRecord {
  const { approvalMessage } = record.approval ?? {};
  if (!approvalMessage) return withoutCard(record, code, now);
  const problem = ApproversProblem.safeParse(code).data;
  if (problem && STATES[record.state].votes) return withProblem(record, problem, now);
  const bare = withApprovalMessage(record, {
    ...approvalMessage,
    delivery: givenUp(approvalMessage.delivery, code),
  });
  const ends = STATES[record.state].votes;
  return (ends && transition(bare, { type: 'card_refused', code }, now)) || bare;
}

function withApprovalMessage(record: RequestRecord, approvalMessage: TrackedMessage): RequestRecord {
  return record.approval ? { ...record, approval: { ...record.approval, approvalMessage } } : record;
}
