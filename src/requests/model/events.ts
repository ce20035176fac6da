/**
 * Applies an event of the service to its request (event-owner.ts finds that), if the event is newer and no repeat. Events that must
 * wait for the answer to a call are kept in the record, within a limit.
 */
import type { Cause, ServiceEvent } from './cause.ts';
import { isAt, isOwnEvent, SAME_MOMENT_MS } from './event-owner.ts';
import { currentStep, type RequestRecord } from './record.ts';
import { outcomeSaid, STATES } from './states.ts';
import { isPossiblyReceivedCall, isRecorded, isWordOfService } from './summary.ts';
import { transition } from './transition.ts';

/**
 * `unchanged`: the event is newer but says the same as the record. `full`: nothing was stored, and the service must send the
 * event again.
 */
export type EventResult = 'applied' | 'unchanged' | 'buffered' | 'repeated' | 'stale' | 'full';

/** Applies an event, or keeps it. */
export function applyEvent(
  record: RequestRecord,
  event: ServiceEvent,
  now: number,
): { result: EventResult; record: RequestRecord } {
  if (mustWait(record, event)) {
    const waiting = buffer(record, event);
    const known = waiting.result === 'buffered' && reconsidered(waiting.record, event, now);
    return known ? { result: 'applied', record: known } : waiting;
  }
  const against = compare(record, event);
  if (against !== 'newer') return { result: against, record: withRejected(record, event) };
  const known = withApplied(record, event);
  const moved = transition(known, { type: 'event', event }, now);
  // The last call may not be in doubt any more.
  if (moved) return { result: 'applied', record: applyAll(moved, moved.bufferedEvents, now) };
  if (event.word === record.word) return { result: 'unchanged', record: known };
  return { result: 'applied', record: { ...known, word: event.word, revision: record.revision + 1 } };
}

/** Applies the buffered events after a call, in order of arrival, and returns those that belong elsewhere. */
export function applyBufferedEvents(
  record: RequestRecord,
  now: number,
): { record: RequestRecord; unmatched: ServiceEvent[] } {
  const { own = [], unmatched = [] } = Object.groupBy(record.bufferedEvents, (event) =>
    isOwnEvent(record, event) ? 'own' : 'unmatched',
  );
  return { unmatched, record: applyAll(record, own, now) };
}

/** Applies events in order. Events that must wait are the new buffer. */
function applyAll(record: RequestRecord, events: readonly ServiceEvent[], now: number): RequestRecord {
  const free: RequestRecord = { ...record, bufferedEvents: [] };
  return events.reduce((next, event) => applyEvent(next, event, now).record, free);
}

/**
 * Whether an event must wait: for the answer to a call that is under way; or because it is about an earlier call, and
 * nobody knows whether the service has the last one. A cancellation applies anyway: the order is cancelled, whichever
 * call did it. One that is outdated has no need to wait.
 */
function mustWait(record: RequestRecord, event: ServiceEvent): boolean {
  if (record.state === 'calling') return true;
  if (!isLastCallInDoubt(record) || !isAboutEarlierCall(record, event)) return false;
  return !saysCanceled(event) && compareWithService(record, event) === 'newer';
}

/** The record after an event that must wait, but takes back what the service itself has said; undefined if it does not. */
function reconsidered(record: RequestRecord, event: ServiceEvent, now: number): RequestRecord | undefined {
  const isOwnWord = isWordOfService(currentStep(record));
  return isOwnWord ? transition(record, { type: 'reconsidered', event }, now) : undefined;
}

export const saysCanceled = ({ status }: ServiceEvent): boolean => outcomeSaid(status) === 'done';

/** Whether nothing has told what became of the last call that may have been received: no answer, and no event about it since. */
function isLastCallInDoubt(record: RequestRecord): boolean {
  const last = record.steps.findLast(isPossiblyReceivedCall);
  const isTold = record.steps.some(
    ({ n, cause }) =>
      n > (last?.n ?? 0) && cause.type === 'event' && !isAboutEarlierCall(record, cause.event),
  );
  return last?.callResult !== 'answered' && !isTold;
}

function isAboutEarlierCall({ steps }: RequestRecord, event: ServiceEvent): boolean {
  const calls = steps.filter(isPossiblyReceivedCall);
  const last = calls.pop();
  if (!last || calls.length === 0 || !isBefore(event, last.at)) return false;
  const { status, createdAt } = event;
  if (status === 'denied' || createdAt === undefined) return true;
  // The service tells of a new request at once. Its clock may be behind ours, so the nearer call is meant.
  return calls.some(({ at }) => Math.abs(at - createdAt) < Math.abs(last.at - createdAt));
}

/** Compares an event with what the record knows. */
const compare = (record: RequestRecord, event: ServiceEvent): 'newer' | 'repeated' | 'stale' =>
  isBeforeRecording(record, event) ? 'stale' : compareWithService(record, event);

/** Compares an event with what the service has said, whatever a person has recorded. */
function compareWithService(record: RequestRecord, event: ServiceEvent): 'newer' | 'repeated' | 'stale' {
  if (event.topic === 'created' && STATES[record.state].outcome) return 'stale';
  if (isBeforeCall(record, event)) return 'stale';
  if (isApplied(record, event)) return 'repeated';
  if (isDoneByAnother(record, event)) return 'stale';
  const { last } = record.appliedEvents;
  return last ? compareEvents(event, last) : 'newer';
}

/**
 * Whether a pending event is older than the outcome that a person recorded: only a later event may question an outcome. (A
 * recorded review is confirmed by any pending event.)
 */
function isBeforeRecording(record: RequestRecord, { status, updatedAt }: ServiceEvent): boolean {
  const step = currentStep(record);
  const isOutcome = isRecorded(step) && STATES[step.state].outcome !== undefined;
  return isOutcome && status === 'pending' && (updatedAt ?? 0) <= step.at;
}

/** Whether an event predates the last call, so it says nothing about that call. */
const isBeforeCall = ({ call: { requestedAt }, steps }: RequestRecord, event: ServiceEvent): boolean =>
  requestedAt !== undefined &&
  isBefore(event, bounded(requestedAt, steps.findLast(isPossiblyReceivedCall)?.at));

/**
 * Whether the word about another call is that the order is cancelled: that this one was denied, or is under review, changes nothing.
 * A word that the interface does not list may mean anything.
 */
function isDoneByAnother(record: RequestRecord, event: ServiceEvent): boolean {
  const { state, cause } = currentStep(record);
  if (STATES[state].outcome !== 'done' || saysCanceled(event) || event.status === 'accepted') return false;
  const requestedAt = requestedAtOf(cause);
  const { createdAt } = event;
  return requestedAt !== undefined && createdAt !== undefined && !isAt(requestedAt, createdAt);
}

/** The service's time of the request that its word is about; undefined if that is unknown. */
function requestedAtOf(cause: Cause): number | undefined {
  if (cause.type === 'event') return cause.event.createdAt;
  return cause.type === 'answer' && cause.answer.type === 'said' ? cause.answer.requestedAt : undefined;
}

/**
 * Remembers an event that does not count because of what a person recorded: if it comes again, it changes nothing, whatever
 * they have recorded by then. What it says is still the newest word of the service: an older one that arrives later is outdated.
 */
function withRejected(record: RequestRecord, event: ServiceEvent): RequestRecord {
  if (!isRecorded(currentStep(record)) || isApplied(record, event)) return record;
  const next = withDigest(record, event);
  const { updatedAt, arrivedAt, status, word } = event;
  if (updatedAt === undefined || compareWithService(record, event) !== 'newer') return next;
  return { ...next, appliedEvents: { ...next.appliedEvents, last: { updatedAt, arrivedAt, status, word } } };
}

/**
 * Remembers an event that is applied. Its time of the request counts if the answer with that never arrived: later events are
 * matched by it.
 */
function withApplied(record: RequestRecord, event: ServiceEvent): RequestRecord {
  const { createdAt, updatedAt, arrivedAt, status, word } = event;
  const next = withDigest(record, event);
  const seen =
    updatedAt === undefined ? { hasUntimed: true } : { last: { updatedAt, arrivedAt, status, word } };
  return {
    ...next,
    call: { ...record.call, requestedAt: record.call.requestedAt ?? createdAt },
    appliedEvents: { ...next.appliedEvents, ...seen },
  };
}

/** An event that others are compared with. */
type Former = Pick<ServiceEvent, 'status' | 'word' | 'updatedAt' | 'arrivedAt'>;

/** Compares an event with a former one by (updatedAt, status). Without a time the order is that of arrival. */
function compareEvents(event: ServiceEvent, former: Former): 'newer' | 'repeated' | 'stale' {
  const { updatedAt } = event;
  if (updatedAt === undefined || former.updatedAt === undefined) return 'newer';
  if (updatedAt !== former.updatedAt) {
    const isNewer = latestOf(updatedAt, event.arrivedAt) >= bounded(former.updatedAt, former.arrivedAt);
    return isNewer ? 'newer' : 'stale';
  }
  if (event.status === former.status && event.word === former.word) return 'repeated';
  // At equal times a decision beats everything else, and nothing beats a decision.
  return isDecision(event) && !isDecision(former) ? 'newer' : 'stale';
}

/** Whether two events say the same: one was sent twice, or the order was cancelled once and two events tell of it. */
export const isRepeat = (event: ServiceEvent, former: ServiceEvent): boolean =>
  event.digest === former.digest || compareEvents(event, former) === 'repeated';

const isDecision = ({ status }: Pick<ServiceEvent, 'status'>): boolean => outcomeSaid(status) !== undefined;

const MOST_BUFFERED = 50;

/** Keeps the newest event of each request of the service, which `createdAt` tells apart. */
function buffer(record: RequestRecord, event: ServiceEvent): { result: EventResult; record: RequestRecord } {
  const { bufferedEvents } = record;
  if (isApplied(record, event) || bufferedEvents.some(({ digest }) => digest === event.digest))
    return { result: 'repeated', record };
  const former = bufferedEvents.find((each) => isOfSameRequest(each, event));
  if (!former) {
    if (bufferedEvents.length >= MOST_BUFFERED) return { result: 'full', record };
    return { result: 'buffered', record: { ...record, bufferedEvents: [...bufferedEvents, event] } };
  }
  const isOutdated = event.topic === 'created' && isDecision(former);
  const against = isOutdated ? 'stale' : compareEvents(event, former);
  if (against !== 'newer') return { result: against, record };
  const others = bufferedEvents.filter((each) => each !== former);
  // The former event counts as applied: it changes nothing if it comes again.
  const next = withDigest(record, former);
  return { result: 'buffered', record: { ...next, bufferedEvents: [...others, event] } };
}

/** Without `createdAt` two events may be about two requests. */
const isOfSameRequest = (one: ServiceEvent, other: ServiceEvent): boolean =>
  one.createdAt !== undefined && one.createdAt === other.createdAt && one.target === other.target;

/** The number of digests kept to recognize redeliveries. */
const DIGESTS_KEPT = 100;

/** Hex digits kept of a digest: enough to tell the events of one request apart. A hundred whole digests would be long. */
const DIGITS_KEPT = 16;

/** Whether an event is a repeat of one of the last that were applied. */
function isApplied({ appliedEvents }: RequestRecord, { digest }: ServiceEvent): boolean {
  const beginning = beginningOf(digest);
  return appliedEvents.digests.some((kept) => kept.startsWith(beginning));
}

function withDigest(record: RequestRecord, { digest }: ServiceEvent): RequestRecord {
  const { appliedEvents } = record;
  const digests = [...appliedEvents.digests, beginningOf(digest)].slice(-DIGESTS_KEPT);
  return { ...record, appliedEvents: { ...appliedEvents, digests } };
}

/** A copy: `JSON.stringify` takes 2.5 times as long for a record that holds a slice of another text (a `SlicedString` of V8). */
const beginningOf = (digest: string): string => Buffer.from(digest.slice(0, DIGITS_KEPT)).toString();

/** Whether everything in an event happened before a moment. An event without a time of change may be newer. */
function isBefore({ createdAt, updatedAt, arrivedAt }: ServiceEvent, moment: number): boolean {
  if (updatedAt === undefined) return false;
  return latestOf(Math.max(updatedAt, createdAt ?? updatedAt), arrivedAt) + SAME_MOMENT_MS < moment;
}

/** The largest difference between a service's clock and ours that is believed. */
const AHEAD_MS = 10 * 60_000;

/** The time by which an arriving event is compared: at most ten minutes after its first arrival by the store's clock. */
const latestOf = (time: number, arrivedAt: number | undefined): number =>
  arrivedAt === undefined ? time : Math.min(time, arrivedAt + AHEAD_MS);

/**
 * The time with which later events are compared. A time that is years ahead must not make them stale, not even for ten
 * minutes, so the first arrival by the store's clock counts instead of it.
 */
export function bounded(time: number, arrivedAt: number | undefined): number {
  return arrivedAt !== undefined && time > arrivedAt + AHEAD_MS ? arrivedAt : time;
}
