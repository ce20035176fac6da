/** Applies the result of posting a message, or searching for one. */
import { type Attempt, afterAttempt, withTidy } from '../../outbox/attempt.ts';
import { retryAt } from '../../outbox/backoff.ts';
import {
  type Delivery,
  type Destination,
  type FindResult,
  givenUp,
  isPending,
  owed,
  type PostResult,
} from '../../outbox/delivery.ts';
import { withDelivered } from '../../outbox/message.ts';
import { ApproversProblem } from '../model/approvals/policy.ts';
import { withSharingSeen } from '../model/changes.ts';
import type { ApprovalMessage, Note, Reply, RequestMessage } from '../model/message.ts';
import type { Timings } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import {
  approvalMessageOf,
  cardOf,
  messageWithKey,
  stepNamed,
  withDelivery,
  withMessage,
} from '../model/record-messages.ts';
import { mayGoToChannel, threadOf, withEvidence, withNote, withProblem } from '../model/record-notes.ts';
import { isOwnMistake } from '../model/refusal.ts';
import { STATES } from '../model/states.ts';
import { transition, withCardGivenUp } from '../model/transition.ts';

/** `now`: epoch milliseconds by the store's clock. `rendered`: the revision that the effect showed to people. */
export type ResultContext = { claim: Claim; rendered: number; now: number; timings: Timings };

/** @param until the latest moment at which the request may have been written */
function attemptOf(
  record: RequestRecord,
  messageKey: string,
  { claim, now, timings }: ResultContext,
  until = now,
): Attempt {
  const message = messageWithKey(record, messageKey);
  const to = message?.type === 'reply' ? message.to : undefined;
  const thread = threadOf(record, messageKey);
  return { ...timings, since: claim.startedAt, until, to, thread, now };
}

/** Owes a tidy, because another copy than the recorded one stands, or may appear soon. */
export function owingTidy(
  record: RequestRecord,
  messageKey: string,
  context: ResultContext,
  until?: number,
): RequestRecord {
  const attempt = attemptOf(record, messageKey, context, until);
  return withDelivery(record, messageKey, (delivery) => withTidy(delivery, attempt));
}

/**
 * A result, and the delivery that follows from it. `shown`: the revision that the message shows if it is posted. `updateAt`:
 * when it may be updated then.
 */
type After = {
  result: PostResult | FindResult;
  delivery: Delivery;
  shown: number;
  updateAt: number;
  now: number;
};

/** Applies the result of a post or a search. */
export function applyPosting(
  given: RequestRecord,
  messageKey: string,
  result: PostResult | FindResult,
  context: ResultContext,
  until?: number,
): RequestRecord {
  const message = messageWithKey(given, messageKey);
  if (!message) return given;
  const { delivery: before } = message;
  if (!isPending(before))
    return isCopy(before, result) ? owingTidy(given, messageKey, context, until) : given;
  const delivery = afterAttempt(before, result, attemptOf(given, messageKey, context, until));
  // A message that was found, rather than posted now, may show an older revision.
  const shown = context.claim.effect === 'post' ? context.rendered : 0;
  const { now, timings } = context;
  // A message that shows an older revision is updated at once.
  const updateAt = shown === 0 ? now : now + timings.apartMs;
  const after = { result, delivery, shown, updateAt, now };
  const record = withSharingSeen(given, result, now);
  switch (message.type) {
    case 'card':
      return applyCard(record, message, after);
    case 'approval':
      return applyApprovalMessage(record, message, after);
    case 'reply':
      return applyReply(record, message, after);
    default:
      return applyNote(record, message, after);
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

/** Records the delivery of a message. */
const withAfter = (
  record: RequestRecord,
  { key }: RequestMessage,
  { delivery, shown, updateAt }: After,
): RequestRecord =>
  withMessage(record, key, (message) => withDelivered(message, delivery, { shown, updateAt }));

/** Applies the delivery of the card. If Slack refuses it, the request ends, provided that nothing was sent. */
function applyCard(record: RequestRecord, card: RequestMessage, after: After): RequestRecord {
  const { delivery, now } = after;
  const next = withAfter(record, card, after);
  if (delivery.status === 'given_up') return withoutCard(next, delivery.code, now);
  const wanted = STATES[record.state].slot;
  return delivery.status === 'owed' && !wanted ? withoutCard(next, 'not_needed', now) : next;
}

/**
 * Applies the delivery of the approval message. A refusal is retried until the request expires: an admin is told
 * and can fix the cause.
 */
function applyApprovalMessage(record: RequestRecord, message: ApprovalMessage, after: After): RequestRecord {
  const { result, delivery, now } = after;
  if (delivery.status === 'posted') return withEvidence(withAfter(record, message, after), 'post', now);
  if (!STATES[record.state].votes && delivery.status !== 'doubtful')
    return withAfter(record, message, { ...after, delivery: givenUp(delivery, 'not_needed') });
  const next = withAfter(record, message, { ...after, delivery: givenUpForNow(message, after) });
  if (result.type !== 'refused') return next;
  const problem = ApproversProblem.safeParse(result.code).data ?? 'channel_refused';
  return withProblem(next, problem, now);
}

/** Retries a refused approval message, because an admin can fix the cause. */
function givenUpForNow(message: ApprovalMessage, { delivery, now }: After): Delivery {
  if (delivery.status !== 'given_up') return delivery;
  const tries = isPending(message.delivery) ? message.delivery.tries + 1 : 1;
  return { status: 'owed', tries, notBefore: retryAt(now, tries), ...owing(delivery) };
}

/** The next destination after a refusal: from the thread to the requester directly, then to the channel. */
const INSTEAD: Readonly<Record<Destination, Destination | undefined>> = {
  thread: 'requester',
  requester: 'channel',
  channel: undefined,
};

/** The reply about a mistake of the requester was first sent to them. */
const INSTEAD_FOR_MISTAKE: typeof INSTEAD = { requester: 'thread', thread: 'channel', channel: undefined };

/** Applies the result of posting, or searching for, a reply. */
function applyReply(record: RequestRecord, reply: Reply, after: After): RequestRecord {
  const { result, delivery } = after;
  const { to = 'thread' } = reply;
  const isCardGone = cardOf(record).delivery.status === 'given_up';
  const isLost = result.type === 'absent' && isCardGone && to === 'thread';
  const next = isOwnMistake(record, stepNamed(record, reply.step)) ? INSTEAD_FOR_MISTAKE : INSTEAD;
  const instead = delivery.status === 'given_up' || isLost ? next[to] : undefined;
  return instead === undefined
    ? withAfter(record, reply, after)
    : withOtherPlace(record, reply, instead, after);
}

/** Owes a message anew, at another destination. Its copies may still be at the former one. */
const withOtherPlace = (
  record: RequestRecord,
  { key }: RequestMessage,
  to: Destination,
  { delivery, now }: After,
): RequestRecord =>
  withMessage(record, key, (message) => ({
    ...message,
    to,
    delivery: { ...owed(now), ...owing(delivery) },
  }));

/**
 * Applies the result of posting, or searching for, a note. If its recipient takes no direct messages, it goes to the channel,
 * or somebody else is told. Otherwise it is given up: the card shows the same.
 */
function applyNote(record: RequestRecord, note: Note, after: After): RequestRecord {
  const isRefused = after.delivery.status === 'given_up';
  if (isRefused && mayGoToChannel(note)) return withOtherPlace(record, note, 'channel', after);
  const applied = withAfter(record, note, after);
  return isRefused && note.type === 'alarm'
    ? withNote(applied, { type: 'admin_unreachable' }, after.now)
    : applied;
}

const owing = ({ tidies }: Delivery) => (tidies ? { tidies } : {});

/**
 * Handles a refused or deleted card. Before the call this ends the request. Afterwards untried replies go to the
 * requester, and replies that may be in the thread are searched for there first.
 */
export function withoutCard(record: RequestRecord, code: string, now: number): RequestRecord {
  const bare = withCardGivenUp(record, code);
  return transition(bare, { type: 'card_refused', code }, now) ?? bare;
}

/**
 * Handles an approval message that is no longer visible. A problem of the channel can be fixed, so an admin is
 * told. If the message is gone, nobody can vote any more, and nothing is sent.
 */
export function withoutApprovalMessage(record: RequestRecord, code: string, now: number): RequestRecord {
  const message = approvalMessageOf(record);
  if (!message) return withoutCard(record, code, now);
  const problem = ApproversProblem.safeParse(code).data;
  if (problem && STATES[record.state].votes) return withProblem(record, problem, now);
  const bare = withDelivery(record, message.key, (delivery) => givenUp(delivery, code));
  const ends = STATES[record.state].votes;
  return (ends && transition(bare, { type: 'card_refused', code }, now)) || bare;
}
