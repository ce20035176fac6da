/** Writes down what came of an outside act. Pure: the loop in advance.ts does the acts and stores what this returns. */
import type { Timings } from './agenda.ts';
import type { Answer } from './cause.ts';
import {
  afterTry,
  backoffMs,
  type Found,
  isPending,
  owed,
  type Pending,
  type Posting,
  type Updating,
} from './delivery.ts';
import { applyHeld } from './hear.ts';
import type { Claim, Reply, RequestRecord, Step } from './record.ts';
import { STATES } from './states.ts';
import { transition } from './transition.ts';

/** `now`: epoch milliseconds by the store's clock. `rendered`: the revision that the act has shown to people. */
export type Settling = { claim: Claim; rendered: number; now: number; timings: Timings };

function timesOf({ claim, now, timings }: Settling) {
  return { startedAt: claim.startedAt, now, doubtMs: timings.doubtMs };
}

/** After posting the card, or looking for it. A card that Slack refuses ends a request of which nothing was sent. */
export function settleCard(record: RequestRecord, result: Posting | Found, s: Settling): RequestRecord {
  if (!isPending(record.card.delivery)) return record;
  const delivery = afterTry(record.card.delivery, result, timesOf(s));
  const card = { ...record.card, delivery };
  if (delivery.status === 'posted') {
    const { channel, ts } = delivery;
    // A card that was found may show an older state: it is rendered once more.
    const shown = s.claim.act === 'post_card' ? s.rendered : 0;
    return { ...record, card: { ...card, place: { channel, ts }, shown } };
  }
  if (delivery.status === 'given_up') return withoutCard(record, delivery.code, s.now);
  const wanted = STATES[record.state].slot;
  return delivery.status === 'owed' && !wanted
    ? withoutCard(record, 'not_needed', s.now)
    : { ...record, card };
}

/** After updating the card. Repeating an update does no harm, so doubt is treated as delay. */
export function settleUpdate(record: RequestRecord, result: Updating, s: Settling): RequestRecord {
  switch (result.type) {
    case 'posted':
    case 'kept':
      return { ...record, card: { ...record.card, shown: s.rendered, updateTries: 0 } };
    case 'gone':
      return withoutCard(record, result.code, s.now);
    case 'later': {
      const updateTries = record.card.updateTries + 1;
      const updateAt = s.now + Math.max(result.retryAfterMs ?? 0, backoffMs(updateTries));
      return { ...record, card: { ...record.card, updateTries, updateAt } };
    }
  }
}

/** After posting a step's reply, or looking for it. What can't stand in the thread goes to the asker. */
export function settleReply(
  record: RequestRecord,
  n: number,
  result: Posting | Found,
  s: Settling,
): RequestRecord {
  const cardIsGone = record.card.delivery.status === 'given_up';
  const noPlace = result.type === 'refused' || (result.type === 'absent' && cardIsGone);
  return withStep(record, n, (step, reply, delivery) => {
    if (noPlace && reply.to === 'thread') {
      return { ...step, reply: { to: 'asker', delivery: owed(s.now) } };
    }
    return { ...step, reply: { ...reply, delivery: afterTry(delivery, result, timesOf(s)) } };
  });
}

/**
 * After call number `attempt`. Events that came meanwhile are applied; those that belong elsewhere are left in
 * `strays`. An answer that comes after its claim expired still tells what became of an unknown call, but nothing newer.
 */
export function settleCall(record: RequestRecord, answer: Answer, attempt: number, now: number) {
  const awaited = record.state === 'calling' || record.state === 'unknown';
  if (!awaited || record.call.attempts !== attempt) return { record, strays: [] };
  return applyHeld(transition(record, { type: 'answer', answer }, now) ?? record, now);
}

/**
 * After a claim has expired: its owner is gone, and nobody knows how far it came. A call becomes `unknown`, a post
 * doubtful; an update or a search is simply done again.
 */
export function settleExpired(record: RequestRecord, claim: Claim, timings: Timings, now: number) {
  const { claim: _gone, ...free } = record;
  const settling = { claim, timings, now: claim.startedAt, rendered: 0 };
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  switch (claim.act) {
    case 'call':
      return settleCall(free, { type: 'no_answer', why: 'interrupted' }, claim.attempt, now);
    case 'post_card':
      return { record: settleCard(free, interrupted, settling), strays: [] };
    case 'post_reply':
      return { record: settleReply(free, claim.step, interrupted, settling), strays: [] };
    default:
      return { record: free, strays: [] };
  }
}

/**
 * The record once its card is refused or gone. Before the call that ends it; afterwards replies that have not been
 * tried in the thread go to the asker, and those that may stand there are looked for there first.
 */
function withoutCard(record: RequestRecord, code: string, now: number): RequestRecord {
  const delivery = { status: 'given_up', code } as const;
  const steps = record.steps.map((step) =>
    step.reply?.delivery.status === 'owed'
      ? { ...step, reply: { ...step.reply, to: 'asker' as const } }
      : step,
  );
  const bare = { ...record, steps, card: { ...record.card, delivery } };
  return transition(bare, { type: 'card_refused', code }, now) ?? bare;
}

function withStep(
  record: RequestRecord,
  n: number,
  change: (step: Step, reply: Reply, delivery: Pending) => Step,
): RequestRecord {
  const steps = record.steps.map((step) => {
    const { reply } = step;
    return step.n === n && reply && isPending(reply.delivery) ? change(step, reply, reply.delivery) : step;
  });
  return { ...record, steps };
}
