/**
 * Applies an event of the service to its request (events-and-calls.ts finds the request), if the event is newer and no repeat. Events
 * that must wait for the answer to a call are kept in the record, within a limit.
 */
import type { ServiceEvent } from './cause.ts';
import {
  callsMeant,
  callsOf,
  compareEvents,
  isAt,
  isBeforeDoubt,
  isDenied,
  isDeniedBefore,
  isDone,
  isFromBefore,
  isOwnEvent,
  isTakenOnly,
  isTold,
  saysCanceled,
  withHeard,
} from './events-and-calls.ts';
import { type Call, currentStep, type Heard, type RequestRecord } from './record.ts';
import { STATES } from './states.ts';
import { isRecorded, isRecordedOutcome, isWordOfService } from './summary.ts';
import { type TransitionCause, transition } from './transition.ts';

/**
 * `unchanged`: the event is newer, but changes nothing that is shown. `full`: nothing was stored, and the service must send the
 * event again.
 */
export type EventResult = 'applied' | 'unchanged' | 'buffered' | 'repeated' | 'stale' | 'full';

/** Applies an event, or keeps it in the record until it can be applied. */
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
  if (isOlderThanOthers(record, event)) return { result: 'stale', record: known };
  const cause = causeOf(record, event);
  const moved = cause && transition(known, cause, now);
  // Buffered events may apply now: the last call may no longer be in doubt.
  if (moved) return { result: 'applied', record: applyAll(moved, moved.bufferedEvents, now) };
  const word = event.word ?? wordOfOthers(record, event);
  if (word === record.word) return { result: 'unchanged', record: known };
  return { result: 'applied', record: { ...known, word, revision: record.revision + 1 } };
}

/**
 * Returns what an event about one call means for the request as a whole: a denial does not end the review of a later call, nor
 * the wait for what becomes of one that the service took.
 *
 * @returns undefined if another call, or a request made elsewhere, has cancelled the order: that outweighs a denial or a review
 *   of this call; or if a person has acted since the service took a later call
 */
function causeOf(record: RequestRecord, event: ServiceEvent): TransitionCause | undefined {
  if (saysCanceled(event)) return { type: 'event', event };
  const meant = callsMeant(record, event);
  const others = callsOf(record).filter((call) => !meant.includes(call));
  if (others.some(isDone) || isDoneElsewhere(record, event)) return undefined;
  const isLater = ({ at }: Call) => meant.length > 0 && meant.every((call) => call.at < at);
  const later = event.status === 'denied' ? others.filter(isLater) : [];
  if (later.some(({ heard }) => heard?.said === 'pending'))
    return { type: 'reconsidered', event, isReviewed: true };
  if (!later.some(isTakenOnly)) return { type: 'event', event };
  // The service takes back only its own word, and not an outcome that a person has recorded.
  return isWordOfService(currentStep(record)) ? { type: 'reconsidered', event } : undefined;
}

/** Whether a request that was made elsewhere has cancelled the order, and the event is not about that request. */
function isDoneElsewhere(record: RequestRecord, { createdAt }: ServiceEvent): boolean {
  const { state, cause } = currentStep(record);
  if (STATES[state].outcome !== 'done' || cause.type !== 'event') return false;
  const { createdAt: elsewhere } = cause.event;
  const isOther = createdAt !== undefined && elsewhere !== undefined && !isAt(elsewhere, createdAt);
  return isOther && callsMeant(record, cause.event).length === 0;
}

/** The unlisted word that the card shows, if it is about a call that the event is not about. */
function wordOfOthers(record: RequestRecord, event: ServiceEvent): string | undefined {
  const meant = callsMeant(record, event);
  const isAbout = (call: Call) => !meant.includes(call) && call.heard?.last?.word === record.word;
  return callsOf(record).some(isAbout) ? record.word : undefined;
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

/** Applies events in order to a record. Those that must wait become its new buffer. */
function applyAll(record: RequestRecord, events: readonly ServiceEvent[], now: number): RequestRecord {
  const free: RequestRecord = { ...record, bufferedEvents: [] };
  return events.reduce((next, event) => applyEvent(next, event, now).record, free);
}

/**
 * Whether an event must wait: for the answer to a call that is under way; or because it is about an earlier call, and
 * nobody knows whether the service has the last one. In the second case a cancellation applies anyway: the order is cancelled,
 * whichever call did it. An outdated event need not wait, either.
 */
function mustWait(record: RequestRecord, event: ServiceEvent): boolean {
  if (record.state === 'calling') return true;
  if (saysCanceled(event) || !isBeforeDoubt(record, event)) return false;
  return compareWithService(record, event) === 'newer' && !isOlderThanOthers(record, event);
}

/** Applies an event that must wait, but takes back what the service itself has said. @returns undefined if it does not */
function reconsidered(record: RequestRecord, event: ServiceEvent, now: number): RequestRecord | undefined {
  if (!isWordOfService(currentStep(record)) || !causeOf(record, event)) return undefined;
  const known = withHeard(record, callsMeant(record, event), (heard) => heardOf(event, heard));
  return transition(known, { type: 'reconsidered', event }, now);
}

/** Compares an event with what the record knows. */
const compare = (record: RequestRecord, event: ServiceEvent): 'newer' | 'repeated' | 'stale' =>
  isBeforeRecording(record, event) ? 'stale' : compareWithService(record, event);

/** Compares an event with what the service has said about the same call, whatever a person has recorded. */
function compareWithService(record: RequestRecord, event: ServiceEvent): 'newer' | 'repeated' | 'stale' {
  const meant = callsMeant(record, event);
  // The outcome may be that of an earlier call, and this the first word about a later one.
  if (event.topic === 'created' && STATES[record.state].outcome && meant.every(isTold)) return 'stale';
  if (isApplied(record, event)) return 'repeated';
  if (meant.length > 0 && meant.every((call) => isFromBefore(call, event))) return 'stale';
  return meant.map((call) => compareWithLast(call, event)).find((each) => each !== 'newer') ?? 'newer';
}

const compareWithLast = ({ heard }: Call, event: ServiceEvent): 'newer' | 'repeated' | 'stale' =>
  heard?.last ? compareEvents(event, heard.last) : 'newer';

/**
 * Whether an event is older than what is known of other calls. A cancellation, and a word that takes a cancellation back, are
 * compared only with words about the same call. The denial of an earlier call makes no word about a later one outdated, and no
 * denial another denial.
 */
function isOlderThanOthers(record: RequestRecord, event: ServiceEvent): boolean {
  const meant = callsMeant(record, event);
  if (saysCanceled(event) || meant.some(isDone)) return false;
  const others = callsOf(record).filter(
    (call) => !(isDenied(call) && event.status === 'denied') && !isDeniedBefore(call, meant),
  );
  return others.some((call) => isFromBefore(call, event) || compareWithLast(call, event) !== 'newer');
}

/**
 * Whether an event tells only of what was before the outcome that a person recorded: that the request was made, or is pending. Only
 * a later event may question an outcome. (A recorded review is confirmed by any pending event.)
 */
function isBeforeRecording(record: RequestRecord, { topic, status, updatedAt }: ServiceEvent): boolean {
  const step = currentStep(record);
  const isOld = topic === 'created' || (status === 'pending' && (updatedAt ?? 0) <= step.at);
  return isRecordedOutcome(step) && isOld;
}

/**
 * Remembers an event that does not count because of what a person recorded: if it comes again, it changes nothing, whatever
 * they have recorded by then. It still is the newest word of the service, so an older event that arrives later is outdated.
 */
function withRejected(record: RequestRecord, event: ServiceEvent): RequestRecord {
  if (!isRecorded(currentStep(record)) || isApplied(record, event)) return record;
  const isNewest = event.updatedAt !== undefined && compareWithService(record, event) === 'newer';
  return isNewest ? withApplied(record, event) : withDigest(record, event);
}

/**
 * Remembers an event that is applied, for the calls that it may be about. If no answer told the service's time of such a call,
 * the event's `createdAt` becomes that time, and later events are matched by it.
 */
function withApplied(record: RequestRecord, event: ServiceEvent): RequestRecord {
  const { createdAt, updatedAt, arrivedAt, status, word } = event;
  const meant = callsMeant(record, event);
  const seen = updatedAt === undefined ? UNTIMED : { last: { updatedAt, arrivedAt, status, word } };
  return withHeard(withDigest(record, event), meant, (heard) => {
    const { requestedAt = createdAt } = heard;
    const isConfirmed =
      heard.requestedAt !== undefined && createdAt !== undefined && isAt(heard.requestedAt, createdAt);
    return { ...heardOf(event, heard), ...seen, requestedAt, ...(isConfirmed && CONFIRMED) };
  });
}

const heardOf = ({ status }: ServiceEvent, heard: Heard): Heard =>
  status === 'accepted' ? heard : { ...heard, said: status };

const CONFIRMED = { isConfirmed: true } as const;
const UNTIMED = { hasUntimed: true } as const;

const MOST_BUFFERED = 50;

/**
 * Keeps the events about each request of the service, which `createdAt` tells apart. A newer one takes the place of a former one
 * only where that makes no difference to what they mean together, applied in turn.
 */
function buffer(record: RequestRecord, event: ServiceEvent): { result: EventResult; record: RequestRecord } {
  const { bufferedEvents } = record;
  if (isApplied(record, event) || bufferedEvents.some(({ digest }) => digest === event.digest))
    return { result: 'repeated', record };
  const formers = bufferedEvents.filter((each) => isOfSameRequest(each, event));
  // A creation may not count, so it makes nothing outdated.
  const against = formers
    .filter(({ topic }) => topic !== 'created')
    .map((each) => compareEvents(event, each))
    .find((each) => each !== 'newer');
  if (against) return { result: against, record };
  const replaced = formers.find((each) => replaces(event, each));
  if (!replaced && bufferedEvents.length >= MOST_BUFFERED) return { result: 'full', record };
  // The former event counts as applied: it changes nothing if it comes again.
  const next = replaced ? withDigest(record, replaced) : record;
  const others = bufferedEvents.filter((each) => each !== replaced);
  return { result: 'buffered', record: { ...next, bufferedEvents: [...others, event] } };
}

/**
 * Whether nothing of a former event is left once the newer one is applied. Both must have a time of change, by which others are
 * compared. A creation may not count, nothing takes back "canceled", and an unlisted word takes back no listed one.
 */
const replaces = (event: ServiceEvent, former: ServiceEvent): boolean =>
  [event, former].every(({ topic, updatedAt }) => topic !== 'created' && updatedAt !== undefined) &&
  former.status !== 'canceled' &&
  (former.status === 'accepted') === (event.status === 'accepted');

/** Whether two events are about the same request of the service. Without `createdAt` nobody knows. */
export const isOfSameRequest = (one: ServiceEvent, other: ServiceEvent): boolean =>
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
  const digests = [...record.appliedEvents.digests, beginningOf(digest)].slice(-DIGESTS_KEPT);
  return { ...record, appliedEvents: { digests } };
}

/** A copy: `JSON.stringify` takes 2.5 times as long for a record that holds a slice of another text (a `SlicedString` of V8). */
const beginningOf = (digest: string): string => Buffer.from(digest.slice(0, DIGITS_KEPT)).toString();
