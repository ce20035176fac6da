/** Writes down what a look at the reactions has shown, before they decide. Pure. */

import { backoffMs } from '../delivery.ts';
import type { Reactions } from '../ports.ts';
import type { RequestRecord } from '../record.ts';
import { withoutBallot } from '../settle.ts';
import { type Approval, withEntry } from './approval.ts';
import { decided } from './decide.ts';
import { isButton, missing, type Vote, verdict } from './votes.ts';

/**
 * @param looked the votes as they were when the message was looked at: those that came since are not judged by it
 * @param now epoch milliseconds
 */
export function settleVotes(
  record: RequestRecord,
  looked: readonly Vote[],
  reactions: Reactions,
  now: number,
): RequestRecord {
  const { approval } = record;
  if (record.state !== 'awaiting_approval' || !approval) return record;
  if (reactions.type === 'gone') return withoutBallot(record, reactions.code, now);
  if (reactions.type === 'later') {
    const tries = approval.check.tries + 1;
    const notBefore = now + Math.max(reactions.retryAfterMs ?? 0, backoffMs(tries));
    return { ...record, approval: { ...approval, check: { tries, notBefore } } };
  }
  const gone = missing(looked, reactions.standing);
  const read: Awaiting = { ...record, approval: { ...approval, check: { tries: 0, notBefore: now } } };
  const swept = gone.reduce((awaiting, vote) => withoutVote(awaiting, vote, now), read);
  const wasSeen = (vote: Vote) => isButton(vote) || looked.some((seen) => isSameVote(seen, vote));
  const found = verdict(swept.approval, wasSeen);
  return found.type === 'decided' ? decided(swept, found, now) : swept;
}

const isSameVote = (a: Vote, b: Vote) =>
  a.by === b.by && a.source === b.source && a.choice === b.choice && a.addedAt === b.addedAt;

type Awaiting = RequestRecord & { approval: Approval };

/** The vote was taken back, though Slack has not told of it yet. */
function withoutVote(record: Awaiting, gone: Vote, now: number): Awaiting {
  const votes = record.approval.votes.map((vote) =>
    isSameVote(vote, gone) ? { ...vote, removedAt: Math.max(vote.removedAt, vote.addedAt) } : vote,
  );
  const { by, choice, source } = gone;
  const approval = withEntry({ ...record.approval, votes }, { at: now, by, type: 'gone', choice, source });
  return { ...record, revision: record.revision + 1, approval };
}
