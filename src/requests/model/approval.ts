/**
 * Models the approval of a request: the policy under which it is requested, the votes, their history and the decision. Finds
 * the verdict, which is the same in whatever order Slack delivers the votes.
 */
import { z } from 'zod';
import { Choice } from './cause.ts';
import { KIND_NAMES } from './kinds.ts';
import { ApproversProblem, choiceOf, Policy, VoteProblem } from './policy.ts';
import { RequestStatus } from './states.ts';

/** The source of a vote by button; other sources are names of emoji. */
export const BUTTON = 'button';

/**
 * One person's vote by one source: the button or one emoji. `addedAt` and `removedAt` are the latest such moments,
 * microseconds by Slack's clock; 0: never. Both are kept to recognize late redeliveries.
 */
const Vote = z.object({
  by: z.string(),
  source: z.string(),
  choice: Choice,
  addedAt: z.number(),
  removedAt: z.number(),
});
export type Vote = z.infer<typeof Vote>;

/**
 * An entry in the voting history. `gone`: the message was read, and the reaction is not there. `void`: the voter has
 * lost the right to vote since.
 */
const VoteEntry = z.object({
  /** Counted from 1; entries that were dropped count, too. */
  n: z.number(),
  at: z.number(),
  by: z.string(),
  type: z.enum(['voted', 'taken_back', 'gone', 'void', 'refused']),
  choice: Choice,
  source: z.string(),
  problem: VoteProblem.optional(),
  /** Of a refused vote: its time, by which a redelivery is recognized; microseconds by Slack's clock. */
  moment: z.number().optional(),
});
export type VoteEntry = z.infer<typeof VoteEntry>;

const Decision = z.object({
  choice: Choice,
  by: z.array(z.string()).min(1),
  at: z.number(),
  /** BUTTON, which asks for a reason, or the emoji of a reaction. */
  source: z.string(),
  reason: z.string().optional(),
  /** The time of the reason, if it was given after the decision. */
  reasonAt: z.number().optional(),
  /** Set when the reason was removed for readers who may not see it (channels.ts). Never stored. */
  withheld: z.literal(true).optional(),
});

/** An earlier request for the same target, as it was when approval of this one was requested. */
const EarlierRequest = RequestStatus.extend({
  id: z.string(),
  kind: z.enum(KIND_NAMES),
  /** May differ in the case of letters. */
  target: z.string(),
  requester: z.string(),
  createdAt: z.number(),
});
export type EarlierRequest = z.infer<typeof EarlierRequest>;

export const Approval = z.object({
  /** The policy under which approval is requested. */
  policy: Policy,
  /** Counted from 1; a resend may need approval again. */
  round: z.number(),
  /** The start of the wait for approval. */
  since: z.number(),
  votes: z.array(Vote),
  /**
   * The moment after which votes count, microseconds by Slack's clock: when approval was requested again; 0 in the first
   * round.
   */
  countedFrom: z.number(),
  /**
   * Set while the votes of the former round, carried into this one, are confirmed: the end of the former round, microseconds by
   * Slack's clock. If the carried votes meet the policy, they decide, and later approvals do not count; otherwise none of the
   * carried votes counts.
   */
  carried: z.number().optional(),
  /** Set with `carried`: the start of the round in which the carried votes were cast, epoch milliseconds. */
  carriedSince: z.number().optional(),
  history: z.array(VoteEntry),
  /** The number of entries dropped from the history. */
  forgotten: z.number(),
  problem: ApproversProblem.optional(),
  /**
   * Present while the votes reach the quorum and are not confirmed yet. `since`: when they reached it. `problem`: why the last
   * try to confirm them failed.
   */
  confirmation: z
    .object({
      since: z.number(),
      tries: z.number(),
      notBefore: z.number(),
      problem: ApproversProblem.optional(),
    })
    .optional(),
  decision: Decision.optional(),
  earlier: z.array(EarlierRequest),
});
export type Approval = z.infer<typeof Approval>;

/** The parts of a new approval. `problem`: why nobody can vote at present. */
export type NewApproval = Pick<Approval, 'policy' | 'earlier' | 'problem'>;

/** `former`: the earlier approval of the same request. `moment`: of the click, microseconds by Slack's clock, if known. */
type Again = { former: Approval; moment: number | undefined };

/**
 * Creates an approval.
 *
 * @param again set if approval is requested again
 */
export function newApproval({ policy, earlier }: NewApproval, now: number, again?: Again): Approval {
  const fresh = { policy, earlier, since: now };
  if (!again) return { ...fresh, round: 1, votes: [], countedFrom: 0, history: [], forgotten: 0 };
  const { former, moment = 0 } = again;
  const { round, votes, history, forgotten } = former;
  // Earlier votes do not count, however late Slack delivers them. Only Slack's own times are compared, because our clock may
  // be minutes off.
  const countedFrom = Math.max(moment, ...votes.map(changedAt));
  return { ...fresh, round: round + 1, votes, countedFrom, history, forgotten };
}

/** The time of the last change of a vote, microseconds by Slack's clock. */
export const changedAt = ({ addedAt, removedAt }: Vote): number => Math.max(addedAt, removedAt);

/**
 * Lets the votes of the former round count again, as far as they fit the policy of the new one.
 *
 * @returns undefined if they do not reach its quorum, or if approval is now requested in another place
 */
export function withCarriedVotes(approval: Approval, former: Approval): Approval | undefined {
  const { policy, countedFrom } = approval;
  const isElsewhere = policy.shownIn !== former.policy.shownIn || policy.channel !== former.policy.channel;
  if (isElsewhere || former.decision?.choice !== 'yes') return undefined;
  const votes = former.votes.filter(
    (vote) => isButton(vote) || choiceOf(policy, vote.source) === vote.choice,
  );
  const times = { countedFrom: former.countedFrom, carried: countedFrom, carriedSince: votedSince(former) };
  const carried = { ...approval, votes, ...times };
  return verdict(carried).type === 'to_confirm' ? carried : undefined;
}

/** The start of the round in which the votes that count were cast. */
export const votedSince = ({ carriedSince, since }: Approval): number => carriedSince ?? since;

/** Lets no vote of the former round count any more, because these votes alone do not meet the policy. */
export function withoutCarriedVotes({ carried, carriedSince: _, ...approval }: Approval): Approval {
  return carried === undefined ? approval : { ...approval, countedFrom: carried };
}

/** Owes a confirmation if the votes reach the quorum, and none otherwise. */
export function withConfirmationOwed(approval: Approval, now: number): Approval {
  const { confirmation, ...rest } = approval;
  if (verdict(rest).type !== 'to_confirm') return rest;
  return { ...rest, confirmation: confirmation ?? { since: now, tries: 0, notBefore: now } };
}

/** `to_confirm`: the approvals reach the quorum; the reactions and the rights of the voters must be confirmed in Slack first. */
export type Verdict =
  | { type: 'open' }
  | { type: 'to_confirm' }
  | { type: 'decided'; choice: Choice; by: string[] };

type Votes = Pick<Approval, 'votes' | 'countedFrom' | 'carried'>;

/**
 * Finds the verdict. One vote against declines at once, since it can only keep something from being sent. Approvals
 * must reach the quorum, and decide only once they are confirmed.
 *
 * @param isConfirmed whether the vote is still in Slack and its voter still has the right to vote
 */
export function verdict(
  approval: Votes & { policy: Pick<Policy, 'quorum'> },
  isConfirmed: (vote: Vote) => boolean = () => false,
): Verdict {
  const standing = counted(approval);
  const no = standing.find(({ choice }) => choice === 'no');
  if (no) return { type: 'decided', choice: 'no', by: [no.by] };
  const { quorum } = approval.policy;
  if (standing.length < quorum) return { type: 'open' };
  const confirmed = standing.filter(isConfirmed);
  if (confirmed.length < quorum) return { type: 'to_confirm' };
  return { type: 'decided', choice: 'yes', by: confirmed.slice(0, quorum).map(({ by }) => by) };
}

/** The votes that count: each person's latest one that was not taken back, in the order of casting. */
export function counted(approval: Votes): Vote[] {
  const standing = standingIn(approval).sort((a, b) => a.addedAt - b.addedAt);
  return standing.filter((vote) => vote === standing.findLast(({ by }) => by === vote.by));
}

/**
 * The votes of this round that were not taken back. While carried votes are confirmed, a new approval does not count: it can't
 * replace one of them.
 */
function standingIn({ votes, countedFrom, carried = Number.POSITIVE_INFINITY }: Votes): Vote[] {
  const isOfRound = ({ addedAt, choice }: Vote) =>
    addedAt > countedFrom && (addedAt <= carried || choice === 'no');
  return votes.filter((vote) => isStanding(vote) && isOfRound(vote));
}

/** The people whose approvals count, in the order of casting. */
export const approvers = (approval: Votes): string[] =>
  counted(approval).flatMap(({ by, choice }) => (choice === 'yes' ? [by] : []));

export const isButton = ({ source }: Pick<Vote, 'source'>): boolean => source === BUTTON;

/** Whether a vote is in effect: it was not taken back since it was cast. */
export const isStanding = ({ addedAt, removedAt }: Vote) => addedAt > removedAt;

/** The sources of a person's approvals that stand in this round. They count as one. */
export const sourcesOfApproval = ({ votes, countedFrom }: Votes, person: string): string[] =>
  votes.flatMap((vote) => {
    const { by, choice, addedAt, source } = vote;
    return by === person && choice === 'yes' && addedAt > countedFrom && isStanding(vote) ? source : [];
  });

type VoteKey = Pick<Vote, 'by' | 'source' | 'choice'>;

/** Whether two entries are the same vote of one person, who may have cast and taken it back several times. */
export const isSameVote = (a: VoteKey, b: VoteKey): boolean =>
  a.by === b.by && a.source === b.source && a.choice === b.choice;

/** Whether a vote by this source is in effect. */
export const stands = (votes: readonly Vote[], key: VoteKey): boolean =>
  votes.some((vote) => isSameVote(vote, key) && isStanding(vote));

/** Whether a vote by this source is in effect, and of this round. */
export const standsInRound = (approval: Votes, key: VoteKey): boolean =>
  standingIn(approval).some((vote) => isSameVote(vote, key));

/**
 * The votes of this round by reaction whose reaction is no longer on the message. Votes of a former round are left out: their
 * reactions may be on another message.
 */
export function votesGone(
  approval: Votes,
  reactions: readonly { emoji: string; users: readonly string[] }[],
): Vote[] {
  const isThere = ({ source, by }: Vote) =>
    reactions.some(({ emoji, users }) => emoji === source && users.includes(by));
  return standingIn(approval).filter((vote) => !isButton(vote) && !isThere(vote));
}

/** A vote that was added or taken back. `moment`: microseconds by Slack's clock. */
export type VoteChange = VoteKey & { added: boolean; moment: number };

/** Applies a change. @returns the votes; the same array if the change is a repeat or older than the known vote */
export function applyVote(votes: Vote[], change: VoteChange): Vote[] {
  const { added, moment, ...key } = change;
  const known = votes.find((vote) => isSameVote(vote, key)) ?? { ...key, addedAt: 0, removedAt: 0 };
  const last = added ? known.addedAt : known.removedAt;
  if (moment <= last) return votes;
  const next = { ...known, ...(added ? { addedAt: moment } : { removedAt: moment }) };
  return [...votes.filter((vote) => !isSameVote(vote, key)), next];
}

/** The number of entries that are kept, more than any honest vote needs. Dropped entries are only counted. */
const MOST_ENTRIES = 300;

type VotingHistory = Pick<Approval, 'history' | 'forgotten'>;

/** Adds an entry to the history. Refusals are dropped first, so that people without a vote can't fill it up. */
export function withEntry<T extends VotingHistory>(approval: T, entry: Omit<VoteEntry, 'n'>): T {
  const history = [...approval.history, { ...entry, n: lastEntry(approval) + 1 }];
  if (history.length <= MOST_ENTRIES) return { ...approval, history };
  const oldestRefusal = history.findIndex(({ type }) => type === 'refused');
  const kept = history.toSpliced(Math.max(0, oldestRefusal), 1);
  return { ...approval, history: kept, forgotten: approval.forgotten + 1 };
}

/** The number of the last entry that was added. */
export const lastEntry = ({ history, forgotten }: VotingHistory): number => history.length + forgotten;
