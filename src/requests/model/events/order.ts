/** Orders the events of one request: which one is newer, and which one is a repeat. */
import type { ServiceEvent } from '../cause.ts';
import { bounded, latestOf } from './match.ts';

/** An event that others are compared with. */
type Former = Pick<ServiceEvent, 'status' | 'word' | 'updatedAt' | 'arrivedAt'>;

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

export const isDecision = ({ status }: Pick<ServiceEvent, 'status'>): boolean =>
  status !== 'pending' && status !== 'accepted';
