/** Use case: records an event of the service about an order. It is acknowledged only once it is stored. */

import type { ServiceEvent } from '../model/cause.ts';
import { applyEvent, type EventResult, type IncomingEvent } from '../model/events/apply-event.ts';
import { isSince, isSpelledSo, ownerOf } from '../model/events/match.ts';
import { dueAt, type Timings } from '../model/pending-effects.ts';
import { type RequestRecord, subjectOf } from '../model/record.ts';
import { STATES } from '../model/states.ts';
import { transition } from '../model/transition.ts';
import type { RequestStore, Wake } from '../ports/ports.ts';
import { updateRecord } from '../store/entry.ts';
import type { Inbox } from './inbox.ts';

export type RecordEventDeps = { store: RequestStore; inbox: Inbox; wake: Wake; timings: Timings };

/** The result of an event, and the request that applied, buffered or already knew it. */
export type Recorded = { result: EventResult | 'unmatched'; request?: string };

/** The number of requests for one order that an event is matched against. */
const REQUESTS_CONSIDERED = 50;

/**
 * Gives an event to the request it belongs to, or to the inbox.
 *
 * @param except the id of a request that buffered the event and turned out not to be its subject
 * @throws if the storage is unavailable: the event was not recorded, and the sender must send it again
 */
export async function recordEvent(
  deps: RecordEventDeps,
  incoming: IncomingEvent,
  except?: string,
): Promise<Recorded> {
  for (;;) {
    const recorded = await tryToRecord(deps, incoming, except);
    // After a conflict the event is applied to the newer records.
    if (recorded !== 'conflict') return recorded;
  }
}

async function tryToRecord(
  deps: RecordEventDeps,
  { workspace, kind, event }: IncomingEvent,
  except: string | undefined,
): Promise<Recorded | 'conflict'> {
  const subject = subjectOf(kind, event.target);
  const { records, now } = await deps.store.listBySubject(workspace, subject, REQUESTS_CONSIDERED);
  const others = records.filter(({ id }) => id !== except);
  const owner = ownerOf(event, others);
  if (!owner) {
    const ended = await endAwaiting(deps, others, event, now);
    if (ended === 'conflict') return 'conflict';
    if (ended !== 'none') return { result: 'applied', request: ended };
    await deps.inbox.put(workspace, kind, event);
    return { result: 'unmatched' };
  }
  const { result: applied, record } = applyEvent(owner, event, now);
  // An old event says nothing about a request that was made since.
  const isNews = applied !== 'repeated' && applied !== 'stale';
  const rest = others.filter(({ id }) => id !== owner.id);
  if (isNews && (await endAwaiting(deps, rest, event, now)) === 'conflict') return 'conflict';
  if (record !== owner && (await updateRecord(deps, record, owner.version)) === 'conflict') return 'conflict';
  // Most events change nothing that is owed: then there is nothing to look for.
  if (dueAt(record, deps.timings) !== undefined) deps.wake(record);
  return { result: applied, request: owner.id };
}

/**
 * Ends a request that still awaits approval if the event says that the order is cancelled: there is nothing left to
 * approve. An event from before the request says nothing about it.
 *
 * @returns the id of the ended request
 */
async function endAwaiting(
  deps: RecordEventDeps,
  records: readonly RequestRecord[],
  event: ServiceEvent,
  now: number,
): Promise<string | 'none' | 'conflict'> {
  const isCancelled = event.status === 'approved' || event.status === 'canceled';
  const awaiting = isCancelled && records.find((record) => awaitsApprovalOf(record, event));
  const moved = awaiting && transition(awaiting, { type: 'canceled_elsewhere', event }, now);
  if (!moved) return 'none';
  if ((await updateRecord(deps, moved, awaiting.version)) === 'conflict') return 'conflict';
  deps.wake(moved);
  return moved.id;
}

const awaitsApprovalOf = (record: RequestRecord, event: ServiceEvent): boolean =>
  STATES[record.state].votes && isSpelledSo(record, event) && isSince(event, record);
