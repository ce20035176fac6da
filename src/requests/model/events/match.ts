/** Which record an event of the service belongs to. Events carry an order id and no request id (design). Pure. */
import type { ServiceEvent } from '../cause.ts';
import { receivedAt } from '../facts/receipt.ts';
import type { RequestRecord } from '../record.ts';

/** How far the service's `requestedAt` and an event's `createdAt` may lie apart and still be the same moment. */
const SAME_MOMENT_MS = 2_000;

/**
 * @param records those of the event's workspace and target, in whatever case that is spelled, the newest first
 * @returns the record with the event's time of creation, else the newest that was called and is not younger than the
 *   event. A call under way may always be the one that is meant: its answer will tell. An id that is spelled otherwise
 *   may be another order, so then the time must be the same; but the time tells more than the spelling.
 */
export function ownerOf(event: ServiceEvent, records: readonly RequestRecord[]): RequestRecord | undefined {
  const called = records.filter((record) => receivedAt(record) !== undefined);
  const exact = called.filter((record) => isSpelledSo(record, event));
  return (
    exact.find((record) => isSameMoment(record, event)) ??
    called.find((record) => isSameMoment(record, event)) ??
    called.find((record) => record.state === 'calling') ??
    exact.find((record) => !isYounger(record, event))
  );
}

/** Whether an event that was held during the call is about what the call led to. */
export function belongsTo(event: ServiceEvent, record: RequestRecord): boolean {
  if (receivedAt(record) === undefined) return false;
  return isSameMoment(record, event) || (isSpelledSo(record, event) && !isYounger(record, event));
}

/** Whether an event is about something that happened after a request was made; one without a time may be old. */
export function isSince(
  { createdAt, updatedAt = createdAt }: ServiceEvent,
  { askedAt }: RequestRecord,
): boolean {
  return updatedAt !== undefined && updatedAt + SAME_MOMENT_MS >= askedAt;
}

export const isSpelledSo = ({ target }: RequestRecord, event: ServiceEvent): boolean =>
  target === event.target;

function isSameMoment(record: RequestRecord, event: ServiceEvent): boolean {
  const { requestedAt } = record.call;
  if (requestedAt === undefined || event.createdAt === undefined) return false;
  return Math.abs(requestedAt - event.createdAt) <= SAME_MOMENT_MS;
}

function isYounger(record: RequestRecord, { createdAt, updatedAt }: ServiceEvent): boolean {
  const at = createdAt ?? updatedAt;
  const called = receivedAt(record) ?? Number.POSITIVE_INFINITY;
  return at !== undefined && called > at + SAME_MOMENT_MS;
}

/** Whether all that an event tells had happened before a moment; one without a time of change may be about anything since. */
export function isBefore({ createdAt, updatedAt }: ServiceEvent, moment: number): boolean {
  return updatedAt !== undefined && Math.max(updatedAt, createdAt ?? updatedAt) + SAME_MOMENT_MS < moment;
}
