/** Models the approval of a request: the policy in force when it was created, the votes and the decision. */
import { z } from 'zod';
import { Summary } from '../facts/summary.ts';
import { KIND_NAMES } from '../kinds.ts';
import { newTrackedMessage, TrackedMessage } from '../tracked-message.ts';
import { Choice, Policy } from './policy.ts';
import { Vote, verdict } from './votes.ts';

/** Reasons why nobody can vote at present. Nothing is sent until the problem is fixed (invariant 10). */
export const ApproversProblem = z.enum([
  'group_unreadable',
  'too_few',
  'reactions_unreadable',
  'approvers_unreadable',
  'channel_not_visible',
  'channel_not_private',
  'channel_shared',
  'channel_archived',
  'channel_not_member',
  'channel_refused',
]);
export type ApproversProblem = z.infer<typeof ApproversProblem>;

/**
 * Observations about the approvers: a vote that may be cast, their message posted or updated, their votes confirmed.
 */
export type Evidence = 'vote' | 'post' | 'update' | 'look';

const ANY: readonly Evidence[] = ['vote', 'post', 'update', 'look'];

/** Evidence that clears each problem. Posting a message checks the channel first; updating one does not. */
export const CLEARED_BY: Readonly<Record<ApproversProblem, readonly Evidence[]>> = {
  group_unreadable: ['vote'],
  too_few: [],
  reactions_unreadable: ['look'],
  approvers_unreadable: ['look'],
  channel_not_visible: ANY,
  channel_not_member: ANY,
  channel_archived: ANY,
  channel_not_private: ['vote', 'post'],
  channel_shared: ['vote', 'post'],
  channel_refused: ['post', 'update'],
};

/** Reasons why a vote does not count. */
export const VoterProblem = z.enum([
  ...ApproversProblem.options,
  'external_user',
  'bot',
  'deactivated',
  'guest',
  'own_request',
  'not_approver',
]);
export type VoterProblem = z.infer<typeof VoterProblem>;

/**
 * An entry in the voting history. `gone`: the message was read, and the reaction is not there. `void`: the voter has
 * lost the right to vote since.
 */
export const VoteEntry = z.object({
  at: z.number(),
  by: z.string(),
  type: z.enum(['voted', 'taken_back', 'gone', 'void', 'refused']),
  choice: Choice,
  source: z.string(),
  problem: VoterProblem.optional(),
  /** The number of repetitions. */
  times: z.number(),
});
export type VoteEntry = z.infer<typeof VoteEntry>;

export const Decision = z.object({
  choice: Choice,
  by: z.array(z.string()).min(1),
  at: z.number(),
  /** BUTTON, which asks for a reason, or the emoji of a reaction. */
  source: z.string(),
  reason: z.string().optional(),
  /** Set when the reason was removed for readers who may not see it (reasons.ts). Never stored. */
  withheld: z.literal(true).optional(),
});
export type Decision = z.infer<typeof Decision>;

/** An earlier request for the same target, as it was when this one was created. */
export const Earlier = Summary.extend({
  id: z.string(),
  kind: z.enum(KIND_NAMES),
  /** May differ in the case of letters. */
  target: z.string(),
  requester: z.string(),
  createdAt: z.number(),
});
export type Earlier = z.infer<typeof Earlier>;

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
export type Confirmation = z.infer<typeof Confirmation>;

export const Approval = z.object({
  /** The policy in force when the request was created. */
  policy: Policy,
  /** Counted from 1; a resend may need approval again. */
  round: z.number(),
  /** The start of the wait for approval, epoch milliseconds. */
  since: z.number(),
  votes: z.array(Vote),
  /**
   * Votes count only if made after this, microseconds by Slack's clock: 0, or the moment of the repeated approval
   * request.
   */
  countedFrom: z.number(),
  history: z.array(VoteEntry),
  /** The number of entries dropped from the history. */
  forgotten: z.number(),
  problem: ApproversProblem.optional(),
  /** The message in the approvals channel; absent if people vote on the card. */
  approvalMessage: TrackedMessage.optional(),
  /** Present while the votes reach the quorum and are not confirmed yet. */
  confirmation: Confirmation.optional(),
  reminded: z.boolean(),
  decision: Decision.optional(),
  earlier: z.array(Earlier),
});
export type Approval = z.infer<typeof Approval>;

/** The facts for a new approval; `problem`: why nobody can vote at present. */
export type NewApproval = Pick<Approval, 'policy' | 'earlier'> & { problem?: ApproversProblem | undefined };

/**
 * Creates an approval.
 *
 * @param now epoch milliseconds
 * @param former the earlier approval of the same request, if approval is requested again
 */
export function newApproval({ policy, earlier }: NewApproval, now: number, former?: Approval): Approval {
  const approvalMessage =
    policy.shownIn === 'approvals_channel' ? approvalMessageFor(policy, now, former) : undefined;
  return {
    policy,
    round: former ? former.round + 1 : 1,
    since: now,
    votes: former?.votes ?? [],
    countedFrom: former ? momentOfAskingAgain(former, now) : 0,
    history: former?.history ?? [],
    forgotten: former?.forgotten ?? 0,
    reminded: false,
    earlier,
    ...(approvalMessage ? { approvalMessage } : {}),
  };
}

/** Reuses the former approval message if it is still in the right channel. */
function approvalMessageFor({ channel }: Policy, now: number, former: Approval | undefined): TrackedMessage {
  const { delivery } = former?.approvalMessage ?? {};
  const isThere = delivery?.status === 'posted' && delivery.channel === channel;
  return isThere && former?.approvalMessage ? former.approvalMessage : newTrackedMessage(now);
}

/** The largest difference between our clock and Slack's. */
const SKEW_MS = 5_000;

/**
 * The moment after which votes count, when approval is requested again: earlier votes do not, however late Slack
 * delivers them.
 */
function momentOfAskingAgain({ votes }: Approval, now: number): number {
  const known = votes.map(({ addedAt, removedAt }) => Math.max(addedAt, removedAt));
  return Math.max(0, (now - SKEW_MS) * 1_000, ...known);
}

/** Owes a confirmation exactly while the votes reach the quorum. */
export function withConfirmationOwed(approval: Approval, now: number): Approval {
  const { confirmation, ...rest } = approval;
  if (verdict(rest).type !== 'to_confirm') return rest;
  return { ...rest, confirmation: confirmation ?? { since: now, tries: 0, notBefore: now } };
}

/** More than any honest vote needs. Older entries are only counted. */
const MOST_ENTRIES = 300;

/**
 * Adds an entry to the history. Consecutive repetitions become one entry, and so do all refusals of one person for one
 * reason, so that people without a vote can't fill it up.
 */
export function withEntry(approval: Approval, entry: Omit<VoteEntry, 'times'>): Approval {
  const { history } = approval;
  const at = history.findLastIndex(
    (other, i) => isLike(other, entry) && (entry.type === 'refused' || i === history.length - 1),
  );
  if (at >= 0) {
    const counted = history.map((other, i) => (i === at ? { ...other, times: other.times + 1 } : other));
    return { ...approval, history: counted };
  }
  const next = [...history, { ...entry, times: 1 }];
  const kept = next.length > MOST_ENTRIES ? next.toSpliced(leastWanted(next), 1) : next;
  return { ...approval, history: kept, forgotten: approval.forgotten + next.length - kept.length };
}

function isLike(a: Omit<VoteEntry, 'times'>, b: Omit<VoteEntry, 'times'>): boolean {
  const same = a.by === b.by && a.type === b.type && a.problem === b.problem;
  return same && (a.type === 'refused' || a.choice === b.choice);
}

/** The index of the oldest refusal or, if there is none, of the oldest entry. */
function leastWanted(history: readonly VoteEntry[]): number {
  return Math.max(
    0,
    history.findIndex(({ type }) => type === 'refused'),
  );
}
