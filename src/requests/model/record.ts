/** Defines the record of one request, the single source of truth. */
import { z } from 'zod';
import { Approval, type NewApproval, newApproval } from './approvals/approval.ts';
import { Answer, Cause, ServiceEvent, WaitingReason } from './cause.ts';
import { Delivery, Destination } from './delivery.ts';
import { KIND_NAMES, KINDS, type Kind } from './kinds.ts';
import { MessageKey } from './message-key.ts';
import { RequestNotification, withProblem } from './notification.ts';
import { STATE_NAMES, STATES } from './states.ts';
import { newTrackedMessage, TrackedMessage } from './tracked-message.ts';

const Reply = z.object({ to: Destination, delivery: Delivery });
export type Reply = z.infer<typeof Reply>;

/** One entry into a state. A second entry into the same state is a new step with its own reply. */
export const Step = z.object({
  n: z.number(),
  state: z.enum(STATE_NAMES),
  at: z.number(),
  cause: Cause,
  /**
   * The certain result of the call that this step began; unset if its answer was lost. `answered`: the service told the
   * outcome; `accepted`: it did not.
   */
  callResult: z.enum(['answered', 'accepted', 'refused', 'not_received']).optional(),
  reply: Reply.optional(),
});
export type Step = z.infer<typeof Step>;

const ClaimFields = { owner: z.string(), startedAt: z.number(), expiresAt: z.number() };

/** Names who performs which effect, and until when nobody else may (design: "record, claim, perform, apply"). */
export const Claim = z.discriminatedUnion('effect', [
  z.object({ effect: z.enum(['post', 'find', 'update']), messageKey: MessageKey, ...ClaimFields }),
  z.object({ effect: z.literal('tidy'), messageKey: MessageKey, to: Destination.optional(), ...ClaimFields }),
  z.object({ effect: z.literal('confirm_votes'), ...ClaimFields }),
  z.object({ effect: z.literal('call'), attempt: z.number(), ...ClaimFields }),
]);
export type Claim = z.infer<typeof Claim>;

const Shape = z.object({
  id: z.string(),
  workspace: z.string(),
  version: z.number(),
  kind: z.enum(KIND_NAMES),
  target: z.string(),
  reason: z.string(),
  requester: z.string(),
  createdAt: z.number(),
  /** The channel of the card. */
  channel: z.string(),
  /** Whether people of another company read that channel, as last observed. If so, no reason is shown there. */
  inSharedChannel: z.boolean().default(false),
  state: z.enum(STATE_NAMES),
  /** False if an event reopened the request while another request held the slot of its target. */
  holdsSlot: z.boolean(),
  steps: z.array(Step).min(1),
  /** Present if this kind of request needed approval when it was created. */
  approval: Approval.optional(),
  notifications: z.array(RequestNotification).default([]),
  /** Counts the changes visible on the card; `card.shown` is the revision that the card shows. */
  revision: z.number(),
  /** The service's own word for the state, if the interface does not list it. */
  word: z.string().optional(),
  card: TrackedMessage,
  call: z.object({
    attempts: z.number(),
    notBefore: z.number(),
    /** Why the last call was certainly not received, and is tried again. */
    waiting: WaitingReason.optional(),
    /** The service's time of the request, epoch milliseconds. Events are matched by it. */
    requestedAt: z.number().optional(),
  }),
  claim: Claim.optional(),
  /** Events received during a call. They are applied after its answer. */
  bufferedEvents: z.array(ServiceEvent),
  /** Answers to earlier calls, kept while a later call is under way or in doubt (apply-call.ts). */
  lateAnswers: z.array(z.object({ attempt: z.number(), answer: Answer })).default([]),
  /** The last applied event, and the digests of events without a time. */
  appliedEvents: z.object({
    last: ServiceEvent.pick({ status: true, word: true }).extend({ updatedAt: z.number() }).optional(),
    digests: z.array(z.string()),
  }),
});
export type RequestRecord = z.infer<typeof Shape>;

/** Keeps fields that a newer version wrote, so an older version can write the record back. */
export const RequestRecord: z.ZodType<RequestRecord> = Shape.loose();

export type NewRequest = Pick<
  RequestRecord,
  'id' | 'workspace' | 'kind' | 'target' | 'reason' | 'requester' | 'channel'
> &
  Partial<Pick<RequestRecord, 'inSharedChannel'>>;

/** Creates a request, awaiting approval or queued. Its card is owed, and nothing is sent yet. */
export function newRecord(request: NewRequest, now: number, approval?: NewApproval): RequestRecord {
  const state = approval ? 'awaiting_approval' : 'queued';
  const record: RequestRecord = {
    inSharedChannel: false,
    ...request,
    version: 1,
    createdAt: now,
    state,
    holdsSlot: true,
    steps: [{ n: 1, state, at: now, cause: { type: 'requested', by: request.requester } }],
    ...(approval ? { approval: newApproval(approval, now) } : {}),
    notifications: [],
    revision: 1,
    card: newTrackedMessage(now),
    call: { attempts: 0, notBefore: now },
    bufferedEvents: [],
    lateAnswers: [],
    appliedEvents: { digests: [] },
  };
  return withProblem(record, approval?.problem, now);
}

/**
 * The target that two requests of a workspace may not work on at once. Sending and cancelling an offer share one. So do
 * two ids that differ only in the case of ASCII letters, because they may name the same order.
 */
export function subjectOf(kind: Kind, target: string): string {
  return `${KINDS[kind].resource}:${target.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}`;
}

/** The slot of an open record: its subject. */
export function slotOf(record: RequestRecord): string | undefined {
  const open = record.holdsSlot && STATES[record.state].slot;
  return open ? subjectOf(record.kind, record.target) : undefined;
}

/** The step that entered the current state. */
export function currentStep(record: RequestRecord): Step {
  return record.steps.at(-1) as Step;
}

/** Lists the channels that show the request: the card's channel and the approvers' channel. */
export function channelsOf({ channel, approval }: RequestRecord): string[] {
  const { policy, approvalMessage } = approval ?? {};
  return approvalMessage && policy?.channel !== undefined ? [channel, policy.channel] : [channel];
}

/** The destination of a notification: the thread of a message, one person or, if that is refused, a channel. */
export function destinationOfNotification(
  record: RequestRecord,
  notification: RequestNotification,
): { under: TrackedMessage } | { person: string } | { channel: string } {
  if (notification.inChannel) return { channel: record.channel };
  switch (notification.type) {
    case 'reason':
    case 'unheard':
    case 'shared':
      return { under: record.card };
    case 'reminder':
    case 'approval_requested_again':
      return { under: votedOn(record) };
    case 'why':
      return { person: record.approval?.decision?.by[0] ?? record.requester };
    case 'alarm':
      return { person: record.approval?.policy.setBy ?? record.requester };
    case 'unclear':
      return { person: record.requester };
    case 'misplaced_vote':
      return { person: notification.voter };
  }
}

/** The message that approvers react to: the approval message, or the card if there is none. */
export function votedOn({ approval, card }: RequestRecord): TrackedMessage {
  return approval?.approvalMessage ?? card;
}

/** The channel of the message that approvers react to. */
export const channelOfVotes = ({ approval, channel }: RequestRecord): string | undefined =>
  approval?.approvalMessage ? approval.policy.channel : channel;
