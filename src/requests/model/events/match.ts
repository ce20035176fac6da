/**
 * Matches events to records: events carry an order id and no request id.
 */
import type { ServiceEvent } from '../cause.ts';
import { receivedAt } from '../receipt.ts';
import type { RequestRecord } from '../record.ts';

/** The largest difference between `requestedAt` and an event's `createdAt` that still counts as the same moment. */
const SAME_MOMENT_MS = 2_000;

/**
 * Finds the record that an event belongs to: the one with the event's time of creation, else the newest one that was
 * called and is not younger than the event. A call under way may always be meant, and its answer will tell. An id
 * spelled differently may name another order, so then the time must match; but a matching time counts more than the
 * spelling.
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

/** Whether a buffered event is about the result of this record's call. */
export function belongsTo(event: ServiceEvent, record: RequestRecord): boolean {
  if (receivedAt(record) === undefined) return false;
  return isSameMoment(record, event) || (hasSameId(record, event) && !isYounger(record, event));
}

/**
 * Whether an event describes something that happened after the request was made. An event without a time may be old.
 */
export function isSince({ createdAt, updatedAt = createdAt }: ServiceEvent, record: RequestRecord): boolean {
  return updatedAt !== undefined && updatedAt + SAME_MOMENT_MS >= record.createdAt;
}

export const hasSameId = ({ target }: RequestRecord, event: ServiceEvent): boolean => target === event.target;

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

export const saysCanceled = ({ status }: ServiceEvent): boolean =>
  status === 'approved' || status === 'canceled';

/** Whether everything in an event happened before a moment. An event without a time of change may be newer. */
export function isBefore({ createdAt, updatedAt, arrivedAt }: ServiceEvent, moment: number): boolean {
  if (updatedAt === undefined) return false;
  return latestOf(Math.max(updatedAt, createdAt ?? updatedAt), arrivedAt) + SAME_MOMENT_MS < moment;
}

/** The largest difference between a service's clock and ours that is believed. */
const AHEAD_MS = 10 * 60_000;

/**
 * The time of an event that arrives, for before and after: at most ten minutes after its first arrival.
 *
 * @param arrivedAt when it first arrived, by the store's clock
 */
export const latestOf = (time: number, arrivedAt: number | undefined): number =>
  arrivedAt === undefined ? time : Math.min(time, arrivedAt + AHEAD_MS);

/**
 * A time that is recorded, for before and after. One that is years ahead must not make stale what comes after it, not even
 * for ten minutes: of that, only the arrival is known.
 *
 * @param arrivedAt when we first learned of it, by the store's clock
 */
export function bounded(time: number, arrivedAt: number | undefined): number {
  return arrivedAt !== undefined && time > arrivedAt + AHEAD_MS ? arrivedAt : time;
}
