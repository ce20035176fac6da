/** Puts a record into the store with what the store indexes it by. */

import { awaitsOutcome, OUTCOME_OWED } from '../model/facts/awaited-outcome.ts';
import { dueAt, type Timings } from '../model/pending-effects.ts';
import {
  channelOfVotes,
  channelsOf,
  type RequestRecord,
  slotOf,
  subjectOf,
  votedOn,
} from '../model/record.ts';
import { withoutSlot } from '../model/transition.ts';
import { type Notice, nextNoticeAct } from '../model/workspace-notification.ts';
import type { RequestStore } from '../ports/ports.ts';
import type { Entry } from '../ports/record-store.ts';

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
 * By its target, by the channels in which it is shown, by what a reaction that is a vote on it looks like, and as one of
 * those that the service owes an outcome.
 */
function subjectsOf(record: RequestRecord): string[] {
  return [
    subjectOf(record.kind, record.target),
    ...channelsOf(record).map(channelSubject),
    ...voteSubjects(record),
    ...(awaitsOutcome(record) ? [OUTCOME_OWED] : []),
  ];
}

export const channelSubject = (channel: string): string => `channel:${channel}`;

/** The emoji is part of it: any other reaction, of which a workspace has thousands, finds nothing to read. */
function voteSubjects(record: RequestRecord): string[] {
  const { approval, state } = record;
  if (!approval) return [];
  const { place } = votedOn(record);
  const channel = channelOfVotes(record);
  const isOnItsWay = !place && channel !== undefined && state === 'awaiting_approval';
  return Object.values(approval.policy.emoji).flatMap((emoji) => {
    if (place) return [voteSubject(emoji, place)];
    return isOnItsWay ? [unpostedSubject(emoji, channel)] : [];
  });
}

/** Of the requests that are voted on by this emoji on this message. @param emoji without a skin tone */
export const voteSubject = (emoji: string, { channel, ts }: { channel: string; ts: string }): string =>
  `vote:${emoji}:${channel}:${ts}`;

/** Of the requests whose message is to be voted on by this emoji, and is not known to stand in this channel yet. */
export const unpostedSubject = (emoji: string, channel: string): string => `vote:${emoji}:${channel}`;

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

export function noticeEntry(notice: Notice): Entry<Notice> {
  return {
    record: notice,
    subjects: notice.type === 'event' ? [notice.event.target] : [],
    at: notice.at,
    slot: undefined,
    dueAt: nextNoticeAct(notice, notice.at).at,
  };
}

/** @throws where the storage can't be read */
export async function owesOutcome(store: RequestStore, workspace: string): Promise<boolean> {
  const [owed] = await store.listBySubject(workspace, OUTCOME_OWED, 1);
  return owed !== undefined;
}
