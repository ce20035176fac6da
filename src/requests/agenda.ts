/** What a record owes to the world, and from when on. Pure: the loop, the sweep and the index all read it from here. */
import { type Delivery, isPending } from './delivery.ts';
import type { RequestRecord, Step } from './record.ts';
import { STATES } from './states.ts';
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
  | { type: 'expire_claim' }
  | { type: 'lapse' }
  | { type: 'post_card' }
  | { type: 'find_card' }
  | { type: 'call' }
  | { type: 'update_card' }
  | { type: 'post_reply'; step: Step }
  | { type: 'find_reply'; step: Step };

type Item = { act: Act; at: number };

/** The next thing owed, or how long there is nothing to do. */
export type Next = { type: 'act'; act: Act } | { type: 'wait'; until: number } | { type: 'nothing' };

/** @param now epoch milliseconds by the store's clock */
export function nextAct(record: RequestRecord, now: number, timings: Timings): Next {
  const items = agenda(record, timings);
  const ready = items.find((item) => item.at <= now);
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
 * All that is owed, the most urgent first: the card before the call (invariant 8), the call before the card is
 * touched again, and the card's update before the reply, so that a deleted card is mostly noticed before a reply goes
 * to its thread. An update that has to wait holds nobody up.
 */
function agenda(record: RequestRecord, timings: Timings): Item[] {
  if (record.claim) return [{ act: { type: 'expire_claim' }, at: record.claim.expiresAt }];
  return [
    ...lapse(record, timings),
    ...card(record),
    ...call(record),
    ...cardUpdate(record),
    ...firstReply(record),
  ];
}

function lapse(record: RequestRecord, timings: Timings): Item[] {
  if (record.state !== 'queued') return [];
  return [{ act: { type: 'lapse' }, at: queuedSince(record) + timings.lapseMs }];
}

function card({ card: { delivery }, state }: RequestRecord): Item[] {
  if (delivery.status === 'doubtful') return [{ act: { type: 'find_card' }, at: delivery.notBefore }];
  const wanted = delivery.status === 'owed' && STATES[state].slot;
  return wanted ? [{ act: { type: 'post_card' }, at: delivery.notBefore }] : [];
}

function call(record: RequestRecord): Item[] {
  const ready = record.state === 'queued' && record.card.delivery.status === 'posted';
  return ready ? [{ act: { type: 'call' }, at: record.call.notBefore }] : [];
}

function cardUpdate({ card: { delivery, shown, updateAt }, revision }: RequestRecord): Item[] {
  const stale = delivery.status === 'posted' && shown < revision;
  return stale ? [{ act: { type: 'update_card' }, at: updateAt }] : [];
}

/** Replies are posted one after the other, in the order of their steps. */
function firstReply(record: RequestRecord): Item[] {
  const step = record.steps.find(({ reply }) => reply && isPending(reply.delivery));
  const delivery = step?.reply?.delivery;
  if (!step || !delivery || !isPending(delivery) || !hasPlace(record.card.delivery, step)) return [];
  const type = delivery.status === 'owed' ? 'post_reply' : 'find_reply';
  return [{ act: { type, step }, at: delivery.notBefore }];
}

/** A thread reply waits until its card is known to stand. */
function hasPlace(card: Delivery, step: Step): boolean {
  return step.reply?.to === 'asker' || card.status === 'posted' || card.status === 'given_up';
}
