/** What a record owes to the world, and from when on. Pure: the loop, the sweep and the index all read it from here. */

import { type Delivery, type Destination, isPending } from './delivery.ts';
import { deliveryOf, type Telling, tellingsOf } from './message-key.ts';
import { type Note, noteIsWanted } from './notification.ts';
import { destinationOfNote, type RequestRecord, votedOn } from './record.ts';
import { STATES } from './states.ts';
import type { Post } from './tracked-message.ts';
import { queuedSince } from './transition.ts';

/** All in milliseconds. */
export type Timings = {
  /** How long a claim keeps others away. Every deadline of an outside act is shorter than half of it. */
  claimMs: number;
  /** How long Slack is given to show a doubtful post before it is looked for. */
  doubtMs: number;
  /** How long a written request may take to appear in Slack: after that, what stands there is all that ever will. */
  appearMs: number;
  /** After how long the requester is told that it is unclear whether a message stands. */
  unclearMs: number;
  /** After how long a request that could not be sent ends. */
  lapseMs: number;
  /** After how long an admin is told that the approvers can't be confirmed. */
  unconfirmedMs: number;
};

export const TIMINGS: Timings = {
  claimMs: 60_000,
  doubtMs: 30_000,
  appearMs: 5 * 60_000,
  unclearMs: 10 * 60_000,
  lapseMs: 15 * 60_000,
  unconfirmedMs: 30_000,
};

export type Act =
  /** Only the record changes. */
  | { type: 'expire_claim' }
  | { type: 'lapse' }
  | { type: 'remind' }
  | { type: 'report_unconfirmed' }
  | { type: 'tell_unclear'; telling: Telling }
  | { type: 'post' | 'find' | 'update'; telling: Telling }
  | { type: 'tidy'; telling: Telling; to: Destination | undefined }
  | { type: 'confirm_votes' }
  | { type: 'call' };

type Item = { act: Act; at: number };

/** The next thing owed. `until`: when something is owed that is not due yet; undefined where only what waits is left. */
export type Next =
  | { type: 'act'; act: Act }
  | { type: 'wait'; until: number | undefined }
  | { type: 'nothing' };

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
  const all = agenda(record, timings);
  if (all.length === 0) return { type: 'nothing' };
  const items = all.filter(({ act }) => mayBe(act));
  const ready = items.find(({ at }) => at <= now);
  return ready ? { type: 'act', act: ready.act } : { type: 'wait', until: earliest(items) };
}

/** When something is owed next, epoch milliseconds; undefined where all is done. The store's `due` index. */
export function dueAt(record: RequestRecord, timings: Timings): number | undefined {
  return earliest(agenda(record, timings));
}

const earliest = (items: readonly Item[]): number | undefined =>
  items.length === 0 ? undefined : Math.min(...items.map(({ at }) => at));

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
    ...confirmation(record, timings),
    ...call(record),
    ...update(record, { type: 'card' }, record.card),
    ...(record.approval?.ballot ? update(record, { type: 'ballot' }, record.approval.ballot) : []),
    ...firstReply(record),
    ...nextNotes(record),
    ...unclear(record, timings),
    ...tidies(record),
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

/**
 * Before approvals decide, what stands in Slack is read. It may take a while, so the message that is voted on is updated
 * first: it says that the approvers are being checked.
 */
function confirmation(record: RequestRecord, { unconfirmedMs }: Timings): Item[] {
  const { approval, state } = record;
  const { confirmation: owed, problem } = approval ?? {};
  const post = votedOn(record);
  if (state !== 'awaiting_approval' || !owed || post.delivery.status !== 'posted') return [];
  const report: Item[] = problem
    ? []
    : [{ act: { type: 'report_unconfirmed' }, at: owed.since + unconfirmedMs }];
  const telling: Telling = { type: approval?.ballot ? 'ballot' : 'card' };
  return [
    ...report,
    ...update(record, telling, post),
    { act: { type: 'confirm_votes' }, at: owed.notBefore },
  ];
}

function call(record: RequestRecord): Item[] {
  const ready = record.state === 'queued' && record.card.delivery.status === 'posted';
  return ready ? [{ act: { type: 'call' }, at: record.call.notBefore }] : [];
}

function update({ revision }: RequestRecord, telling: Telling, post: Post): Item[] {
  const { delivery, shown, updateAt, refreshAt } = post;
  if (delivery.status !== 'posted') return [];
  if (shown < revision) return [{ act: { type: 'update', telling }, at: updateAt }];
  return refreshAt === undefined
    ? []
    : [{ act: { type: 'update', telling }, at: Math.max(updateAt, refreshAt) }];
}

/** Replies are posted one after the other, in the order of their steps. */
function firstReply(record: RequestRecord): Item[] {
  const step = record.steps.find(({ reply }) => reply && isPending(reply.delivery));
  if (!step?.reply || !hasPlace(record.card, step.reply.to === 'thread')) return [];
  return posting({ type: 'reply', n: step.n }, { delivery: step.reply.delivery, isWanted: true });
}

/** In the order in which they were written, to each destination by itself: none waits for what goes elsewhere. */
function nextNotes(record: RequestRecord): Item[] {
  const pending = record.notes.filter(
    (each) => isPending(each.delivery) && noteIsWanted(record, each) && hasDestination(record, each),
  );
  const nextOf = new Map(pending.toReversed().map((note) => [destinationKey(record, note), note]));
  return [...nextOf.values()].flatMap(({ n, delivery }) =>
    posting({ type: 'note', n }, { delivery, isWanted: true }),
  );
}

function destinationKey(record: RequestRecord, note: Note): string {
  const destination = destinationOfNote(record, note);
  if ('person' in destination) return destination.person;
  if ('channel' in destination) return destination.channel;
  return destination.under === record.card ? 'card' : 'ballot';
}

function hasDestination(record: RequestRecord, note: Note): boolean {
  const destination = destinationOfNote(record, note);
  return !('under' in destination) || hasPlace(destination.under, true);
}

/** Nobody is told about a note: it is told on the side itself. */
function unclear(record: RequestRecord, { unclearMs }: Timings): Item[] {
  return tellingsOf(record).flatMap((telling): Item[] => {
    const delivery = telling.type === 'note' ? undefined : deliveryOf(record, telling);
    if (delivery?.status !== 'doubtful' || delivery.told) return [];
    return [{ act: { type: 'tell_unclear', telling }, at: delivery.since + unclearMs }];
  });
}

/** Last of all: what is in doubt is looked for before what is settled is tidied. */
function tidies(record: RequestRecord): Item[] {
  return tellingsOf(record).flatMap((telling) => {
    const delivery = deliveryOf(record, telling);
    return delivery ? tidiesOf(telling, delivery) : [];
  });
}

function tidiesOf(telling: Telling, delivery: Delivery): Item[] {
  if (isPending(delivery)) return [];
  const { tidies: all = [] } = delivery;
  return all.map(({ to, notBefore }) => ({ act: { type: 'tidy', telling, to }, at: notBefore }));
}

/** What goes into a thread waits until it is known whether the message that opens it stands. */
function hasPlace({ delivery }: Post, inThread: boolean): boolean {
  return !inThread || delivery.status === 'posted' || delivery.status === 'given_up';
}
