/** Models the notes about a request: its messages besides the card, the approval message and the replies. */
import { z } from 'zod';
import { ApproversProblem } from './approvals/policy.ts';

export const NoteContent = z.discriminatedUnion('type', [
  /** Reminds the approvers, at half of the time. */
  z.object({ type: z.literal('reminder') }),
  /** Asks the approvers again about a request that they have seen before. */
  z.object({ type: z.literal('approval_requested_again') }),
  /** Asks the person who declined by a reaction for a reason. */
  z.object({ type: z.literal('reason_wanted') }),
  /** Gives the requester a reason that was added later. */
  z.object({ type: z.literal('reason') }),
  /** Tells the admin who set the policy that nobody can vote. */
  z.object({ type: z.literal('alarm'), problem: ApproversProblem }),
  /** Tells the requester that this admin could not be reached. */
  z.object({ type: z.literal('admin_unreachable') }),
  /** Tells the requester that another company now reads the card's channel. */
  z.object({ type: z.literal('shared') }),
  /** Tells the requester that Slack has not taken the card yet, or not confirmed it, so that nothing is sent. */
  z.object({ type: z.literal('card_delayed') }),
  /** Tells the requester that nobody knows yet whether the message with this key was posted. */
  z.object({ type: z.literal('unclear'), about: z.string() }),
  /**
   * Tells a person that their reaction was not counted: it is on a second copy of a message or, with `stays`, on the
   * copy that has replaced the first one.
   */
  z.object({ type: z.literal('misplaced_vote'), voter: z.string(), stays: z.literal(true).optional() }),
]);
export type NoteContent = z.infer<typeof NoteContent>;
