/** Finds the request that an event of the service belongs to: events carry an order id and no request id. */
import { receivedAt, requestTimes } from './calls-made.ts';
import type { ServiceEvent } from './cause.ts';
import { isAt, SAME_MOMENT_MS } from './event-order.ts';
import type { Kind } from './kinds.ts';
import type { RequestRecord } from './record.ts';

/** An event of the service, and the kind of request that its topic concerns. */
export type IncomingEvent = { workspace: string; kind: Kind; event: ServiceEvent };

/** The number of requests for one order, the newest ones, that an event is matched against. */
export const REQUESTS_CONSIDERED = 50;

/**
 * Finds the request that an event belongs to, among those that were called: the one with the event's time of creation, else the
 * one whose call is under way (its answer will tell), else the newest one that was called before the event. An id in another
 * case of letters may name another order, so it does not suffice for the last rule; a matching time counts more than the case.
 *
 * @param records the records of the event's workspace and target, in any spelling of case, the newest first
 */
export function ownerOf(event: ServiceEvent, records: readonly RequestRecord[]): RequestRecord | undefined {
  const called = records.filter((record) => receivedAt(record) !== undefined);
  const exact = called.filter((record) => hasSameId(record, event));
  return (
    exact.find((record) => isSameMoment(record, event)) ??
    called.find((record) => isSameMoment(record, event)) ??
    called.find((record) => record.state === 'calling') ??
    exact.find((record) => !isYounger(record, event))
  );
}

/** Whether an event is about this request, by what is known so far: unlike in `ownerOf`, a call under way does not count. */
export const isOwnEvent = (record: RequestRecord, event: ServiceEvent): boolean =>
  receivedAt(record) !== undefined &&
  (isSameMoment(record, event) || (hasSameId(record, event) && !isYounger(record, event)));

/** Whether an event describes something that happened after the request was made. An event without a time may be old. */
export function isSince({ createdAt, updatedAt = createdAt }: ServiceEvent, record: RequestRecord): boolean {
  return updatedAt !== undefined && updatedAt + SAME_MOMENT_MS >= record.createdAt;
}

export const hasSameId = ({ target }: RequestRecord, event: ServiceEvent): boolean => target === event.target;

const isSameMoment = (record: RequestRecord, { createdAt }: ServiceEvent): boolean =>
  createdAt !== undefined && requestTimes(record).some((at) => isAt(at, createdAt));

/** Whether the first call that the service may have received was made after the event. */
function isYounger(record: RequestRecord, { createdAt, updatedAt }: ServiceEvent): boolean {
  const at = createdAt ?? updatedAt;
  const called = receivedAt(record) ?? Number.POSITIVE_INFINITY;
  return at !== undefined && called > at + SAME_MOMENT_MS;
}
