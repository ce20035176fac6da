/** Puts a record into the store with what the store indexes it by. */
import { dueAt, type Timings } from './agenda.ts';
import { awaitsOutcome, OUTCOME_OWED } from './pending.ts';
import type { RequestStore } from './ports.ts';
import { channelsOf, type RequestRecord, slotOf, subjectOf, votedOn } from './record.ts';
import type { Entry } from './record-store.ts';
import { withoutSlot } from './transition.ts';

export function entryOf(record: RequestRecord, timings: Timings): Entry<RequestRecord> {
  return {
    record,
    subjects: subjectsOf(record),
    at: record.askedAt,
    slot: slotOf(record),
    dueAt: dueAt(record, timings),
  };
}

/**
 * By its target, by the channels in which it is shown, by the message that approvers react to, and as one of those that
 * the service owes an outcome.
 */
function subjectsOf(record: RequestRecord): string[] {
  const { place } = votedOn(record);
  return [
    subjectOf(record.kind, record.target),
    ...channelsOf(record).map(channelSubject),
    ...(record.approval && place ? [messageSubject(place)] : []),
    ...(awaitsOutcome(record) ? [OUTCOME_OWED] : []),
  ];
}

export const channelSubject = (channel: string): string => `channel:${channel}`;

export const messageSubject = ({ channel, ts }: { channel: string; ts: string }): string =>
  `message:${channel}:${ts}`;

/**
 * Writes `record` over version `expected`. A request that the service reopened while another one holds its target is
 * written without the slot, and its card says so.
 */
export async function updateRecord(
  { store, timings }: { store: RequestStore; timings: Timings },
  record: RequestRecord,
  expected: number,
): Promise<'updated' | 'conflict'> {
  const written = await store.update(entryOf(record, timings), expected);
  if (written !== 'slot_taken') return written;
  const reopened = await store.update(entryOf(withoutSlot(record), timings), expected);
  return reopened === 'updated' ? 'updated' : 'conflict';
}
