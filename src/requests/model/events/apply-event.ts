/** Applies an event of the service to the record that it belongs to. */
import type { ServiceEvent } from '../cause.ts';
import { isCall, mayBeReceived } from '../facts/receipt.ts';
import type { Kind } from '../kinds.ts';
import { currentStep, type RequestRecord, type Step } from '../record.ts';
import { STATES } from '../states.ts';
import { transition } from '../transition.ts';
import { belongsTo, isBefore } from './match.ts';

/** An event of the service, and the kind of request that its topic concerns. */
export type IncomingEvent = { workspace: string; kind: Kind; event: ServiceEvent };

/** `unchanged`: the event is newer but says the same as the record. */
export type EventResult = 'applied' | 'buffered' | 'repeated' | 'stale' | 'unchanged';

/** The number of digests kept to recognize events without a time. */
const DIGESTS_KEPT = 100;

/** @param now epoch milliseconds by the store's clock */
export function applyEvent(
  record: RequestRecord,
  event: ServiceEvent,
  now: number,
): { result: EventResult; record: RequestRecord } {
  if (record.state === 'calling') return buffer(record, event);
  if (isOfCallBeforeDoubtful(record, event))
    return isDoubtOver(record) ? { result: 'stale', record } : buffer(record, event);
  const against = compare(record, event);
  if (against !== 'newer') return { result: against, record };
  const call = { ...record.call, ...timeOf(record, event) };
  const known = { ...record, call, appliedEvents: remember(record, event) };
  const moved = transition(known, { type: 'event', event }, now);
  // A newer event decides what has waited in the buffer.
  if (moved) return { result: 'applied', record: applyAll(moved, moved.bufferedEvents, now) };
  const said = { ...known, word: event.word };
  if (said.word === record.word) return { result: 'unchanged', record: known };
  return { result: 'applied', record: { ...said, revision: record.revision + 1 } };
}

/** Applies the buffered events after a call, in order of arrival, and returns those that belong elsewhere. */
export function applyBufferedEvents(
  record: RequestRecord,
  now: number,
): { record: RequestRecord; unmatched: ServiceEvent[] } {
  const free = { ...record, bufferedEvents: [] };
  const unmatched = record.bufferedEvents.filter((event) => !belongsTo(event, free));
  const own = record.bufferedEvents.filter((event) => belongsTo(event, free));
  return { unmatched, record: applyAll(free, own, now) };
}

/** Applies events in order; those that must wait stay in the buffer. */
function applyAll(record: RequestRecord, events: readonly ServiceEvent[], now: number): RequestRecord {
  const free: RequestRecord = { ...record, bufferedEvents: [] };
  return events.reduce((next, event) => applyEvent(next, event, now).record, free);
}

const isDone = ({ status }: ServiceEvent) => status === 'approved' || status === 'canceled';

/**
 * Whether an event is about an earlier call, while nobody knows whether the service has the last one. Then it says nothing
 * about the request, unless it says that the order is as requested.
 */
function isOfCallBeforeDoubtful({ steps }: RequestRecord, event: ServiceEvent): boolean {
  const calls = steps.filter(isCall);
  const last = calls.at(-1);
  const isDoubtful = last && (last.callResult === undefined || last.callResult === 'accepted');
  if (!isDoubtful || isDone(event) || !isBefore(event, last.at)) return false;
  // The service's clock may differ from ours: the event is about the call that is nearest to its creation.
  const { createdAt = event.updatedAt ?? last.at } = event;
  const distance = ({ at }: Step) => Math.abs(at - createdAt);
  return calls.slice(0, -1).some((call) => mayBeReceived(call) && distance(call) < distance(last));
}

/** Whether the service or a person has told what became of the request since its last call. */
function isDoubtOver({ state, steps }: RequestRecord): boolean {
  const since = steps.slice(steps.findLastIndex(isCall) + 1);
  return (
    !STATES[state].beforeCall && since.some(({ cause }) => cause.type === 'event' || cause.type === 'person')
  );
}

function buffer(record: RequestRecord, event: ServiceEvent): { result: EventResult; record: RequestRecord } {
  if (record.bufferedEvents.some(({ digest }) => digest === event.digest))
    return { result: 'repeated', record };
  return { result: 'buffered', record: { ...record, bufferedEvents: [...record.bufferedEvents, event] } };
}

/** Compares an event with the last applied one by (updatedAt, status). */
function compare(record: RequestRecord, event: ServiceEvent): 'newer' | 'repeated' | 'stale' {
  if (event.topic === 'created' && STATES[record.state].outcome) return 'stale';
  if (isBeforeRecording(record, event) || isBeforeCall(record, event)) return 'stale';
  if (event.updatedAt === undefined) {
    return record.appliedEvents.digests.includes(event.digest) ? 'repeated' : 'newer';
  }
  const { last } = record.appliedEvents;
  if (!last || event.updatedAt > last.updatedAt) return 'newer';
  if (event.updatedAt < last.updatedAt) return 'stale';
  if (event.status === last.status && event.word === last.word) return 'repeated';
  // At equal times a decision beats everything else, and nothing beats a decision.
  return isDecision(event) && !isDecision(last) ? 'newer' : 'stale';
}

const isDecision = ({ status }: Pick<ServiceEvent, 'status'>) =>
  status !== 'pending' && status !== 'accepted';

/** Whether a pending event is older than the outcome that a person recorded. Only a later event may question it. */
function isBeforeRecording(record: RequestRecord, { status, updatedAt }: ServiceEvent): boolean {
  const { at, cause } = currentStep(record);
  const isRecorded = cause.type === 'person' && STATES[record.state].outcome !== undefined;
  return isRecorded && status === 'pending' && (updatedAt ?? 0) <= at;
}

/** Whether an event predates the last call, so it says nothing about that call. */
const isBeforeCall = ({ call: { requestedAt } }: RequestRecord, event: ServiceEvent): boolean =>
  requestedAt !== undefined && isBefore(event, requestedAt);

function remember({ appliedEvents }: RequestRecord, event: ServiceEvent): RequestRecord['appliedEvents'] {
  const { updatedAt, status, word } = event;
  if (updatedAt === undefined)
    return { ...appliedEvents, digests: [...appliedEvents.digests, event.digest].slice(-DIGESTS_KEPT) };
  return { ...appliedEvents, last: { updatedAt, status, ...(word === undefined ? {} : { word }) } };
}

/** Takes the time of the request from an event if its answer never arrived. Later events are matched by it. */
function timeOf(record: RequestRecord, { createdAt }: ServiceEvent): { requestedAt?: number } {
  return record.call.requestedAt === undefined && createdAt !== undefined ? { requestedAt: createdAt } : {};
}
