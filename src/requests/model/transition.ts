/**
 * Applies a cause to a record by the transition table, and makes the new step owe its reply. A service that changes its
 * word again and again fills neither the record nor the thread.
 */
import { givenUp, isPending, NOT_NEEDED, owed } from '../../outbox/delivery.ts';
import { newUpkeep } from '../../outbox/message.ts';
import { retryAt } from '../../outbox/record-type.ts';
import { type Cause, inputOf, isAccepted, isAnnounced, type WaitingReason } from './cause.ts';
import { currentStep, type Reply, type RequestMessage, type RequestRecord, type Step } from './record.ts';
import { CARD, cardOf, isUnderWay, newReply, replyOf, withDelivery, withMessage } from './record-messages.ts';
import { isOwnMistake } from './refusal.ts';
import { SAID, STATES, type State, TRANSITIONS, type TransitionInput } from './states.ts';
import { isRecorded, isWordOfService, mayHaveReceived } from './summary.ts';

export type TransitionCause = Exclude<Cause, { type: 'requested' }>;

/** Applies a cause. @returns the record in its next state, with a new step; undefined if nothing changes */
export function transition(
  record: RequestRecord,
  cause: TransitionCause,
  now: number,
): RequestRecord | undefined {
  const input = inputFor(record, cause);
  const state = TRANSITIONS[record.state][input] ?? confirmed(record, cause, input);
  if (!state || isKnownReview(record, state)) return undefined;
  const { beforeCall, outcome } = STATES[state];
  const shown = beforeCall ? withCardToSee(record, now) : record;
  return withoutNeedOfCard({
    ...withStep(shown, state, cause, now),
    state,
    word: wordOf(cause),
    paused: beforeCall || cause.type === 'expire' ? record.paused : undefined,
    // A reopened or resent request must take the slot again.
    holdsSlot: STATES[record.state].slot && !beforeCall ? record.holdsSlot : true,
    revision: isSeen(record, state, cause) ? record.revision + 1 : record.revision,
    // Late answers are older than a known outcome.
    lateAnswers: outcome ? [] : record.lateAnswers,
    call: beforeCall ? callAfter(record, cause, now) : record.call,
  });
}

/** Weakens a refusal if another call may have been received, because that call may be the reason for it. */
function inputFor(record: RequestRecord, cause: TransitionCause): TransitionInput {
  const input = inputOf(cause);
  return input === 'refused' && mayHaveReceived(record) ? 'refused_in_doubt' : input;
}

/** Confirms an outcome that a person recorded, once the service reports the same. The table itself confirms a review. */
function confirmed(record: RequestRecord, cause: TransitionCause, input: TransitionInput): State | undefined {
  if (cause.type === 'person' || !isRecorded(currentStep(record))) return undefined;
  const said = input in SAID ? SAID[input as keyof typeof SAID] : undefined;
  const { outcome } = STATES[record.state];
  return said && outcome !== undefined && STATES[said].outcome === outcome ? said : undefined;
}

/** Whether the next state is a review that is known already. Such a review does not reopen a request that a person released. */
function isKnownReview(record: RequestRecord, next: State): boolean {
  const { state, steps } = record;
  if (next !== 'under_review') return false;
  if (state === next) return !isAccepted(currentStep(record).cause) && !isRecorded(currentStep(record));
  return state === 'closed' && steps.some((step) => step.state === next);
}

/** The service's own word, if the interface does not list it. */
function wordOf(cause: TransitionCause): string | undefined {
  if (cause.type === 'event' || cause.type === 'reconsidered') return cause.event.word;
  return cause.type === 'answer' && cause.answer.type === 'said' ? cause.answer.word : undefined;
}

/**
 * Owes a new card to a request that is sent again, if the former card was deleted or is out of reach: nothing is sent without a
 * card (promise 8), and nobody can vote or reply where the former one stood.
 */
function withCardToSee(record: RequestRecord, now: number): RequestRecord {
  if (cardOf(record).delivery.status !== 'given_up') return record;
  return withMessage(record, CARD, ({ location: _former, ...card }) => ({
    ...card,
    at: now,
    delivery: owed(now, card.delivery),
    upkeep: newUpkeep(now),
  }));
}

/** Drops the card of an ended request, unless it is being posted right now. The requester gets the replies directly. */
function withoutNeedOfCard(record: RequestRecord): RequestRecord {
  const { status } = cardOf(record).delivery;
  if (STATES[record.state].slot || status !== 'owed' || isUnderWay(record, CARD)) return record;
  return withCardGivenUp(record, NOT_NEEDED);
}

/** Gives up the card. Replies that were not tried in its thread go to the requester. */
export function withCardGivenUp(record: RequestRecord, code: string): RequestRecord {
  const bare = withDelivery(record, CARD, (delivery) => givenUp(delivery, code));
  return withRepliesToRequester(bare);
}

/** Directs the replies that were not tried yet to the requester, because nobody can read them in the thread of the card. */
export function withRepliesToRequester(record: RequestRecord): RequestRecord {
  const messages = record.messages.map((message) => {
    const isToGo = message.type === 'reply' && message.delivery.status === 'owed';
    return isToGo ? { ...message, to: 'requester' as const } : message;
  });
  return { ...record, messages };
}

/**
 * Schedules the next call: with a backoff after a call that was not received; at once, with a new expiry, after a
 * person's decision.
 */
function callAfter({ call }: RequestRecord, cause: TransitionCause, now: number): RequestRecord['call'] {
  if (cause.type === 'answer' && cause.answer.type === 'not_received') {
    const { why, retryAfterMs = 0 } = cause.answer;
    return { ...call, waiting: why, notBefore: retryAt(now, call.attempts, retryAfterMs) };
  }
  return { ...call, waiting: undefined, notBefore: now };
}

function withStep(record: RequestRecord, state: State, cause: Cause, now: number): RequestRecord {
  const step: Step = { n: record.steps.length + 1, state, at: now, cause };
  const reply = replyTo(record, step);
  if (isAnnounced(cause)) return withServiceStep(record, step, reply);
  const isTold = STATES[state].reply !== 'none' || SENDS.has(cause.type);
  const messages = isTold ? withReplyOwed(record, reply) : record.messages;
  return { ...record, steps: [...record.steps, step], messages };
}

/** Causes by which people send a request on: the thread tells who it was, even if the state has no reply. */
const SENDS: ReadonlySet<Cause['type']> = new Set(['decision', 'person']);

const replyTo = (record: RequestRecord, step: Step): Reply =>
  newReply(step.n, placeOfReply(record, step), step.at);

/**
 * The first place of the reply to a step: the thread, or the requester if there is no card or the step says that they made a
 * mistake. The reply of an ended request does not wait for a card that is not posted yet, or in doubt.
 */
export function placeOfReply(record: RequestRecord, step: Step): 'thread' | 'requester' {
  const { delivery } = cardOf(record);
  const hasThread = delivery.status === 'posted' || (isPending(delivery) && STATES[step.state].slot);
  return hasThread && !isOwnMistake(record, step) ? 'thread' : 'requester';
}

/** Adds a reply. Replies are posted in order, so an earlier one that waits because Slack has refused it is tried again now. */
const withReplyOwed = ({ messages }: RequestRecord, reply: Reply): RequestMessage[] => [
  ...messages.map((message) => (message.type === 'reply' ? dueBy(message, reply.at) : message)),
  reply,
];

function dueBy(reply: Reply, at: number): Reply {
  const { delivery } = reply;
  if (delivery.status !== 'owed') return reply;
  return { ...reply, delivery: { ...delivery, notBefore: Math.min(delivery.notBefore, at) } };
}

/** Adds a reply to the current step, whose state has none. It waits for the card, if that is to be posted. */
export function withReply(record: RequestRecord): RequestRecord {
  const { n, at } = currentStep(record);
  return { ...record, messages: withReplyOwed(record, newReply(n, 'thread', at)) };
}

/** The number of replies about the service's words that are posted one by one. Later ones share a reply. */
const REPLIES_ONE_BY_ONE = 20;

/** Adds the step of a change of the service and its reply, or lets the last step absorb it. */
function withServiceStep(record: RequestRecord, added: Step, reply: Reply): RequestRecord {
  const { steps, revision } = record;
  const former = reusableReply(record);
  if (!former) {
    const current = withoutOvertakenReply(record, added);
    const told = steps.filter((step) => isWordOfService(step) && replyOf(current, step));
    const upkeep = { ...newUpkeep(added.at), revision: revision + 1 };
    const kept = told.length < REPLIES_ONE_BY_ONE ? reply : { ...reply, upkeep };
    return { ...current, steps: [...steps, added], messages: withReplyOwed(current, kept) };
  }
  const { n, flips, ...last } = currentStep(record);
  const absorbed = { ...added, n, flips: isSameEvent(last, added) ? flips : (flips ?? 0) + 1 };
  const changed: Reply = {
    ...dueBy(former, added.at),
    at: added.at,
    refusedAt: undefined,
    // A thread that took no reply before takes none now, and a posted reply stays where it is.
    to: former.to === 'thread' && former.delivery.status === 'owed' ? reply.to : former.to,
    upkeep: former.upkeep && { ...former.upkeep, revision: revision + 1 },
  };
  const next = withMessage(record, former.key, () => changed);
  return { ...next, steps: [...steps.slice(0, -1), absorbed] };
}

/**
 * Drops the reply about the answer to a call, if an event that waited for it overtakes it in the same write: two mentions at once
 * would contradict each other. A review mentions nobody, and its outcome follows it.
 */
function withoutOvertakenReply(record: RequestRecord, { at }: Step): RequestRecord {
  const step = currentStep(record);
  const reply = replyOf(record, step);
  const mayBeOvertaken = step.cause.type === 'answer' && step.at === at && step.state !== 'under_review';
  if (!mayBeOvertaken || !reply || !isUnread(record, reply)) return record;
  return { ...record, messages: record.messages.filter((message) => message !== reply) };
}

/**
 * Returns the reply of the last step if that step absorbs the next change of the service: as long as nobody can have read the
 * reply or, after many replies, as long as the reply is kept up to date. A step that is no announcement of the service absorbs
 * nothing: what the service says after an act of a person is news.
 */
function reusableReply(record: RequestRecord): Reply | undefined {
  const step = currentStep(record);
  const reply = replyOf(record, step);
  if (!reply || !isAnnounced(step.cause)) return undefined;
  // Nobody would read the next change in a reply that was given up.
  if (reply.delivery.status === 'given_up') return undefined;
  return reply.upkeep || isUnread(record, reply) ? reply : undefined;
}

/** Whether Slack can't have received the reply: it is not being posted, and no attempt at it is in doubt. */
const isUnread = (record: RequestRecord, { key, delivery }: Reply): boolean =>
  delivery.status === 'owed' && delivery.tidies === undefined && !isUnderWay(record, key);

/** Postpones a call that must not be made now, because of a rate limit or because others have just failed. */
export function withCallPutOff(record: RequestRecord, reason: WaitingReason, until: number): RequestRecord {
  // Only a call that was tried itself has shown that the service could not be reached.
  const wasTried = record.call.waiting === reason;
  const why = reason === 'unreachable' && !wasTried ? 'failing' : reason;
  const revision = record.call.waiting === why ? record.revision : record.revision + 1;
  return { ...record, revision, call: { ...record.call, waiting: why, notBefore: until } };
}

/** Whether the card changes visibly. The call itself and repeated tries for the same cause are not shown. */
function isSeen(record: RequestRecord, state: State, cause: Cause): boolean {
  if (state === 'calling') return false;
  const answer = cause.type === 'answer' ? cause.answer : undefined;
  return answer?.type !== 'not_received' || answer.why !== record.call.waiting;
}

/** The step by which a decision queued the record, ignoring calls that were not received. */
export const decidedStep = (record: RequestRecord): Step =>
  record.steps.findLast(({ state, cause }) => state === 'queued' && cause.type !== 'answer') ??
  currentStep(record);

/** The time at which a decision queued the record. */
export const queuedSince = (record: RequestRecord): number => decidedStep(record).at;

/** Counts how often the service has changed its word up to a step; its first word is no change. */
export function changesUpTo({ steps }: RequestRecord, { n }: Step): number {
  const words = steps
    .filter((step) => step.n <= n && isWordOfService(step))
    .filter((step, i, all) => !isSameEvent(all[i - 1], step))
    .reduce((sum, { flips = 0 }) => sum + 1 + flips, 0);
  return words - 1;
}

/** Whether a step applies the same event by which the step before took back a word: both are one change. */
const isSameEvent = (former: Pick<Step, 'cause'> | undefined, { cause }: Step): boolean =>
  former?.cause.type === 'reconsidered' &&
  cause.type === 'event' &&
  cause.event.digest === former.cause.event.digest;
