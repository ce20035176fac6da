/** Writes down what a look at the reactions has shown, before they decide. Pure. */
import { backoffMs } from '../delivery.ts';
import { withProblem, withSight } from '../notes.ts';
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
  if (reactions.type !== 'read') return unread(record, approval, reactions, now);
  const gone = missing(looked, reactions.standing);
  const again = { ...approval, check: { tries: 0, notBefore: now } };
  const swept = gone.reduce<Awaiting>((awaiting, vote) => withoutVote(awaiting, vote, now), {
    ...record,
    approval: again,
  });
  const wasSeen = (vote: Vote) => isButton(vote) || looked.some((seen) => isSameVote(seen, vote));
  const found = verdict(swept.approval, wasSeen);
  const seen = withSight(swept, 'look', now);
  return found.type === 'decided' ? decided(seen, found, now) : seen;
}

/** How often in a row it is tried, which takes half a minute, before an admin hears of it. */
const QUIET_TRIES = 5;

function unread(
  record: RequestRecord,
  approval: Approval,
  reactions: Exclude<Reactions, { type: 'read' }>,
  now: number,
): RequestRecord {
  const tries = approval.check.tries + 1;
  const retryAfterMs = 'retryAfterMs' in reactions ? (reactions.retryAfterMs ?? 0) : 0;
  const notBefore = now + Math.max(retryAfterMs, backoffMs(tries));
  const later = { ...record, approval: { ...approval, check: { tries, notBefore } } };
  if (reactions.type === 'gone') return withoutBallot(later, reactions.code, now);
  const isSerious = tries >= QUIET_TRIES && approval.problem === undefined;
  return isSerious ? withProblem(later, 'reactions_unreadable', now) : later;
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
