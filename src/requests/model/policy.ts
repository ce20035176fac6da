/**
 * Defines the approval policy of a kind of request (who approves, and how they are asked), and the problems of approvers
 * and voters.
 */
import { z } from 'zod';
import type { Choice } from './cause.ts';

export const QUORUM_MAX = 5;
/** Our own bound for named approvers: all of them are mentioned in one message. */
export const PEOPLE_MAX = 25;

/** Names of emoji as Slack writes them, its own and those that a workspace has made. */
export const EMOJI_NAME: RegExp = /^[\p{Ll}\p{Lo}\p{N}_'+-]{1,100}$/u;

export const Policy = z.object({
  /** The people who may vote. `channel`: the members of the policy's `channel`. */
  approvers: z.discriminatedUnion('type', [
    z.object({ type: z.literal('group'), group: z.string() }),
    z.object({ type: z.literal('people'), people: z.array(z.string()).min(1).max(PEOPLE_MAX) }),
    z.object({ type: z.literal('channel') }),
  ]),
  /** The approvals channel: private and unshared. */
  channel: z.string().optional(),
  /** The place where approvers see the request: in the approvals channel, or where it was made. */
  shownIn: z.enum(['approvals_channel', 'where_requested']),
  quorum: z.int().min(1).max(QUORUM_MAX),
  emoji: z.object({ yes: z.string().regex(EMOJI_NAME), no: z.string().regex(EMOJI_NAME) }),
  /** The time for approval, milliseconds. */
  expiresAfterMs: z.int().positive(),
  /** Whether the approvers get one reminder, at half of that time. */
  reminds: z.boolean(),
  mayWithdraw: z.boolean(),
  /** The admin who set the policy, and who is notified when nobody can meet it. */
  setBy: z.string(),
});
export type Policy = z.infer<typeof Policy>;

export const DEFAULT_EMOJI = { yes: 'white_check_mark', no: 'x' } as const;

/** Whether two policies ask for the same approval, whoever set them. Both are parsed for a stable order of keys. */
export function isSamePolicy(a: Policy | undefined, b: Policy | undefined): boolean {
  const [one, other] = [a, b].map(
    (policy) => policy && JSON.stringify(Policy.parse({ ...policy, setBy: '' })),
  );
  return one === other;
}

export const usesChannel = ({ approvers, shownIn }: Policy): boolean =>
  approvers.type === 'channel' || shownIn === 'approvals_channel';

/** The vote of an emoji; undefined: none. Skin tones are ignored. */
export const choiceOf = ({ emoji }: Policy, reaction: string): Choice | undefined =>
  (['yes', 'no'] as const).find((choice) => emoji[choice] === plainEmoji(reaction));

/**
 * The name of an emoji without its skin tone (https://docs.slack.dev/reference/methods/reactions.add), or its two: where an emoji
 * shows two people, "handshake::skin-tone-2-5" has one for each (https://github.com/iamcal/emoji-data, `skin_variations`).
 */
export const plainEmoji = (reaction: string): string => reaction.replace(/::skin-tone-[1-6](?:-[1-6])?$/, '');

/**
 * Observations about the approvers: a vote by one who may, their message posted or updated, their votes confirmed, enough of
 * them counted in a place where they can vote.
 */
export type Evidence = 'vote' | 'post' | 'update' | 'confirmation' | 'count';

const ANY: readonly Evidence[] = ['vote', 'post', 'update', 'confirmation', 'count'];

/**
 * Reasons why nobody can vote at present, each with the evidence that it is fixed. Nothing is sent until then (promise 10).
 * Posting a message checks the channel first; updating one does not.
 */
const CLEARED_BY = {
  group_unreadable: ['vote', 'count'],
  // A vote has the approvers counted again (use-cases/approvals/vote.ts): it alone shows nothing of the others.
  too_few: ['count'],
  reactions_unreadable: ['confirmation'],
  approvers_unreadable: ['confirmation'],
  channel_not_visible: ANY,
  channel_not_private: ['vote', 'post', 'count'],
  channel_shared: ['vote', 'post', 'count'],
  channel_archived: ANY,
  channel_not_member: ANY,
  channel_refused: ['post', 'update'],
} satisfies Record<string, readonly Evidence[]>;

export const ApproversProblem = z.enum(Object.keys(CLEARED_BY) as (keyof typeof CLEARED_BY)[]);
export type ApproversProblem = z.infer<typeof ApproversProblem>;

export const isClearedBy = (problem: ApproversProblem, evidence: Evidence): boolean =>
  CLEARED_BY[problem].some((each) => each === evidence);

/** Reasons why a person may never vote. A guest is not among them: guests may become members. */
export const OutsiderProblem = z.enum(['external_user', 'bot']);

/** Reasons why a vote does not count. */
export const VoterProblem = z.enum([
  ...ApproversProblem.options,
  ...OutsiderProblem.options,
  'deactivated',
  'guest',
  'own_request',
  'own_retry',
  'not_approver',
]);
export type VoterProblem = z.infer<typeof VoterProblem>;

/** Reasons why a vote did not count, in the history. `paused`: it would have decided while sending was paused. */
export const VoteProblem = z.enum([...VoterProblem.options, 'paused']);
export type VoteProblem = z.infer<typeof VoteProblem>;
