/** The part of a record that tells of its approval: the policy in force when it was asked, the votes, the decision. Pure. */
import { z } from 'zod';
import { Standing } from '../facts/summary.ts';
import { KIND_NAMES } from '../kinds.ts';
import { newPost, Post } from '../tracked-message.ts';
import { Choice, Policy } from './policy.ts';
import { Vote, verdict } from './votes.ts';

/** Why nobody can vote at present: nothing is sent until it is mended (invariant 10). */
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

/** What we can see of the approvers: a vote that may be cast, their message posted or changed, their votes confirmed. */
export type Sight = 'vote' | 'post' | 'update' | 'look';

const ANY: readonly Sight[] = ['vote', 'post', 'update', 'look'];

/** What shows that a trouble is over. A message is posted only after a look at the channel; it is changed without one. */
export const MENDED_BY: Readonly<Record<ApproversProblem, readonly Sight[]>> = {
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

/** Why a vote does not count. */
export const VoterProblem = z.enum([
  ...ApproversProblem.options,
  'stranger',
  'bot',
  'deactivated',
  'guest',
  'own_request',
  'not_approver',
]);
export type VoterProblem = z.infer<typeof VoterProblem>;

/**
 * What happened to votes, for the history. `gone`: the message was read, and the reaction does not stand there.
 * `void`: the voter has lost the right to vote since.
 */
export const VoteEntry = z.object({
  at: z.number(),
  by: z.string(),
  type: z.enum(['voted', 'taken_back', 'gone', 'void', 'refused']),
  choice: Choice,
  source: z.string(),
  problem: VoterProblem.optional(),
  /** How often the same thing happened. */
  times: z.number(),
});
export type VoteEntry = z.infer<typeof VoteEntry>;

export const Decision = z.object({
  choice: Choice,
  by: z.array(z.string()).min(1),
  at: z.number(),
  /** Whether it was made by the button, which has asked for a reason, or by a reaction. */
  source: z.string(),
  reason: z.string().optional(),
  /** The reason is left out for those who may not read it (reasons.ts). Never stored. */
  withheld: z.literal(true).optional(),
});
export type Decision = z.infer<typeof Decision>;

/** An earlier request for the same target, as it stood when this one was asked. */
export const Earlier = Standing.extend({
  id: z.string(),
  kind: z.enum(KIND_NAMES),
  /** It may differ in the case of its letters. */
  target: z.string(),
  asker: z.string(),
  askedAt: z.number(),
});
export type Earlier = z.infer<typeof Earlier>;

/** `since`: when the quorum was reached. `problem`: why the last try could not confirm it. All times: epoch milliseconds. */
const Confirmation = z.object({
  since: z.number(),
  tries: z.number(),
  notBefore: z.number(),
  problem: ApproversProblem.optional(),
});
export type Confirmation = z.infer<typeof Confirmation>;

export const Approval = z.object({
  /** As it was when this was asked. */
  policy: Policy,
  /** Counted from 1: sending it again may need approval again. */
  round: z.number(),
  /** Since when approval is awaited, epoch milliseconds. */
  since: z.number(),
  votes: z.array(Vote),
  /** Only votes made after this count, microseconds by Slack's clock: 0, or when approval was asked for again. */
  countedFrom: z.number(),
  history: z.array(VoteEntry),
  /** How many entries were left out of it. */
  forgotten: z.number(),
  problem: ApproversProblem.optional(),
  /** The request as it is shown in the approvals channel; absent: the card is voted on. */
  ballot: Post.optional(),
  /** Present while the approvals reach the quorum and are not confirmed. */
  confirmation: Confirmation.optional(),
  reminded: z.boolean(),
  decision: Decision.optional(),
  earlier: z.array(Earlier),
});
export type Approval = z.infer<typeof Approval>;

/** What is known about an approval when it is asked for; `problem`: why nobody can vote at present. */
export type NewApproval = Pick<Approval, 'policy' | 'earlier'> & { problem?: ApproversProblem | undefined };

/** @param now epoch milliseconds @param former that of the same request, which is asked for again */
export function newApproval({ policy, earlier }: NewApproval, now: number, former?: Approval): Approval {
  const ballot = policy.shownIn === 'approvals_channel' ? ballotFor(policy, now, former) : undefined;
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
    ...(ballot ? { ballot } : {}),
  };
}

/** What the approvers were shown the first time serves again, if it still stands where they look. */
function ballotFor({ channel }: Policy, now: number, former: Approval | undefined): Post {
  const { delivery } = former?.ballot ?? {};
  const isThere = delivery?.status === 'posted' && delivery.channel === channel;
  return isThere && former?.ballot ? former.ballot : newPost(now);
}

/** How far our clock and Slack's may lie apart. */
const SKEW_MS = 5_000;

/** What was voted the first time does not count the second time, however late Slack tells of it. */
function momentOfAskingAgain({ votes }: Approval, now: number): number {
  const known = votes.map(({ addedAt, removedAt }) => Math.max(addedAt, removedAt));
  return Math.max(0, (now - SKEW_MS) * 1_000, ...known);
}

/** The approval, which owes a confirmation exactly while its votes reach the quorum. */
export function withConfirmationOwed(approval: Approval, now: number): Approval {
  const { confirmation, ...rest } = approval;
  if (verdict(rest).type !== 'to_confirm') return rest;
  return { ...rest, confirmation: confirmation ?? { since: now, tries: 0, notBefore: now } };
}

/** More than any honest vote needs; what is older is counted instead. */
const MOST_ENTRIES = 300;

/**
 * The approval with one more entry in its history. The same thing in a row is one entry, and so are all refusals of one
 * person for one reason: whoever may not vote must not fill it up.
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

/** The oldest refusal or, where there is none, the oldest entry. */
function leastWanted(history: readonly VoteEntry[]): number {
  return Math.max(
    0,
    history.findIndex(({ type }) => type === 'refused'),
  );
}
