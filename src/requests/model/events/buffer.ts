/** Keeps the events that must wait for the answer to a call in the record, within a limit. */
import type { ServiceEvent } from '../cause.ts';
import type { RequestRecord } from '../record.ts';
import { compareEvents, isDecision } from './order.ts';

const MOST_BUFFERED = 50;

/** The number of digests kept to recognize redeliveries. */
const DIGESTS_KEPT = 100;

/** `full`: nothing was stored, and the service must send the event again. */
export type BufferResult = 'buffered' | 'repeated' | 'stale' | 'full';

/** Keeps the newest event of each request of the service, which `createdAt` tells apart. */
export function buffer(
  record: RequestRecord,
  event: ServiceEvent,
): { result: BufferResult; record: RequestRecord } {
  const { bufferedEvents, appliedEvents } = record;
  if (isApplied(record, event) || bufferedEvents.some(({ digest }) => digest === event.digest))
    return { result: 'repeated', record };
  const former = bufferedEvents.find((each) => isOfSameRequest(each, event));
  if (!former) {
    if (bufferedEvents.length >= MOST_BUFFERED) return { result: 'full', record };
    return { result: 'buffered', record: { ...record, bufferedEvents: [...bufferedEvents, event] } };
  }
  const against = compareBuffered(event, former);
  if (against !== 'newer') return { result: against, record };
  const others = bufferedEvents.filter((each) => each !== former);
  // The former one is as good as applied: it changes nothing if it comes again.
  const digests = withDigest(appliedEvents.digests, former.digest);
  const next = {
    ...record,
    bufferedEvents: [...others, event],
    appliedEvents: { ...appliedEvents, digests },
  };
  return { result: 'buffered', record: next };
}

/** Without `createdAt` two events may be about two requests. */
const isOfSameRequest = (one: ServiceEvent, other: ServiceEvent): boolean =>
  one.createdAt !== undefined && one.createdAt === other.createdAt && one.target === other.target;

const compareBuffered = (event: ServiceEvent, former: ServiceEvent) =>
  event.topic === 'created' && isDecision(former) ? 'stale' : compareEvents(event, former);

/** Whether an event is a repeat of one of the last that were applied. */
export const isApplied = ({ appliedEvents }: RequestRecord, { digest }: ServiceEvent): boolean =>
  appliedEvents.digests.includes(digest);

export const withDigest = (digests: readonly string[], digest: string): string[] =>
  [...digests, digest].slice(-DIGESTS_KEPT);
