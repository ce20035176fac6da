/**
 * Confirms the approvals that reach the quorum before they decide: a request may wait for a week, and by then an
 * approver may have left the group, the channel or the company.
 */
import type { ClaimGuard } from '../../outbox/ports.ts';
import { retryAt } from '../../outbox/record-type.ts';
import { decided, withApproversAsked } from '../model/acts.ts';
import {
  type Approval,
  counted,
  isButton,
  isSameVote,
  isStanding,
  type Vote,
  type VoteEntry,
  verdict,
  votesGone,
  withConfirmationOwed,
  withEntry,
  withoutCarriedVotes,
} from '../model/approval.ts';
import { ApproversProblem, type VoterProblem } from '../model/policy.ts';
import type { RequestRecord } from '../model/record.ts';
import { approvalMessageOf } from '../model/record-messages.ts';
import { withEvidence, withProblem } from '../model/record-notes.ts';
import { STATES } from '../model/states.ts';
import type { Messenger, Reactions, VoterRights } from '../ports/ports.ts';
import { withCardUnseen, withoutApprovalMessage, withoutCard } from './apply-posting.ts';

/**
 * `confirmed`: votes that are still in Slack and whose voters still have the right to vote. `gone`: reactions that are
 * no longer there. `problems`: why the votes of other voters do not count, by person. `othersProblem`: why the
 * approvers who are left can't meet the policy.
 */
type Read = {
  type: 'read';
  confirmed: readonly Vote[];
  gone: readonly Vote[];
  problems: ReadonlyMap<string, VoterProblem>;
  othersProblem?: ApproversProblem | undefined;
};

const NOTHING: Read = { type: 'read', confirmed: [], gone: [], problems: new Map() };

/** The message with the votes was deleted, or nobody can see it at present. */
type Unseen = Exclude<Reactions, { type: 'read' | 'later' }>;

export type Confirmation =
  | Read
  | { type: 'unreadable'; problem: ApproversProblem; code: string; retryAfterMs?: number }
  | Unseen;

/** Whether the quorum needs votes by reaction, so that the message must be read. */
export function needsReactions(approval: Approval | undefined): boolean {
  return approval !== undefined && counted(approval).filter(isButton).length < approval.policy.quorum;
}

/**
 * Reads the current reactions and the rights of the counted approvers. If people have to be asked anew, reads whether
 * enough approvers are left. It never throws.
 */
export async function confirmVotes(
  messenger: Messenger,
  record: RequestRecord,
  guard: ClaimGuard,
): Promise<Confirmation> {
  const { approval } = record;
  if (!approval) return NOTHING;
  const read = await readVotes(messenger, record, approval, guard);
  if (read.type !== 'read' || read.confirmed.length >= approval.policy.quorum) return read;
  // A vote that was only taken back leaves as many approvers as before.
  if (approval.carried === undefined && read.problems.size === 0) return read;
  const others = await messenger.readOtherApprovers(record, guard);
  if (others.type === 'later') return { ...others, type: 'unreadable', problem: 'approvers_unreadable' };
  return { ...read, othersProblem: others.problem };
}

async function readVotes(
  messenger: Messenger,
  record: RequestRecord,
  approval: Approval,
  guard: ClaimGuard,
): Promise<Confirmation> {
  const reactions = needsReactions(approval) ? await messenger.readReactions(record, guard) : undefined;
  if (reactions?.type === 'gone' || reactions?.type === 'out_of_reach') return reactions;
  if (reactions?.type === 'later')
    return { ...reactions, type: 'unreadable', problem: 'reactions_unreadable' };
  const gone = reactions ? votesGone(approval, reactions.standing) : [];
  const isSeen = (vote: Vote) => (reactions ? !gone.includes(vote) : isButton(vote));
  const standing = counted({ ...approval, votes: approval.votes.filter(isSeen) });
  // Too few votes are left, whatever their rights, which are read once the quorum is reached again.
  if (standing.length < approval.policy.quorum) return { ...NOTHING, gone };
  const voters = standing.map(({ by }) => by);
  return confirmedBy(await messenger.readVoterRights(record, voters, guard), standing, gone);
}

/**
 * Decides by the rights of the voters which votes are confirmed: none if a problem concerns all approvers, because then
 * nobody knows who may vote (promise 10).
 */
function confirmedBy(rights: VoterRights, standing: readonly Vote[], gone: readonly Vote[]): Confirmation {
  if (rights.type === 'later') return { ...rights, type: 'unreadable', problem: 'approvers_unreadable' };
  const { problems } = rights;
  const [ofAll] = [...problems.values()].flatMap((problem) => ApproversProblem.safeParse(problem).data ?? []);
  if (ofAll) return { type: 'unreadable', problem: ofAll, code: ofAll };
  return { type: 'read', confirmed: standing.filter(({ by }) => !problems.has(by)), gone, problems };
}

/**
 * Applies what was read: the request is approved, or its vote is open again.
 *
 * @param votesRead the votes at the start of the reading: later ones are confirmed in turn
 */
export function applyConfirmation(
  record: RequestRecord,
  votesRead: readonly Vote[],
  result: Confirmation,
  now: number,
): RequestRecord {
  const { approval, paused } = record;
  if (!STATES[record.state].votes || !approval) return record;
  // An approved request would expire during the pause. The votes are read again once sending is resumed, unless the time for
  // approval is over: then the request would expire at once.
  if (paused && now < approval.since + approval.policy.expiresAfterMs) return record;
  const awaiting: Awaiting = { ...record, approval };
  if (result.type === 'gone' || result.type === 'out_of_reach')
    return withVotesUnseen(triedLater(awaiting, {}, now), result, now);
  if (result.type === 'unreadable') return triedLater(awaiting, result, now);
  const { confirmed, gone, problems, othersProblem } = result;
  const lost: Lost[] = [
    ...gone.map((vote) => ({ vote, type: 'gone' as const })),
    ...votesRead.flatMap((vote) => {
      const problem = problems.get(vote.by);
      return problem ? { vote, type: 'void' as const, problem } : [];
    }),
  ];
  const left = lost.reduce((next, vote) => withoutVote(next, vote, now), awaiting);
  const found = verdict(left.approval, (vote) => confirmed.some((each) => isSameCast(each, vote)));
  if (found.type === 'decided')
    return decided(withEvidence(withConfirmationDone(left, now), 'confirmation', now), found, now);
  const isCarried = left.approval.carried !== undefined;
  const open = isCarried ? askedAnew(left, now) : withConfirmationDone(left, now);
  const seen = withEvidence(open, 'confirmation', now);
  return othersProblem ? withProblem(seen, othersProblem, now) : seen;
}

/** Handles the loss of the message that approvers react to: it was deleted, or nobody can see it at present. */
function withVotesUnseen(record: RequestRecord, { type, code }: Unseen, now: number): RequestRecord {
  if (approvalMessageOf(record)) return withoutApprovalMessage(record, code, now);
  return type === 'gone' ? withoutCard(record, code, now) : withCardUnseen(record, code, now);
}

/** Asks the approvers anew: the carried votes no longer meet the policy, so none of them counts. */
function askedAnew(record: Awaiting, now: number): RequestRecord {
  const approval = withoutCarriedVotes(record.approval);
  const asked = { ...record, revision: record.revision + 1, approval };
  return withApproversAsked(withConfirmationDone(asked, now), now);
}

type Awaiting = RequestRecord & { approval: Approval };

/** Completes the confirmation. Votes that arrived since owe one of their own, due at once. */
function withConfirmationDone(record: Awaiting, now: number): Awaiting {
  const { confirmation: _done, ...approval } = record.approval;
  return { ...record, approval: withConfirmationOwed(approval, now) };
}

/** Owes another try. `problem`: why the votes could not be confirmed, as far as known. */
function triedLater(
  record: Awaiting,
  { problem, retryAfterMs = 0 }: { problem?: ApproversProblem; retryAfterMs?: number },
  now: number,
): RequestRecord {
  const { confirmation } = record.approval;
  if (!confirmation) return record;
  const tries = confirmation.tries + 1;
  const notBefore = retryAt(now, tries, retryAfterMs);
  const again = { since: confirmation.since, tries, notBefore, ...(problem ? { problem } : {}) };
  const later = { ...record, approval: { ...record.approval, confirmation: again } };
  // The first problem is told only after a while (`report_unconfirmed`). If the card names one already, a new one replaces it.
  return record.approval.problem && problem ? withProblem(later, problem, now) : later;
}

const isSameCast = (a: Vote, b: Vote) => isSameVote(a, b) && a.addedAt === b.addedAt;

/** A vote whose reaction is gone, though Slack has not reported its removal, or whose voter has lost the right to vote. */
type Lost = { vote: Vote } & Pick<VoteEntry, 'type' | 'problem'>;

function withoutVote(record: Awaiting, { vote: lost, ...why }: Lost, now: number): Awaiting {
  const { approval, revision } = record;
  const standing = approval.votes.find((vote) => isSameCast(vote, lost) && isStanding(vote));
  if (!standing) return record;
  const votes = approval.votes.map((vote) =>
    vote === standing ? { ...vote, removedAt: vote.addedAt } : vote,
  );
  const { by, choice, source } = lost;
  const entered = withEntry({ ...approval, votes }, { by, choice, source, at: now, ...why });
  return { ...record, revision: revision + 1, approval: entered };
}
