/** Applies an event of the service to the record it belongs to. Pure. */
import type { ServiceEvent } from '../cause.ts';
import type { Kind } from '../kinds.ts';
import { currentStep, type RequestRecord } from '../record.ts';
import { STATES } from '../states.ts';
import { transition } from '../transition.ts';
import { belongsTo, isBefore } from './match.ts';

/** An event of the service, and the kind of request that events of its topic are about. */
export type Heard = { workspace: string; kind: Kind; event: ServiceEvent };

/** `unchanged`: it is newer, and says what the record says already. */
export type Hearing = 'applied' | 'held' | 'repeated' | 'stale' | 'unchanged';

/** Events without a time are told apart by their bodies; this many are remembered. */
const DIGESTS_KEPT = 100;

/** @param now epoch milliseconds by the store's clock */
export function hear(
  record: RequestRecord,
  event: ServiceEvent,
  now: number,
): { hearing: Hearing; record: RequestRecord } {
  if (record.state === 'calling' || isUnripe(record, event)) return hold(record, event);
  const against = compare(record, event);
  if (against !== 'newer') return { hearing: against, record };
  const call = { ...record.call, ...learn(record, event) };
  const known = { ...record, call, heard: remember(record, event) };
  const moved = transition(known, { type: 'event', event }, now);
  if (moved) return { hearing: 'applied', record: moved };
  const said = { ...known, word: event.word };
  if (said.word === record.word) return { hearing: 'unchanged', record: known };
  return { hearing: 'applied', record: { ...said, revision: record.revision + 1 } };
}

/** The record with the events that were held during its call applied, in their order of arrival, and the others. */
export function applyHeld(
  record: RequestRecord,
  now: number,
): { record: RequestRecord; strays: ServiceEvent[] } {
  const free = { ...record, held: [] };
  const strays = record.held.filter((event) => !belongsTo(event, free));
  const own = record.held.filter((event) => belongsTo(event, free));
  return {
    strays,
    record: own.reduce<RequestRecord>((heard, event) => hear(heard, event, now).record, free),
  };
}

/** That an earlier call was denied says nothing of the last one, as long as nobody knows what became of that one. */
function isUnripe({ steps }: RequestRecord, event: ServiceEvent): boolean {
  const last = steps.findLast(({ state }) => state === 'calling');
  const isInDoubt = last !== undefined && (last.came === undefined || last.came === 'accepted');
  return event.status === 'denied' && isInDoubt && isBefore(event, last.at);
}

function hold(record: RequestRecord, event: ServiceEvent): { hearing: Hearing; record: RequestRecord } {
  if (record.held.some(({ digest }) => digest === event.digest)) return { hearing: 'repeated', record };
  return { hearing: 'held', record: { ...record, held: [...record.held, event] } };
}

/** Design, "Which record an event belongs to": repeats and stale events are told by (updatedAt, status). */
function compare(record: RequestRecord, event: ServiceEvent): 'newer' | 'repeated' | 'stale' {
  if (event.topic === 'created' && STATES[record.state].outcome) return 'stale';
  if (isBeforeRecording(record, event) || isBeforeCall(record, event)) return 'stale';
  if (event.updatedAt === undefined) {
    return record.heard.digests.includes(event.digest) ? 'repeated' : 'newer';
  }
  const { last } = record.heard;
  if (!last || event.updatedAt > last.updatedAt) return 'newer';
  if (event.updatedAt < last.updatedAt) return 'stale';
  if (event.status === last.status && event.word === last.word) return 'repeated';
  // At an equal time a decision beats all else, and nothing beats a decision.
  return isDecision(event) && !isDecision(last) ? 'newer' : 'stale';
}

const isDecision = ({ status }: Pick<ServiceEvent, 'status'>) =>
  status !== 'pending' && status !== 'accepted';

/** The outcome that a person recorded is put in question only by something that happened since. */
function isBeforeRecording(record: RequestRecord, { status, updatedAt }: ServiceEvent): boolean {
  const { at, cause } = currentStep(record);
  const isRecorded = cause.type === 'person' && STATES[record.state].outcome !== undefined;
  return isRecorded && status === 'pending' && (updatedAt ?? 0) <= at;
}

/** What had happened before the service took the last call says nothing of that one. */
const isBeforeCall = ({ call: { requestedAt } }: RequestRecord, event: ServiceEvent): boolean =>
  requestedAt !== undefined && isBefore(event, requestedAt);

function remember({ heard }: RequestRecord, event: ServiceEvent): RequestRecord['heard'] {
  const { updatedAt, status, word } = event;
  if (updatedAt === undefined)
    return { ...heard, digests: [...heard.digests, event.digest].slice(-DIGESTS_KEPT) };
  return { ...heard, last: { updatedAt, status, ...(word === undefined ? {} : { word }) } };
}

/** An event tells when the service was asked, where its answer was never seen: later events are matched by that. */
function learn(record: RequestRecord, { createdAt }: ServiceEvent): { requestedAt?: number } {
  return record.call.requestedAt === undefined && createdAt !== undefined ? { requestedAt: createdAt } : {};
}
