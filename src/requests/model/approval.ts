/**
 * Counts the votes on a request and finds the verdict, which is the same in whatever order Slack delivers them. Keeps the
 * history of the votes, within a bound.
 */
import { z } from 'zod';
import { Choice } from './cause.ts';
import { ApproversProblem, choiceOf, Policy, VoteProblem } from './policy.ts';
import { EarlierRequest } from './request-status.ts';

/** The source of a vote by button; other sources are names of emoji. */
export const BUTTON = 'button';

/**
 * One person's vote by one source: the button or one emoji. `addedAt` and `removedAt` are the latest such moments,
 * microseconds by Slack's clock; 0: never. Both are kept to recognize late redeliveries.
 */
export const Vote = z.object({
  by: z.string(),
  source: z.string(),
  choice: Choice,
  addedAt: z.number(),
  removedAt: z.number(),
});
export type Vote = z.infer<typeof Vote>;

type VoteTally = { votes: readonly Vote[]; policy: Pick<Policy, 'quorum'>; countedFrom: number };

/** A vote that was added or taken back. */
export type VoteChange = Pick<Vote, 'by' | 'source' | 'choice'> & { added: boolean; moment: number };

/** Applies a change. @returns the votes; the same array if the change is a repeat or older than the known vote */
export function applyVote(votes: readonly Vote[], change: VoteChange): readonly Vote[] {
  const { added, moment, ...key } = change;
  const known = votes.find((vote) => isSame(vote, key)) ?? { ...key, addedAt: 0, removedAt: 0 };
  const last = added ? known.addedAt : known.removedAt;
  if (moment <= last) return votes;
  const next = { ...known, ...(added ? { addedAt: moment } : { removedAt: moment }) };
  return [...votes.filter((vote) => !isSame(vote, key)), next];
}

const isSame = (a: Vote, b: Pick<Vote, 'by' | 'source' | 'choice'>) =>
  a.by === b.by && a.source === b.source && a.choice === b.choice;

/** Whether a vote by this source is in effect. */
export function stands(votes: readonly Vote[], said: Pick<Vote, 'by' | 'source' | 'choice'>): boolean {
  return votes.some((vote) => isSame(vote, said) && vote.addedAt > vote.removedAt);
}

/** The votes that count: each person's latest one that was not taken back, in the order of casting. */
export function counted({ votes, countedFrom }: Omit<VoteTally, 'policy'>): Vote[] {
  const latest = new Map<string, Vote>();
  for (const vote of votes) {
    const other = latest.get(vote.by);
    const isStanding = vote.addedAt > vote.removedAt && vote.addedAt > countedFrom;
    if (isStanding && (!other || other.addedAt < vote.addedAt)) latest.set(vote.by, vote);
  }
  return [...latest.values()].sort((a, b) => a.addedAt - b.addedAt);
}

/** The people whose approvals count, in the order of casting. */
export const approvers = (tally: Omit<VoteTally, 'policy'>): string[] =>
  counted(tally).flatMap(({ by, choice }) => (choice === 'yes' ? [by] : []));

export type Verdict =
  | { type: 'open' }
  /**
   * The approvals reach the quorum. The reactions in Slack and the rights of the voters must be confirmed before they
   * decide.
   */
  | { type: 'to_confirm' }
  | { type: 'decided'; choice: Choice; by: string[] };

/**
 * Finds the verdict. One vote against declines at once, since it can only keep something from being sent. Approvals
 * must reach the quorum, and decide only once they are confirmed.
 *
 * @param isConfirmed whether the vote is still in Slack and its voter still has the right to vote
 */
export function verdict(tally: VoteTally, isConfirmed: (vote: Vote) => boolean = () => false): Verdict {
  const standing = counted(tally);
  const no = standing.find(({ choice }) => choice === 'no');
  if (no) return { type: 'decided', choice: 'no', by: [no.by] };
  const { quorum } = tally.policy;
  if (standing.length < quorum) return { type: 'open' };
  const confirmed = standing.filter(isConfirmed);
  if (confirmed.length < quorum) return { type: 'to_confirm' };
  return { type: 'decided', choice: 'yes', by: confirmed.slice(0, quorum).map(({ by }) => by) };
}

export const isButton = ({ source }: Vote): boolean => source === BUTTON;

/** The votes by reaction that are no longer on the message. */
export function missing(
  votes: readonly Vote[],
  standing: readonly { emoji: string; users: readonly string[] }[],
): Vote[] {
  const isThere = ({ source, by }: Vote) =>
    standing.some(({ emoji, users }) => emoji === source && users.includes(by));
  return votes.filter((vote) => !isButton(vote) && vote.addedAt > vote.removedAt && !isThere(vote));
}

/**
 * An entry in the voting history. `gone`: the message was read, and the reaction is not there. `void`: the voter has
 * lost the right to vote since.
 */
export const VoteEntry = z.object({
  /** Counted from 1; entries that were dropped count, too. */
  n: z.number(),
  at: z.number(),
  by: z.string(),
  type: z.enum(['voted', 'taken_back', 'gone', 'void', 'refused']),
  choice: Choice,
  source: z.string(),
  problem: VoteProblem.optional(),
});
export type VoteEntry = z.infer<typeof VoteEntry>;

/** `forgotten`: the number of entries dropped from the history. */
type VotingHistory = { history: VoteEntry[]; forgotten: number };

/** The number of entries that are kept, more than any honest vote needs. Those that are dropped are only counted. */
const MOST_ENTRIES = 300;

/** Adds an entry to the history. Refusals are dropped first, so that people without a vote can't fill it up. */
export function withEntry<T extends VotingHistory>(approval: T, entry: Omit<VoteEntry, 'n'>): T {
  const next = [...approval.history, { ...entry, n: lastEntry(approval) + 1 }];
  const kept = next.length > MOST_ENTRIES ? next.toSpliced(leastWanted(next), 1) : next;
  return { ...approval, history: kept, forgotten: approval.forgotten + next.length - kept.length };
}

/** The number of the last entry that was added. */
export const lastEntry = ({ history, forgotten }: VotingHistory): number => history.length + forgotten;

/** The index of the oldest refusal or, if there is none, of the oldest entry. */
function leastWanted(history: readonly VoteEntry[]): number {
  return Math.max(
    0,
    history.findIndex(({ type }) => type === 'refused'),
  );
}

/** Models the approval of a request: the policy under which it is requested, the votes and the decision. */

const Decision = z.object({
  choice: Choice,
  by: z.array(z.string()).min(1),
  at: z.number(),
  /** BUTTON, which asks for a reason, or the emoji of a reaction. */
  source: z.string(),
  reason: z.string().optional(),
  /** The time of the reason, if it was given after the decision; epoch milliseconds. */
  reasonAt: z.number().optional(),
  /** Set when the reason was removed for readers who may not see it (channels.ts). Never stored. */
  withheld: z.literal(true).optional(),
});
export type Decision = z.infer<typeof Decision>;

/**
 * `since`: when the quorum was reached. `problem`: why the last try to confirm it failed. All times: epoch
 * milliseconds.
 */
const Confirmation = z.object({
  since: z.number(),
  tries: z.number(),
  notBefore: z.number(),
  problem: ApproversProblem.optional(),
});

export const Approval = z.object({
  /** The policy under which approval is requested. */
  policy: Policy,
  /** Counted from 1; a resend may need approval again. */
  round: z.number(),
  /** The start of the wait for approval, epoch milliseconds. */
  since: z.number(),
  votes: z.array(Vote),
  /**
   * The moment after which votes count, microseconds by Slack's clock: that at which approval was requested again; 0 in the
   * first round.
   */
  countedFrom: z.number(),
  /**
   * Set while the votes of the former round are confirmed for a request that is sent again. They count instead of new votes
   * if they meet the policy; otherwise no vote up to this moment does. Microseconds by Slack's clock.
   */
  carried: z.number().optional(),
  history: z.array(VoteEntry),
  /** The number of entries dropped from the history. */
  forgotten: z.number(),
  problem: ApproversProblem.optional(),
  /** Present while the votes reach the quorum and are not confirmed yet. */
  confirmation: Confirmation.optional(),
  decision: Decision.optional(),
  earlier: z.array(EarlierRequest),
});
export type Approval = z.infer<typeof Approval>;

/** The parts of a new approval. `problem`: why nobody can vote at present. */
export type NewApproval = Pick<Approval, 'policy' | 'earlier'> & { problem?: ApproversProblem | undefined };

/** `former`: the earlier approval of the same request. `moment`: of the click, microseconds by Slack's clock, if known. */
type Again = { former: Approval; moment: number | undefined };

/**
 * Creates an approval.
 *
 * @param now epoch milliseconds
 * @param again set if approval is requested again
 */
export function newApproval({ policy, earlier }: NewApproval, now: number, again?: Again): Approval {
  const { former } = again ?? {};
  const round = former ? former.round + 1 : 1;
  return {
    policy,
    round,
    since: now,
    votes: former?.votes ?? [],
    countedFrom: again ? momentOfAskingAgain(again) : 0,
    history: former?.history ?? [],
    forgotten: former?.forgotten ?? 0,
    earlier,
  };
}

/**
 * The moment after which votes count, when approval is requested again: earlier votes do not, however late Slack
 * delivers them. Only Slack's own times are compared, because our clock may be minutes off.
 */
function momentOfAskingAgain({ former: { votes }, moment = 0 }: Again): number {
  return Math.max(moment, ...votes.map(({ addedAt, removedAt }) => Math.max(addedAt, removedAt)));
}

/**
 * Lets the votes of the former round count again, as far as they fit the policy of the new one; undefined if these do not
 * reach its quorum, or if approval is requested in another place now.
 */
export function withCarriedVotes(approval: Approval, former: Approval): Approval | undefined {
  const { policy, countedFrom } = approval;
  const isElsewhere = policy.shownIn !== former.policy.shownIn || policy.channel !== former.policy.channel;
  if (isElsewhere || former.decision?.choice !== 'yes') return undefined;
  const votes = former.votes.filter(
    ({ source, choice }) => source === BUTTON || choiceOf(policy, source) === choice,
  );
  const carried = { ...approval, votes, countedFrom: former.countedFrom, carried: countedFrom };
  return verdict(carried).type === 'to_confirm' ? carried : undefined;
}

/** Owes a confirmation if the votes reach the quorum, and none otherwise. @param now epoch milliseconds */
export function withConfirmationOwed(approval: Approval, now: number): Approval {
  const { confirmation, ...rest } = approval;
  if (verdict(rest).type !== 'to_confirm') return rest;
  return { ...rest, confirmation: confirmation ?? { since: now, tries: 0, notBefore: now } };
}
