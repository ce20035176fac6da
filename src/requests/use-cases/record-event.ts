/** Use case: the service says something about an order. It is answered only once it is written down. */

import type { ServiceEvent } from '../model/cause.ts';
import { type Heard, type Hearing, hear } from '../model/events/apply-event.ts';
import { isSince, isSpelledSo, ownerOf } from '../model/events/match.ts';
import { dueAt, type Timings } from '../model/pending-effects.ts';
import { type RequestRecord, subjectOf } from '../model/record.ts';
import { transition } from '../model/transition.ts';
import type { RequestStore, Trigger } from '../ports/ports.ts';
import { updateRecord } from '../store/entry.ts';
import type { Inbox } from './inbox.ts';

export type RecordEventDeps = { store: RequestStore; inbox: Inbox; trigger: Trigger; timings: Timings };

/** What came of an event, and the request it was applied to, held for, or known by already. */
export type Recorded = { result: Hearing | 'unmatched'; request?: string };

/** How many requests for one order are looked through for the one that an event is about. */
const REQUESTS_CONSIDERED = 50;

/**
 * Gives an event to the request it belongs to, or to the inbox.
 *
 * @param except the id of a request that it was held for, and turned out not to be about
 * @throws where the storage is away: the event was not recorded, and the sender must send it again
 */
export async function recordEvent(deps: RecordEventDeps, heard: Heard, except?: string): Promise<Recorded> {
  for (;;) {
    const recorded = await tryToRecord(deps, heard, except);
    // Where somebody else was faster, the event is heard again by the newer records.
    if (recorded !== 'conflict') return recorded;
  }
}

async function tryToRecord(
  deps: RecordEventDeps,
  { workspace, kind, event }: Heard,
  except: string | undefined,
): Promise<Recorded | 'conflict'> {
  const subject = subjectOf(kind, event.target);
  const [records, now] = await Promise.all([
    deps.store.listBySubject(workspace, subject, REQUESTS_CONSIDERED),
    deps.store.now(),
  ]);
  const others = records.filter(({ id }) => id !== except);
  const owner = ownerOf(event, others);
  if (!owner) {
    const ended = await endAwaiting(deps, others, event, now);
    if (ended === 'conflict') return 'conflict';
    if (ended !== 'none') return { result: 'applied', request: ended };
    await deps.inbox.put(workspace, kind, event);
    return { result: 'unmatched' };
  }
  const { hearing, record } = hear(owner, event, now);
  // What is old tells nothing about a request that was made since.
  const isNews = hearing !== 'repeated' && hearing !== 'stale';
  const rest = others.filter(({ id }) => id !== owner.id);
  if (isNews && (await endAwaiting(deps, rest, event, now)) === 'conflict') return 'conflict';
  if (record !== owner && (await updateRecord(deps, record, owner.version)) === 'conflict') return 'conflict';
  // Most events change nothing that is owed: then there is nothing to look for.
  if (dueAt(record, deps.timings) !== undefined) deps.trigger(record);
  return { result: hearing, request: owner.id };
}

/**
 * An event that says that the order is cancelled ends a request for it that still awaits approval: there is nothing to
 * approve. One from before that request was made says nothing about it.
 *
 * @returns the id of the request that it has ended
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
  deps.trigger(moved);
  return moved.id;
}

const awaitsApprovalOf = (record: RequestRecord, event: ServiceEvent): boolean =>
  record.state === 'awaiting_approval' && isSpelledSo(record, event) && isSince(event, record);
