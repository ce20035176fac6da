/** Applies the result of posting a message, or searching for one. */

import { type Attempt, afterAttempt, withTidy } from '../../outbox/attempt.ts';
import {
  type Delivery,
  type Destination,
  type FindResult,
  givenUp,
  isPending,
  owed,
  type PostResult,
  retryAt,
} from '../../outbox/delivery.ts';
import { ApproversProblem } from '../model/approvals/problems.ts';
import { withDelivery } from '../model/changes/deliveries.ts';
import { withEvidence, withNotification, withProblem } from '../model/changes/notify.ts';
import { withSharingSeen } from '../model/changes/sharing.ts';
import { deliveryOf, destinationOfReply } from '../model/facts/messages.ts';
import { threadOf } from '../model/facts/notifications.ts';
import type { MessageKey, TrackedMessage } from '../model/message.ts';
import type { RequestNotification } from '../model/notification.ts';
import type { Timings } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import { STATES } from '../model/states.ts';
import { withApprovalMessage, withoutCard } from './lost-messages.ts';

/** `now`: epoch milliseconds by the store's clock. `rendered`: the revision that the effect showed to people. */
export type ResultContext = { claim: Claim; rendered: number; now: number; timings: Timings };

/** @param until the latest moment at which the request may have been written */
export function attemptOf(
  record: RequestRecord,
  messageKey: MessageKey,
  { claim, now, timings }: ResultContext,
  until = now,
): Attempt {
  const to = destinationOfReply(record, messageKey);
  const thread = threadOf(record, messageKey);
  return { ...timings, startedAt: claim.startedAt, until, to, thread, now };
}

/** Owes a tidy, because another copy than the recorded one stands, or may appear soon. */
export function owingTidy(
  record: RequestRecord,
  messageKey: MessageKey,
  context: ResultContext,
  until?: number,
): RequestRecord {
  const { startedAt, ...given } = attemptOf(record, messageKey, context, until);
  return withDelivery(record, messageKey, (delivery) => withTidy(delivery, { since: startedAt, ...given }));
}

/** Applies the result of a post or a search. */
export function applyPosting(
  given: RequestRecord,
  messageKey: MessageKey,
  result: PostResult | FindResult,
  context: ResultContext,
  until?: number,
): RequestRecord {
  const before = deliveryOf(given, messageKey);
  if (!before) return given;
  if (!isPending(before))
    return isCopy(before, result) ? owingTidy(given, messageKey, context, until) : given;
  const after = afterAttempt(before, result, attemptOf(given, messageKey, context, until));
  const record = withSharingSeen(given, result, context.now);
  switch (messageKey.type) {
    case 'card':
      return applyCardPosting(record, after, context);
    case 'approval_message':
      return applyApprovalMessagePosting(record, { result, delivery: after }, context);
    case 'reply':
      return applyReply(record, messageKey.n, { result, after }, context);
    case 'notification':
      return applyNotification(record, messageKey.n, after, context.now);
  }
}

/**
 * Whether a result shows that there is, or may be, another message than the recorded one: a process was frozen past its
 * claim, and another one has settled the message meanwhile.
 */
function isCopy(standing: Delivery, result: PostResult | FindResult): boolean {
  if (result.type === 'posted') return standing.status !== 'posted' || standing.ts !== result.ts;
  return result.type === 'doubtful';
}

/** Applies the delivery of the card. If Slack refuses it, the request ends, provided that nothing was sent. */
function applyCardPosting(record: RequestRecord, delivery: Delivery, context: ResultContext): RequestRecord {
  if (delivery.status === 'posted') return { ...record, card: posted(record.card, delivery, context) };
  const next = { ...record, card: { ...record.card, delivery } };
  if (delivery.status === 'given_up') return withoutCard(next, delivery.code, context.now);
  const wanted = STATES[record.state].slot;
  return delivery.status === 'owed' && !wanted ? withoutCard(next, 'not_needed', context.now) : next;
}

/**
 * Applies the delivery of the approval message. A refusal is retried until the request expires: an admin is notified
 * and can fix the cause.
 */
function applyApprovalMessagePosting(
  record: RequestRecord,
  { result, delivery }: { result: PostResult | FindResult; delivery: Delivery },
  context: ResultContext,
): RequestRecord {
  const { approvalMessage } = record.approval ?? {};
  if (!approvalMessage) return record;
  if (delivery.status === 'posted') {
    return withEvidence(
      withApprovalMessage(record, posted(approvalMessage, delivery, context)),
      'post',
      context.now,
    );
  }
  if (!STATES[record.state].votes && delivery.status !== 'doubtful') {
    return withApprovalMessage(record, { ...approvalMessage, delivery: givenUp(delivery, 'not_needed') });
  }
  const next = withApprovalMessage(record, {
    ...approvalMessage,
    delivery: givenUpForNow(approvalMessage, delivery, context),
  });
  if (result.type !== 'refused') return next;
  const problem = ApproversProblem.safeParse(result.code).data ?? 'channel_refused';
  return withProblem(next, problem, context.now);
}

/** Retries a refused approval message, because an admin can fix the cause. */
function givenUpForNow(
  approvalMessage: TrackedMessage,
  delivery: Delivery,
  context: ResultContext,
): Delivery {
  if (delivery.status !== 'given_up') return delivery;
  const tries = isPending(approvalMessage.delivery) ? approvalMessage.delivery.tries + 1 : 1;
  return { status: 'owed', tries, notBefore: retryAt(context.now, tries), ...owing(delivery) };
}

/** The revision that a posted message shows. One that was found, rather than posted now, may show an older one. */
const shownBy = ({ claim, rendered }: ResultContext) => ({ shown: claim.effect === 'post' ? rendered : 0 });

/** Records a posted message. */
function posted(
  message: TrackedMessage,
  delivery: Extract<Delivery, { status: 'posted' }>,
  context: ResultContext,
): TrackedMessage {
  const { channel, ts } = delivery;
  return {
    ...message,
    delivery,
    location: { channel, ts },
    ...shownBy(context),
  };
}

/** The next destination after a refusal: from the thread to the requester directly, then to the channel. */
const INSTEAD: Readonly<Record<Destination, Destination | undefined>> = {
  thread: 'requester',
  requester: 'channel',
  channel: undefined,
};

/** Applies the result of posting, or searching for, the reply of step `n`. */
function applyReply(
  record: RequestRecord,
  n: number,
  { result, after }: { result: PostResult | FindResult; after: Delivery },
  context: ResultContext,
): RequestRecord {
  const { now } = context;
  const cardIsGone = record.card.delivery.status === 'given_up';
  const steps = record.steps.map((step) => {
    const { reply } = step;
    if (step.n !== n || !reply || !isPending(reply.delivery)) return step;
    const isLost = result.type === 'absent' && cardIsGone && reply.to === 'thread';
    const to = after.status === 'given_up' || isLost ? INSTEAD[reply.to] : undefined;
    if (to !== undefined)
      return { ...step, reply: { ...reply, to, delivery: { ...owed(now), ...owing(after) } } };
    const { summary } = reply;
    const shown =
      summary && after.status === 'posted' ? { summary: { ...summary, ...shownBy(context) } } : {};
    return { ...step, reply: { ...reply, delivery: after, ...shown } };
  });
  return { ...record, steps };
}

/**
 * Applies the result of posting, or searching for, notification `n`. If its recipient takes no direct messages, it goes
 * to the channel, or somebody else is notified. Otherwise it is given up: the card shows the same.
 */
function applyNotification(record: RequestRecord, n: number, after: Delivery, now: number): RequestRecord {
  const given = record.notifications.find((notification) => notification.n === n);
  const isRefused = after.status === 'given_up';
  const goesOn = isRefused && given && isForChannel(given);
  const again = { delivery: { ...owed(now), ...owing(after) }, inChannel: true as const };
  const change = goesOn ? again : { delivery: after };
  const notifications = record.notifications.map((notification) =>
    notification.n === n ? { ...notification, ...change } : notification,
  );
  const applied = { ...record, notifications };
  return isRefused && given?.type === 'alarm'
    ? withNotification(applied, { type: 'admin_unreachable' }, now)
    : applied;
}

const isForChannel = ({ type, inChannel }: RequestNotification): boolean =>
  !inChannel && (type === 'unclear' || type === 'misplaced_vote');

const owing = ({ tidies }: Delivery) => (tidies ? { tidies } : {});
