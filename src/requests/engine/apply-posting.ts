/**
 * Applies the result of posting a message, or searching for one, and the loss of a card or an approval message that nobody
 * can see.
 */
import { type Attempt, afterAttempt, isCopy, withTidy } from '../../outbox/attempt.ts';
import {
  type Delivery,
  type Destination,
  type FindResult,
  givenUp,
  isOver,
  isPending,
  NOT_NEEDED,
  owed,
  type PendingDelivery,
  type PostResult,
} from '../../outbox/delivery.ts';
import { shownAnew, withDelivered } from '../../outbox/message.ts';
import { retryAt, retryRefusedAt } from '../../outbox/record-type.ts';
import { withSharingSeen } from '../model/channels.ts';
import { ApproversProblem } from '../model/policy.ts';
import type { ApprovalMessage, Claim, Note, Reply, RequestMessage, RequestRecord } from '../model/record.ts';
import {
  approvalMessageOf,
  isCardGone,
  messageWithKey,
  repliesOf,
  stepWithNumber,
  withApprovalMessage,
  withDelivery,
  withMessage,
} from '../model/record-messages.ts';
import { fallbackOf, threadOf, withEvidence, withNote, withProblem } from '../model/record-notes.ts';
import { isOwnMistake } from '../model/refusal.ts';
import { STATES } from '../model/states.ts';
import type { Timings } from '../model/timings.ts';
import { placeOfReply, transition, withCardGivenUp, withRepliesToRequester } from '../model/transition.ts';

/**
 * `rendered`: the revision that the effect showed to people. `until`: the latest time at which the call to Slack may have been
 * written; undefined: now.
 */
export type ResultContext = {
  claim: Claim;
  rendered: number;
  now: number;
  timings: Timings;
  until?: number;
};

function postingAttempt(
  record: RequestRecord,
  messageKey: string,
  { claim, now, timings, until = now }: ResultContext,
): Attempt {
  const to = messageWithKey(record, messageKey)?.to;
  const thread = threadOf(record, messageKey);
  return { ...timings, since: claim.startedAt, until, to, thread, now };
}

/** Owes a tidy, because another copy than the recorded one is in Slack, or may appear soon. */
export function owingTidy(record: RequestRecord, messageKey: string, context: ResultContext): RequestRecord {
  const attempt = postingAttempt(record, messageKey, context);
  return withDelivery(record, messageKey, (delivery) => withTidy(delivery, attempt));
}

/** A result, and the deliveries before and after it. */
type Attempted = {
  result: PostResult | FindResult;
  before: PendingDelivery;
  delivery: Delivery;
  now: number;
};

/** Applies the result of a post or a search. */
export function applyPosting(
  given: RequestRecord,
  messageKey: string,
  result: PostResult | FindResult,
  context: ResultContext,
): RequestRecord {
  const message = messageWithKey(given, messageKey);
  if (!message) return given;
  const { delivery: before } = message;
  if (!isPending(before)) return isCopy(before, result) ? owingTidy(given, messageKey, context) : given;
  const delivery = afterAttempt(before, result, postingAttempt(given, messageKey, context));
  const { claim, rendered, now, timings } = context;
  // A message that was found, rather than posted now, may show an older revision: it is updated at once.
  const isPostedNow = claim.effect === 'post';
  const keeping = isPostedNow
    ? { shown: rendered, updateAt: now + timings.apartMs }
    : { shown: 0, updateAt: now };
  const record = withMessage(withSharingSeen(given, result, now), messageKey, (each) =>
    withDelivered(each, delivery, keeping),
  );
  const attempted = { result, before, delivery, now };
  switch (message.type) {
    case 'card':
      return applyCard(record, attempted);
    case 'approval':
      return applyApprovalMessage(record, message, attempted);
    case 'reply':
      return applyReply(record, message, attempted);
    default:
      return applyNote(record, message, attempted);
  }
}

/**
 * Applies the result for a card. If Slack refuses the card, the request ends, provided that nothing was sent. A card that is no
 * longer needed is given up.
 */
function applyCard(record: RequestRecord, { delivery, now }: Attempted): RequestRecord {
  if (delivery.status === 'given_up') return withoutCard(record, delivery.code, now);
  if (delivery.status === 'posted') return withLinkToCard(record);
  const isWanted = delivery.status !== 'owed' || STATES[record.state].slot;
  return isWanted ? record : withoutCard(record, NOT_NEEDED, now);
}

/** Owes an update of the approval message, which links to the card: it may have been posted before this card. */
function withLinkToCard(record: RequestRecord): RequestRecord {
  const message = approvalMessageOf(record);
  if (!message?.upkeep) return record;
  return withApprovalMessage(record, { ...message, upkeep: shownAnew(message.upkeep) });
}

/** A refused approval message is tried again until the request expires: an admin is told and can fix the cause. */
function applyApprovalMessage(
  record: RequestRecord,
  { key }: ApprovalMessage,
  { result, before, delivery, now }: Attempted,
): RequestRecord {
  if (delivery.status === 'posted') return withEvidence(record, 'post', now);
  if (!STATES[record.state].votes && delivery.status !== 'doubtful')
    return withDelivery(record, key, () => givenUp(delivery, NOT_NEEDED));
  const tries = before.tries + 1;
  const again = { ...owed(now, delivery), tries, notBefore: retryAt(now, tries) };
  const next = delivery.status === 'given_up' ? withDelivery(record, key, () => again) : record;
  if (result.type !== 'refused') return next;
  const problem = ApproversProblem.safeParse(result.code).data ?? 'channel_refused';
  return withProblem(next, problem, now);
}

/** The places of a reply, in order: if one refuses it, the next one gets it. */
const PLACES: readonly Destination[] = ['thread', 'requester', 'channel'];
/** A reply about a mistake of the requester goes to them first. */
const PLACES_OF_MISTAKE: readonly Destination[] = ['requester', 'thread', 'channel'];

/** The longest time that a refused reply holds up later replies: the last one says what came of the request. */
const HOLDS_UP_MS = 10 * 60_000;

/**
 * If Slack refuses a reply, it goes to the next place. After the last place it begins again at the first, because posting may be
 * suspended for a while: the last reply of a request for a week, an earlier one for ten minutes. A reply that may be in Slack
 * already is not tried again until its tidies have searched for it.
 */
function applyReply(record: RequestRecord, reply: Reply, attempted: Attempted): RequestRecord {
  const { result, delivery, now } = attempted;
  const { to = 'thread' } = reply;
  const step = stepWithNumber(record, reply.step);
  // The reply is not in the thread of the card, and can no longer be posted there.
  const isLost = result.type === 'absent' && isCardGone(record) && to === 'thread';
  if (delivery.status !== 'given_up' && !isLost) return record;
  const places = isOwnMistake(record, step) ? PLACES_OF_MISTAKE : PLACES;
  const fallback = places[places.indexOf(to) + 1];
  if (fallback !== undefined) return withDestination(record, reply, fallback, owed(now, delivery));
  const nextAt = delivery.tidies === undefined ? replyRetryAt(record, reply, now) : undefined;
  if (nextAt === undefined) return record;
  const { refusedAt = now } = reply;
  const again = { ...reply, refusedAt, to: placeOfReply(record, step), delivery: owed(nextAt, delivery) };
  return withMessage(record, reply.key, () => again);
}

/** Returns when to try a reply again that Slack has refused everywhere; undefined: it is given up. */
function replyRetryAt(record: RequestRecord, reply: Reply, now: number): number | undefined {
  const { refusedAt = now } = reply;
  const nextAt = retryRefusedAt(now, refusedAt);
  if (isLast(record, reply) || nextAt === undefined) return nextAt;
  const until = refusedAt + HOLDS_UP_MS;
  return now < until ? Math.min(nextAt, until) : undefined;
}

export const isLast = (record: RequestRecord, { key }: Reply): boolean =>
  repliesOf(record).at(-1)?.key === key;

/**
 * Owes a reply again that was given up because it might have been posted, once its tidies have found it nowhere. If another reply
 * has followed by then, that one tells what came of the request.
 */
export function withLostReplyOwed(record: RequestRecord, messageKey: string, now: number): RequestRecord {
  const reply = messageWithKey(record, messageKey);
  if (reply?.type !== 'reply' || !isOver(reply.delivery) || !isLast(record, reply)) return record;
  return retryRefusedAt(now, reply.at) === undefined
    ? record
    : withDestination(record, reply, placeOfReply(record, stepWithNumber(record, reply.step)), owed(now));
}

/** Owes a message anew, at another destination. Its copies may still be at the former one. */
const withDestination = (
  record: RequestRecord,
  { key }: RequestMessage,
  to: Destination,
  delivery: Delivery,
): RequestRecord => withMessage(record, key, (message) => ({ ...message, to, delivery }));

/**
 * If Slack refuses a note, some notes go elsewhere. If it is an alarm, a note and the card tell that the admin can't be reached.
 * Any other note is given up: the card shows the same.
 */
function applyNote(record: RequestRecord, note: Note, attempted: Attempted): RequestRecord {
  const isRefused = attempted.delivery.status === 'given_up';
  const fallback = isRefused ? fallbackOf(note) : undefined;
  if (fallback) return withDestination(record, note, fallback, owed(attempted.now, attempted.delivery));
  if (!isRefused || note.type !== 'alarm') return record;
  const told = withNote(record, { type: 'admin_unreachable' }, attempted.now);
  return { ...told, revision: told.revision + 1 };
}

/**
 * Handles a refused or deleted card. Before the call this ends the request. Replies that were not tried yet go to the
 * requester; those that may be in the thread are searched for there first.
 */
export function withoutCard(record: RequestRecord, code: string, now: number): RequestRecord {
  const bare = withCardGivenUp(record, code);
  return transition(bare, { type: 'card_refused', code }, now) ?? bare;
}

/**
 * Handles a card that nobody can see at present. Before the call this ends the request, and the requester is told in a direct
 * message. The card will show the end if its channel comes back.
 */
export function withCardUnseen(record: RequestRecord, code: string, now: number): RequestRecord {
  const ended = transition(record, { type: 'card_refused', code }, now);
  return ended ? withRepliesToRequester(ended) : record;
}

/**
 * Handles an approval message that is no longer visible. A problem of the channel can be fixed, so an admin is
 * told. If the message is gone, nobody can vote any more, and nothing is sent.
 */
export function withoutApprovalMessage(record: RequestRecord, code: string, now: number): RequestRecord {
  const message = approvalMessageOf(record);
  if (!message) return record;
  const { votes: isVotedOn } = STATES[record.state];
  const problem = ApproversProblem.safeParse(code).data;
  if (problem && isVotedOn) return withProblem(record, problem, now);
  const bare = withDelivery(record, message.key, (delivery) => givenUp(delivery, code));
  return (isVotedOn && transition(bare, { type: 'card_refused', code, message: 'approval' }, now)) || bare;
}
