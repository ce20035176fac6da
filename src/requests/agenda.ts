/** What a record owes to the world, and from when on. Pure: the loop, the sweep and the index all read it from here. */

import { verdict } from './approvals/votes.ts';
import { isPending } from './delivery.ts';
import { noteIsWanted } from './notes.ts';
import type { Post } from './post.ts';
import { type RequestRecord, threadOfNote, votedOn } from './record.ts';
import { STATES } from './states.ts';
import type { Telling } from './telling.ts';
import { queuedSince } from './transition.ts';

/** All in milliseconds. */
export type Timings = {
  /** How long a claim keeps others away. Every deadline of an outside act is shorter than half of it. */
  claimMs: number;
  /** How long Slack is given to show a doubtful post before it is looked for. */
  doubtMs: number;
  /** After how long a request that could not be sent ends. */
  lapseMs: number;
};

export const TIMINGS: Timings = { claimMs: 60_000, doubtMs: 30_000, lapseMs: 15 * 60_000 };

export type Act =
  /** Only the record changes. */
  | { type: 'expire_claim' }
  | { type: 'lapse' }
  | { type: 'remind' }
  | { type: 'post' | 'find' | 'update'; telling: Telling }
  | { type: 'check_votes' }
  | { type: 'call' };

type Item = { act: Act; at: number };

/** The next thing owed, or how long there is nothing to do. */
export type Next = { type: 'act'; act: Act } | { type: 'wait'; until: number } | { type: 'nothing' };

/**
 * @param now epoch milliseconds by the store's clock
 * @param mayBe whether an act may be done now; what may not holds up nothing that is ready behind it
 */
export function nextAct(
  record: RequestRecord,
  now: number,
  timings: Timings,
  mayBe: (act: Act) => boolean = () => true,
): Next {
  const items = agenda(record, timings);
  const ready = items.find((item) => item.at <= now && mayBe(item.act));
  if (ready) return { type: 'act', act: ready.act };
  const until = dueAt(record, timings);
  return until === undefined ? { type: 'nothing' } : { type: 'wait', until };
}

/** When something is owed next, epoch milliseconds; undefined where all is done. The store's `due` index. */
export function dueAt(record: RequestRecord, timings: Timings): number | undefined {
  const times = agenda(record, timings).map((item) => item.at);
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * All that is owed, the most urgent first: the card before the approvers are asked and before the call (invariant 8),
 * the call before the card is touched again, and the card's update before the reply, so that a deleted card is mostly
 * noticed before a reply goes to its thread. What has to wait holds nobody up.
 */
function agenda(record: RequestRecord, timings: Timings): Item[] {
  if (record.claim) return [{ act: { type: 'expire_claim' }, at: record.claim.expiresAt }];
  return [
    ...lapse(record, timings),
    ...reminder(record),
    ...card(record),
    ...ballot(record),
    ...voteCheck(record),
    ...call(record),
    ...update(record, { type: 'card' }, record.card),
    ...(record.approval?.ballot ? update(record, { type: 'ballot' }, record.approval.ballot) : []),
    ...firstReply(record),
    ...firstNote(record),
  ];
}

function lapse(record: RequestRecord, timings: Timings): Item[] {
  const { state, approval } = record;
  if (state === 'queued') return [{ act: { type: 'lapse' }, at: queuedSince(record) + timings.lapseMs }];
  if (state !== 'awaiting_approval' || !approval) return [];
  return [{ act: { type: 'lapse' }, at: approval.since + approval.policy.lapseMs }];
}

/** Once, at half of the time that the approvers have, and only where there is something to react to. */
function reminder(record: RequestRecord): Item[] {
  const { state, approval } = record;
  if (state !== 'awaiting_approval' || !approval?.policy.reminds || approval.reminded) return [];
  if (votedOn(record).delivery.status !== 'posted') return [];
  return [{ act: { type: 'remind' }, at: approval.since + approval.policy.lapseMs / 2 }];
}

function card({ card: { delivery }, state }: RequestRecord): Item[] {
  return posting({ type: 'card' }, { delivery, isWanted: STATES[state].slot });
}

/** The approvers are shown what has a card already: they follow its link. */
function ballot({ approval, card: { delivery }, state }: RequestRecord): Item[] {
  if (!approval?.ballot) return [];
  const isWanted = state === 'awaiting_approval' && delivery.status === 'posted';
  return posting({ type: 'ballot' }, { delivery: approval.ballot.delivery, isWanted });
}

function posting(
  telling: Telling,
  { delivery, isWanted }: { delivery: Post['delivery']; isWanted: boolean },
): Item[] {
  if (delivery.status === 'doubtful') return [{ act: { type: 'find', telling }, at: delivery.notBefore }];
  const isOwed = delivery.status === 'owed' && isWanted;
  return isOwed ? [{ act: { type: 'post', telling }, at: delivery.notBefore }] : [];
}

/** Before reactions decide, what stands on the message is read: Slack's events may come late, or not at all. */
function voteCheck(record: RequestRecord): Item[] {
  const { approval, state } = record;
  if (state !== 'awaiting_approval' || !approval || votedOn(record).delivery.status !== 'posted') return [];
  const isDue = verdict(approval).type === 'to_check';
  return isDue ? [{ act: { type: 'check_votes' }, at: approval.check.notBefore }] : [];
}

function call(record: RequestRecord): Item[] {
  const ready = record.state === 'queued' && record.card.delivery.status === 'posted';
  return ready ? [{ act: { type: 'call' }, at: record.call.notBefore }] : [];
}

function update({ revision }: RequestRecord, telling: Telling, { delivery, shown, updateAt }: Post): Item[] {
  const stale = delivery.status === 'posted' && shown < revision;
  return stale ? [{ act: { type: 'update', telling }, at: updateAt }] : [];
}

/** Replies are posted one after the other, in the order of their steps. */
function firstReply(record: RequestRecord): Item[] {
  const step = record.steps.find(({ reply }) => reply && isPending(reply.delivery));
  if (!step?.reply || !hasPlace(record.card, step.reply.to === 'thread')) return [];
  return posting({ type: 'reply', n: step.n }, { delivery: step.reply.delivery, isWanted: true });
}

function firstNote(record: RequestRecord): Item[] {
  const note = record.notes.find(
    (each) =>
      isPending(each.delivery) &&
      noteIsWanted(record, each) &&
      hasPlace(threadOfNote(record, each), each.type !== 'alarm'),
  );
  if (!note) return [];
  return posting({ type: 'note', n: note.n }, { delivery: note.delivery, isWanted: true });
}

/** What goes into a thread waits until it is known whether the message that opens it stands. */
function hasPlace({ delivery }: Post, inThread: boolean): boolean {
  return !inThread || delivery.status === 'posted' || delivery.status === 'given_up';
}
