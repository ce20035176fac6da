/** Writes down what came of an outside act. Pure: the loop in advance.ts does the acts and stores what this returns. */

import { ApproversProblem } from '../model/approvals/approval.ts';
import {
  afterTidy,
  afterTry,
  backoffMs,
  type Delivery,
  type Destination,
  type Found,
  givenUp,
  isPending,
  type Posting,
  type Tidied,
  type Try,
  type Updating,
  withTidy,
} from '../model/delivery.ts';
import {
  deliveryOf,
  destinationOfReply,
  type Telling,
  withDelivery,
  withDestination,
} from '../model/message-key.ts';
import { withNote, withProblem, withSight } from '../model/notification.ts';
import type { Timings } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import { withSharingSeen } from '../model/sharing.ts';
import { STATES } from '../model/states.ts';
import type { Post } from '../model/tracked-message.ts';
import { transition, withCardGivenUp } from '../model/transition.ts';
import { settleCall } from './apply-call.ts';
import { settleNote, settleReply } from './apply-posted.ts';

/** `now`: epoch milliseconds by the store's clock. `rendered`: the revision that the act has shown to people. */
export type Settling = { claim: Claim; rendered: number; now: number; timings: Timings };

/** @param until up to when the request may have been written */
function tryOf(record: RequestRecord, telling: Telling, { claim, now, timings }: Settling, until = now): Try {
  const to = destinationOfReply(record, telling);
  return { ...timings, startedAt: claim.startedAt, until, to, now };
}

/** After posting something, or looking for it. */
export function settlePosting(
  given: RequestRecord,
  telling: Telling,
  result: Posting | Found,
  s: Settling,
  until?: number,
): RequestRecord {
  const before = deliveryOf(given, telling);
  if (!before || !isPending(before)) return given;
  const after = afterTry(before, result, tryOf(given, telling, s, until));
  const record = withSharingSeen(given, result, s.now);
  switch (telling.type) {
    case 'card':
      return settleCard(record, after, s);
    case 'ballot':
      return settleBallot(record, { result, delivery: after }, s);
    case 'reply':
      return settleReply(record, telling.n, { result, after, now: s.now });
    case 'note':
      return settleNote(record, telling.n, after, s.now);
  }
}

/**
 * After posting something of which nobody knows whether it came through, under a claim that somebody else has taken over:
 * another copy may stand by now, or be about to.
 */
export function owingTidy(record: RequestRecord, telling: Telling, s: Settling): RequestRecord {
  const { startedAt, ...given } = tryOf(record, telling, s);
  return withDelivery(record, telling, (delivery) => withTidy(delivery, { since: startedAt, ...given }));
}

/** After removing all copies of a message but one. Who had voted on another copy is told where to vote. */
export function settleTidy(
  record: RequestRecord,
  { telling, to }: { telling: Telling; to: Destination | undefined },
  result: Tidied,
  { now }: Settling,
): RequestRecord {
  const before = deliveryOf(record, telling);
  const tidied = withDelivery(record, telling, (delivery) => afterTidy(delivery, { to, result, now }));
  if (result.type !== 'tidied') return tidied;
  const isReplaced =
    result.kept !== undefined && !(before?.status === 'posted' && before.ts === result.kept.ts);
  const kept = isReplaced ? withNewPlace(tidied, { telling, to }, result.kept) : tidied;
  const told = result.voters.reduce(
    (next, voter) => withNote(next, { type: 'misplaced_vote', voter }, now),
    kept,
  );
  if (!isReplaced) return told;
  return result.uncounted.reduce(
    (next, voter) => withNote(next, { type: 'misplaced_vote', voter, stays: true }, now),
    told,
  );
}

/** The card or the approvers' message is another one now, which may show an older state; a reply stands where it was found. */
function withNewPlace(
  record: RequestRecord,
  { telling, to }: { telling: Telling; to: Destination | undefined },
  place: Post['place'],
): RequestRecord {
  if (telling.type === 'reply' && to) return withDestination(record, telling.n, to);
  const moved = (post: Post): Post => ({ ...post, place, shown: 0 });
  if (telling.type === 'card') return { ...record, card: moved(record.card) };
  const { ballot } = record.approval ?? {};
  return telling.type === 'ballot' && ballot ? withBallot(record, moved(ballot)) : record;
}

/** A card that Slack refuses ends a request of which nothing was sent. */
function settleCard(record: RequestRecord, delivery: Delivery, s: Settling): RequestRecord {
  if (delivery.status === 'posted') return { ...record, card: posted(record.card, delivery, s) };
  const settled = { ...record, card: { ...record.card, delivery } };
  if (delivery.status === 'given_up') return withoutCard(settled, delivery.code, s.now);
  const wanted = STATES[record.state].slot;
  return delivery.status === 'owed' && !wanted ? withoutCard(settled, 'not_needed', s.now) : settled;
}

/** What the approvers can't be shown is tried again until the request lapses: an admin hears of it, and can mend it. */
function settleBallot(
  record: RequestRecord,
  { result, delivery }: { result: Posting | Found; delivery: Delivery },
  s: Settling,
): RequestRecord {
  const { ballot } = record.approval ?? {};
  if (!ballot) return record;
  if (delivery.status === 'posted') {
    return withSight(withBallot(record, posted(ballot, delivery, s)), 'post', s.now);
  }
  if (record.state !== 'awaiting_approval' && delivery.status !== 'doubtful') {
    return withBallot(record, { ...ballot, delivery: givenUp(delivery, 'not_needed') });
  }
  const settled = withBallot(record, { ...ballot, delivery: givenUpForNow(ballot, delivery, s) });
  if (result.type !== 'refused') return settled;
  const problem = ApproversProblem.safeParse(result.code).data ?? 'channel_refused';
  return withProblem(settled, problem, s.now);
}

/** An admin can mend what is in the way of the approvers' message: it is tried again. */
function givenUpForNow(ballot: Post, delivery: Delivery, s: Settling): Delivery {
  if (delivery.status !== 'given_up') return delivery;
  const tries = isPending(ballot.delivery) ? ballot.delivery.tries + 1 : 1;
  const owing = delivery.tidies ? { tidies: delivery.tidies } : {};
  return { status: 'owed', tries, notBefore: s.now + backoffMs(tries), ...owing };
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
  const post = postOf(record, telling);
  if (!post) return record;
  const withPost = (changed: Post) => withPostOf(record, telling, changed);
  switch (result.type) {
    case 'posted':
    case 'kept': {
      const updated = withPost({ ...refreshed(post, s), shown: s.rendered, updateTries: 0 });
      const seen = isBallot && result.type === 'posted' ? withSight(updated, 'update', s.now) : updated;
      return withSharingSeen(seen, result, s.now);
    }
    case 'gone':
      if (!isBallot) return withoutCard(record, result.code, s.now);
      return withoutBallot(withPost(updatedLater(post, s.now)), result.code, s.now);
    case 'later':
      return withPost(updatedLater(post, s.now, result.retryAfterMs));
    case 'doubtful':
      return withPost(refreshedAfter(updatedLater(post, s.now), s.now + s.timings.appearMs));
  }
}

const postOf = ({ approval, card }: RequestRecord, telling: Telling): Post | undefined =>
  telling.type === 'ballot' ? approval?.ballot : card;

const withPostOf = (record: RequestRecord, telling: Telling, post: Post): RequestRecord =>
  telling.type === 'ballot' ? withBallot(record, post) : { ...record, card: post };

/** One more update is owed: an earlier one may come through up to that moment, and cover what is newer. */
function refreshedAfter(post: Post, at: number): Post {
  return { ...post, refreshAt: Math.max(post.refreshAt ?? 0, at) };
}

/** An update that was begun late enough is that one more. */
function refreshed({ refreshAt, ...post }: Post, { claim }: Settling): Post {
  const isDone = refreshAt === undefined || claim.startedAt >= refreshAt;
  return isDone ? post : { ...post, refreshAt };
}

function updatedLater(post: Post, now: number, retryAfterMs = 0): Post {
  const updateTries = post.updateTries + 1;
  return { ...post, updateTries, updateAt: now + Math.max(retryAfterMs, backoffMs(updateTries)) };
}

/**
 * After an update under a claim that somebody else has taken over: it has covered something newer, perhaps, or is about to.
 */
export function settleLateUpdate(
  record: RequestRecord,
  telling: Telling,
  { type }: Updating,
  { now, timings }: Settling,
): RequestRecord {
  const post = postOf(record, telling);
  if (!post) return record;
  const shownAnew = { ...post, shown: 0 };
  const owing = type === 'doubtful' ? refreshedAfter(shownAnew, now + timings.appearMs) : shownAnew;
  return withPostOf(record, telling, owing);
}

/**
 * After a claim has expired: its owner is gone, and nobody knows how far it came. A call becomes `unknown`, a post
 * doubtful; an update is owed once more; a search or a tidy is simply done again.
 */
export function settleExpired(record: RequestRecord, claim: Claim, timings: Timings, now: number) {
  const { claim: _gone, ...free } = record;
  if (claim.act === 'call')
    return settleCall(free, { type: 'no_answer', why: 'interrupted' }, claim.attempt, now);
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  // It was written in the first half of its claim, or never: since then Slack has had time to show it.
  const settling = { claim, timings, now: claim.startedAt, rendered: 0 };
  const { expiresAt: until } = claim;
  if (claim.act === 'post')
    return { record: settlePosting(free, claim.telling, interrupted, settling, until), strays: [] };
  if (claim.act === 'update')
    return {
      record: settleLateUpdate(free, claim.telling, interrupted, { ...settling, now: until }),
      strays: [],
    };
  return { record: free, strays: [] };
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
  const bare = withBallot(record, { ...ballot, delivery: givenUp(ballot.delivery, code) });
  const ends = record.state === 'awaiting_approval';
  return (ends && transition(bare, { type: 'card_refused', code }, now)) || bare;
}

function withBallot(record: RequestRecord, ballot: Post): RequestRecord {
  return record.approval ? { ...record, approval: { ...record.approval, ballot } } : record;
}
