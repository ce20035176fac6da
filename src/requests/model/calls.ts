/**
 * Tells the calls of a request apart: the ones that the service may have received, in order of time, and what it has said of
 * each. A call that a failover has undone is one of them, although it may have no step (`call.undone`).
 */
import type { Answer, ServiceEvent } from './cause.ts';
import { bounded, isAt, isBefore } from './event-order.ts';
import type { Call, Heard, RequestRecord } from './record.ts';
import { outcomeSaid } from './states.ts';
import { isPossiblyReceivedCall } from './summary.ts';

/** The calls that the service may have received, the oldest first. */
export const callsOf = ({ steps, call }: RequestRecord): readonly Call[] =>
  [...steps.filter(isPossiblyReceivedCall), ...(call.undone ?? [])].toSorted((a, b) => a.at - b.at);

/** The start of the first call that the service received or may have received. */
export const receivedAt = (record: RequestRecord): number | undefined => callsOf(record)[0]?.at;

/** The service's times of the calls, as far as they are known, the oldest first. */
export const requestTimes = (record: RequestRecord): number[] =>
  callsOf(record).flatMap(({ heard }) => heard?.requestedAt ?? []);

/**
 * The calls that an event may be about: all, if nothing tells. `createdAt` names a call by the service's time of it or, if that
 * is unknown, by ours. The only call is meant in any case: the service's times may differ.
 */
export function callsMeant(record: RequestRecord, event: ServiceEvent): readonly Call[] {
  const calls = callsOf(record);
  const { createdAt } = event;
  const named = calls.filter(
    ({ at, heard }) => createdAt !== undefined && isAt(heard?.requestedAt ?? at, createdAt),
  );
  if (named.length > 0) return named;
  const earlier = calls.slice(0, -1);
  const last = calls.at(-1);
  return last && earlier.length > 0 && isAboutEarlier(event, earlier, last) ? earlier : calls;
}

/** Whether an event that names no call is about one before the last, as it is older than that. */
function isAboutEarlier(event: ServiceEvent, earlier: readonly Call[], last: Call): boolean {
  if (last.heard?.requestedAt !== undefined) return isFromBefore(last, event);
  if (!isBefore(event, last.at)) return false;
  const { status, createdAt } = event;
  if (status === 'denied' || createdAt === undefined) return true;
  // The service tells of a new request at once. Its clock may be behind ours, so the nearer call is meant.
  return earlier.some(({ at }) => Math.abs(at - createdAt) < Math.abs(last.at - createdAt));
}

/** Whether an event predates the service's time of a call, so it says nothing about that call. */
export const isFromBefore = ({ at, heard }: Call, event: ServiceEvent): boolean =>
  heard?.requestedAt !== undefined && isBefore(event, bounded(heard.requestedAt, at));

/** Whether an event is about an earlier call, and nobody knows what became of the last one, which was made after the event. */
export function isBeforeDoubt(record: RequestRecord, event: ServiceEvent): boolean {
  const last = callsOf(record).at(-1);
  const isInDoubt = last !== undefined && last.heard?.said === undefined;
  return isInDoubt && isBefore(event, last.at) && !callsMeant(record, event).includes(last);
}

/** Whether a call has cancelled the order, or sent the offer. @param but calls that don't count */
export const isAnyDone = (record: RequestRecord, { but }: { but: readonly Call[] }): boolean =>
  callsOf(record).some((call) => !but.includes(call) && isDone(call));

export const isDone = ({ heard }: Call): boolean =>
  heard?.said !== undefined && outcomeSaid(heard.said) === 'done';

/** Adds to what is known of some of the calls. */
export function withHeard(
  record: RequestRecord,
  about: readonly Call[],
  add: (heard: Heard) => Heard,
): RequestRecord {
  const added = <C extends Call>(call: C): C =>
    about.includes(call) ? { ...call, heard: add(call.heard ?? {}) } : call;
  const undone = record.call.undone?.map(added);
  return {
    ...record,
    steps: record.steps.map(added),
    call: undone ? { ...record.call, undone } : record.call,
  };
}

/** What the answer to a call says of it. That the service only took the request leaves open what becomes of it. */
export const heardIn = ({ status, requestedAt }: Extract<Answer, { type: 'said' }>): Heard => ({
  ...(requestedAt !== undefined && { requestedAt }),
  ...(status !== 'accepted' && { said: status }),
});
