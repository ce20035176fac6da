/** Models the messages of a request besides the card and the replies: to approvers, to an admin, or in the thread. */
import { z } from 'zod';
import { Delivery } from '../../outbox/delivery.ts';
import { ApproversProblem } from './approvals/problems.ts';
import { MessageKey } from './message.ts';

const NotificationContent = z.discriminatedUnion('type', [
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
  /** Tells the requester that nobody knows yet whether this message was posted. */
  z.object({ type: z.literal('unclear'), about: MessageKey }),
  /**
   * Tells a person that their reaction was not counted: it is on a second copy of a message or, with `stays`, on the
   * copy that has replaced the first one.
   */
  z.object({ type: z.literal('misplaced_vote'), voter: z.string(), stays: z.literal(true).optional() }),
]);
export type NotificationContent = z.infer<typeof NotificationContent>;

const Numbered = z.object({
  n: z.number(),
  at: z.number(),
  delivery: Delivery,
  /** The recipient takes no direct messages, so the message goes to the card's channel. */
  inChannel: z.literal(true).optional(),
  /** The message no longer says what is true, and is to be changed once it is posted. */
  edit: z.object({ tries: z.number(), notBefore: z.number() }).optional(),
});

export const RequestNotification = z.intersection(NotificationContent, Numbered);
export type RequestNotification = z.infer<typeof RequestNotification>;
