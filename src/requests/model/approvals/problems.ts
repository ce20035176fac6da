/** Lists the problems of approvers and of voters. */
import { z } from 'zod';

/** Reasons why nobody can vote at present. Nothing is sent until the problem is fixed (promise 10). */
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
export type Evidence = 'vote' | 'post' | 'update' | 'confirmation';

const ANY: readonly Evidence[] = ['vote', 'post', 'update', 'confirmation'];

/** Evidence that clears each problem. Posting a message checks the channel first; updating one does not. */
export const CLEARED_BY: Readonly<Record<ApproversProblem, readonly Evidence[]>> = {
  group_unreadable: ['vote'],
  // A vote has the approvers counted again (vote.ts): it alone shows nothing of the others.
  too_few: [],
  reactions_unreadable: ['confirmation'],
  approvers_unreadable: ['confirmation'],
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
  'own_retry',
  'not_approver',
]);
export type VoterProblem = z.infer<typeof VoterProblem>;

/** Reasons why a vote did not count, in the history. `paused`: it would have decided while sending was paused. */
export const VoteProblem = z.enum([...VoterProblem.options, 'paused']);
export type VoteProblem = z.infer<typeof VoteProblem>;
