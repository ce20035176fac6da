/** Models the approval of a request: the policy under which it is requested, the votes and the decision. */
import { z } from 'zod';
import { Choice } from '../cause.ts';
import { EarlierRequest } from '../request-status.ts';
import { ApproversProblem, choiceOf, Policy } from './policy.ts';
import { BUTTON, Vote, VoteEntry, verdict } from './votes.ts';

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
