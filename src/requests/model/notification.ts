/** Models the messages of a request besides the card and the replies: to approvers, to an admin, or in the thread. */
import { z } from 'zod';
import { ApproversProblem, CLEARED_BY, type Evidence } from './approvals/approval.ts';
import { Delivery, owed } from './delivery.ts';
import { deliveryOf, MessageKey } from './message-key.ts';
import type { RequestRecord } from './record.ts';
import { STATES } from './states.ts';

const NotificationContent = z.discriminatedUnion('type', [
  /** Reminds the approvers, at half of the time. */
  z.object({ type: z.literal('reminder') }),
  /** Asks the approvers again about a request that they have seen before. */
  z.object({ type: z.literal('approval_requested_again') }),
  /** Asks the person who declined by a reaction for a reason. */
  z.object({ type: z.literal('why') }),
  /** Gives the requester a reason that was added later. */
  z.object({ type: z.literal('reason') }),
  /** Tells the admin who set the policy that nobody can vote. */
  z.object({ type: z.literal('alarm'), problem: ApproversProblem }),
  /** Tells the requester that this admin could not be reached. */
  z.object({ type: z.literal('unheard') }),
  /** Tells the requester that another company now reads the card's channel. */
  z.object({ type: z.literal('shared') }),
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

/** Adds a notification to the record. */
export function withNotification(
  record: RequestRecord,
  about: NotificationContent,
  now: number,
): RequestRecord {
  const notification: RequestNotification = {
    ...about,
    n: record.notifications.length + 1,
    at: now,
    delivery: owed(now),
  };
  return { ...record, notifications: [...record.notifications, notification] };
}

/** Owes a change of all notifications of a type, which say something else by now. */
export function withEdit(
  record: RequestRecord,
  type: NotificationContent['type'],
  now: number,
): RequestRecord {
  const edit = { tries: 0, notBefore: now };
  const notifications = record.notifications.map((each) => (each.type === type ? { ...each, edit } : each));
  return { ...record, notifications };
}

/** Sets or clears the current problem of the approvers. An admin is notified of each problem once. */
export function withProblem(
  record: RequestRecord,
  problem: ApproversProblem | undefined,
  now: number,
): RequestRecord {
  const { approval } = record;
  if (!approval || approval.problem === problem) return record;
  const { problem: _before, ...rest } = approval;
  const next = {
    ...record,
    revision: record.revision + 1,
    approval: { ...rest, ...(problem ? { problem } : {}) },
  };
  const isKnown = record.notifications.some(
    (notification) =>
      notification.type === 'alarm' && notification.problem === problem && notification.at >= approval.since,
  );
  return problem && !isKnown ? withNotification(next, { type: 'alarm', problem }, now) : next;
}

/** Clears the approver problem if this evidence shows that it is fixed. */
export function withEvidence(record: RequestRecord, evidence: Evidence, now: number): RequestRecord {
  const { problem } = record.approval ?? {};
  return problem && CLEARED_BY[problem].includes(evidence) ? withProblem(record, undefined, now) : record;
}

/** Whether a notification is still relevant. */
export function isStillWanted(record: RequestRecord, notification: RequestNotification): boolean {
  const { state, approval } = record;
  switch (notification.type) {
    case 'reminder':
    case 'approval_requested_again':
    case 'alarm':
    case 'unheard':
    case 'misplaced_vote':
      return STATES[state].votes;
    case 'shared':
      return STATES[state].slot;
    case 'why':
      // One that may be in Slack is looked for even so, since its button is to go.
      return (
        state === 'declined' &&
        (approval?.decision?.reason === undefined || notification.delivery.status === 'doubtful')
      );
    case 'unclear':
      return deliveryOf(record, notification.about)?.status === 'doubtful';
    case 'reason':
      return true;
  }
}
