/** Writes down what came of an outside act. Pure: the loop in advance.ts does the acts and stores what this returns. */
import type { Timings } from './agenda.ts';
import { ApproversProblem } from './approvals/approval.ts';
import type { Answer } from './cause.ts';
import {
  afterTry,
  backoffMs,
  type Delivery,
  type Found,
  isPending,
  type Posting,
  type Updating,
} from './delivery.ts';
import { applyHeld } from './hear.ts';
import { withProblem, withSight } from './notes.ts';
import type { Post } from './post.ts';
import type { Claim, RequestRecord } from './record.ts';
import { settleNote, settleReply } from './settle-said.ts';
import { withSharingSeen } from './sharing.ts';
import { STATES, type State } from './states.ts';
import { deliveryOf, type Telling } from './telling.ts';
import { transition, withCardGivenUp } from './transition.ts';

/** `now`: epoch milliseconds by the store's clock. `rendered`: the revision that the act has shown to people. */
export type Settling = { claim: Claim; rendered: number; now: number; timings: Timings };

function timesOf({ claim, now, timings }: Settling) {
  return { startedAt: claim.startedAt, now, doubtMs: timings.doubtMs };
}

/** After posting something, or looking for it. */
export function settlePosting(
  given: RequestRecord,
  telling: Telling,
  result: Posting | Found,
  s: Settling,
): RequestRecord {
  const before = deliveryOf(given, telling);
  if (!before || !isPending(before)) return given;
  const after = afterTry(before, result, timesOf(s));
  const record = withSharingSeen(given, result, s.now);
  switch (telling.type) {
    case 'card':
      return settleCard(record, after, s);
    case 'ballot':
      return settleBallot(record, after, s);
    case 'reply':
      return settleReply(record, telling.n, { result, after, now: s.now });
    case 'note':
      return settleNote(record, telling.n, after, s.now);
  }
}

/** A card that Slack refuses ends a request of which nothing was sent. */
function settleCard(record: RequestRecord, delivery: Delivery, s: Settling): RequestRecord {
  if (delivery.status === 'posted') return { ...record, card: posted(record.card, delivery, s) };
  if (delivery.status === 'given_up') return withoutCard(record, delivery.code, s.now);
  const wanted = STATES[record.state].slot;
  return delivery.status === 'owed' && !wanted
    ? withoutCard(record, 'not_needed', s.now)
    : { ...record, card: { ...record.card, delivery } };
}

/** What the approvers can't be shown is tried again until the request lapses: an admin hears of it, and can mend it. */
function settleBallot(record: RequestRecord, delivery: Delivery, s: Settling): RequestRecord {
  const { ballot } = record.approval ?? {};
  if (!ballot) return record;
  if (delivery.status === 'posted') {
    return withSight(withBallot(record, posted(ballot, delivery, s)), 'post', s.now);
  }
  if (record.state !== 'awaiting_approval' && delivery.status !== 'doubtful') {
    return withBallot(record, { ...ballot, delivery: { status: 'given_up', code: 'not_needed' } });
  }
  if (delivery.status !== 'given_up') return withBallot(record, { ...ballot, delivery });
  const tries = isPending(ballot.delivery) ? ballot.delivery.tries + 1 : 1;
  const again = { status: 'owed', tries, notBefore: s.now + backoffMs(tries) } as const;
  const problem = ApproversProblem.safeParse(delivery.code).data ?? 'channel_refused';
  return withProblem(withBallot(record, { ...ballot, delivery: again }), problem, s.now);
}

/** What was found, rather than posted now, may show an older state: it is rendered once more. */
function posted(post: Post, delivery: Extract<Delivery, { status: 'posted' }>, s: Settling): Post {
  const { channel, ts } = delivery;
  return { ...post, delivery, place: { channel, ts }, shown: s.claim.act === 'post' ? s.rendered : 0 };
}

/** After updating the card or the ballot. Repeating an update does no harm, so doubt is treated as delay. */
export function settleUpdate(
  record: RequestRecord,
  telling: Telling,
  result: Updating,
  s: Settling,
): RequestRecord {
  const isBallot = telling.type === 'ballot';
  const post = isBallot ? record.approval?.ballot : record.card;
  if (!post) return record;
  const withPost = (changed: Post) => (isBallot ? withBallot(record, changed) : { ...record, card: changed });
  switch (result.type) {
    case 'posted':
    case 'kept': {
      const updated = withPost({ ...post, shown: s.rendered, updateTries: 0 });
      const seen = isBallot && result.type === 'posted' ? withSight(updated, 'update', s.now) : updated;
      return withSharingSeen(seen, result, s.now);
    }
    case 'gone':
      if (!isBallot) return withoutCard(record, result.code, s.now);
      return withoutBallot(withPost(updatedLater(post, s.now)), result.code, s.now);
    case 'later':
      return withPost(updatedLater(post, s.now, result.retryAfterMs));
  }
}

function updatedLater(post: Post, now: number, retryAfterMs = 0): Post {
  const updateTries = post.updateTries + 1;
  return { ...post, updateTries, updateAt: now + Math.max(retryAfterMs, backoffMs(updateTries)) };
}

/**
 * After an update by a process that had outlived its claim: it may have covered something newer, so that is shown anew.
 */
export function withUpdateOwed(record: RequestRecord, telling: Telling): RequestRecord {
  const { approval, card } = record;
  if (telling.type === 'card') return { ...record, card: { ...card, shown: 0 } };
  return approval?.ballot ? withBallot(record, { ...approval.ballot, shown: 0 }) : record;
}

/** A person may have had it sent again, though not yet: then the answer comes first. */
const AWAITING_ANSWER: ReadonlySet<State> = new Set(['calling', 'unknown', 'queued', 'awaiting_approval']);

/**
 * After call number `attempt`. Events that came meanwhile are applied; those that belong elsewhere are left in
 * `strays`. An answer that comes after its claim expired still tells what became of an unknown call, but nothing newer.
 */
export function settleCall(record: RequestRecord, answer: Answer, attempt: number, now: number) {
  if (!AWAITING_ANSWER.has(record.state) || record.call.attempts !== attempt) return { record, strays: [] };
  return applyHeld(transition(record, { type: 'answer', answer }, now) ?? record, now);
}

/**
 * After a claim has expired: its owner is gone, and nobody knows how far it came. A call becomes `unknown`, a post
 * doubtful; an update or a search is simply done again.
 */
export function settleExpired(record: RequestRecord, claim: Claim, timings: Timings, now: number) {
  const { claim: _gone, ...free } = record;
  if (claim.act === 'call')
    return settleCall(free, { type: 'no_answer', why: 'interrupted' }, claim.attempt, now);
  if (claim.act !== 'post') return { record: free, strays: [] };
  const settling = { claim, timings, now: claim.startedAt, rendered: 0 };
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  return { record: settlePosting(free, claim.telling, interrupted, settling), strays: [] };
}

/**
 * The record once its card is refused or gone. Before the call that ends it; afterwards replies that have not been
 * tried in the thread go to the asker, and those that may stand there are looked for there first.
 */
function withoutCard(record: RequestRecord, code: string, now: number): RequestRecord {
  const bare = withCardGivenUp(record, code);
  return transition(bare, { type: 'card_refused', code }, now) ?? bare;
}

/**
 * What the approvers were shown can't be seen any more. Where the channel is the trouble, it can be mended, and an admin
 * hears of it; where the message is gone, nobody can vote any more, and nothing is sent.
 */
export function withoutBallot(record: RequestRecord, code: string, now: number): RequestRecord {
  const { ballot } = record.approval ?? {};
  if (!ballot) return withoutCard(record, code, now);
  const problem = ApproversProblem.safeParse(code).data;
  if (problem && record.state === 'awaiting_approval') return withProblem(record, problem, now);
  const bare = withBallot(record, { ...ballot, delivery: { status: 'given_up', code } });
  const ends = record.state === 'awaiting_approval';
  return (ends && transition(bare, { type: 'card_refused', code }, now)) || bare;
}

function withBallot(record: RequestRecord, ballot: Post): RequestRecord {
  return record.approval ? { ...record, approval: { ...record.approval, ballot } } : record;
}
