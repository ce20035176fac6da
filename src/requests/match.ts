/** Which record an event of the service belongs to. Events carry an order id and no request id (design). Pure. */
import type { ServiceEvent } from './cause.ts';
import { type RequestRecord, receivedAt } from './record.ts';

/** How far the service's `requestedAt` and an event's `createdAt` may lie apart and still be the same moment. */
const SAME_MOMENT_MS = 2_000;

/**
 * @param records those of the event's workspace and target, the newest first
 * @returns the record with the event's time of creation, else the newest that was called and is not younger than the
 *   event. A call under way may always be the one that is meant: its answer will tell.
 */
export function ownerOf(event: ServiceEvent, records: readonly RequestRecord[]): RequestRecord | undefined {
  const called = records.filter((record) => receivedAt(record) !== undefined);
  return (
    called.find((record) => isSameMoment(record, event)) ??
    called.find((record) => record.state === 'calling' || !isYounger(record, event))
  );
}

/** Whether an event that was held during the call is about what the call led to. */
export function belongsTo(event: ServiceEvent, record: RequestRecord): boolean {
  return receivedAt(record) !== undefined && (isSameMoment(record, event) || !isYounger(record, event));
}

function isSameMoment(record: RequestRecord, event: ServiceEvent): boolean {
  const { requestedAt } = record.call;
  if (requestedAt === undefined || event.createdAt === undefined) return false;
  return Math.abs(requestedAt - event.createdAt) <= SAME_MOMENT_MS;
}

function isYounger(record: RequestRecord, event: ServiceEvent): boolean {
  const called = receivedAt(record) ?? Number.POSITIVE_INFINITY;
  return event.createdAt !== undefined && called > event.createdAt + SAME_MOMENT_MS;
}
