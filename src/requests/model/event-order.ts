/** Compares events of the service by their times. */
import type { ServiceEvent } from './cause.ts';
import { outcomeSaid } from './states.ts';

/** The largest difference between `requestedAt` and an event's `createdAt` that still counts as the same moment. */
export const SAME_MOMENT_MS = 2_000;

/** Whether an event's time of creation is that of a request, by the service's clock. */
export const isAt = (requestedAt: number, createdAt: number): boolean =>
  Math.abs(requestedAt - createdAt) <= SAME_MOMENT_MS;

export const saysCanceled = ({ status }: ServiceEvent): boolean => outcomeSaid(status) === 'done';

/** An event that others are compared with. */
export type Former = Pick<ServiceEvent, 'status' | 'word' | 'updatedAt' | 'arrivedAt'>;

/** Compares an event with a former one by (updatedAt, status). Without a time the order is that of arrival. */
export function compareEvents(event: ServiceEvent, former: Former): 'newer' | 'repeated' | 'stale' {
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

/** Whether everything in an event happened before a moment. An event without a time of change may be newer. */
export function isBefore({ createdAt, updatedAt, arrivedAt }: ServiceEvent, moment: number): boolean {
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
