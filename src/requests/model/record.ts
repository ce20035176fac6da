/** The record of one request: the single truth that everything is decided by. */
import { z } from 'zod';
import { Approval, type NewApproval, newApproval } from './approvals/approval.ts';
import { Answer, Cause, ServiceEvent, WaitingWhy } from './cause.ts';
import { Delivery, Destination } from './delivery.ts';
import { KIND_NAMES, KINDS, type Kind } from './kinds.ts';
import { Telling } from './message-key.ts';
import { Note, withProblem } from './notification.ts';
import { STATE_NAMES, STATES } from './states.ts';
import { newPost, Post } from './tracked-message.ts';

const Reply = z.object({ to: Destination, delivery: Delivery });
export type Reply = z.infer<typeof Reply>;

/** One entry into a state. Entering a state a second time is a new step with a reply of its own. */
export const Step = z.object({
  n: z.number(),
  state: z.enum(STATE_NAMES),
  at: z.number(),
  cause: Cause,
  /**
   * What is certain of the call that this step began; an answer that was lost leaves it open. `answered`: the service
   * said what became of it; `accepted`: it did not.
   */
  came: z.enum(['answered', 'accepted', 'refused', 'not_received']).optional(),
  reply: Reply.optional(),
});
export type Step = z.infer<typeof Step>;

const Held = { owner: z.string(), startedAt: z.number(), expiresAt: z.number() };

/** Who is doing which outside act, and until when nobody else may (design: "record, claim, act, record"). */
export const Claim = z.discriminatedUnion('act', [
  z.object({ act: z.enum(['post', 'find', 'update']), telling: Telling, ...Held }),
  z.object({ act: z.literal('tidy'), telling: Telling, to: Destination.optional(), ...Held }),
  z.object({ act: z.literal('confirm_votes'), ...Held }),
  z.object({ act: z.literal('call'), attempt: z.number(), ...Held }),
]);
export type Claim = z.infer<typeof Claim>;

const Shape = z.object({
  id: z.string(),
  workspace: z.string(),
  version: z.number(),
  kind: z.enum(KIND_NAMES),
  target: z.string(),
  reason: z.string(),
  asker: z.string(),
  askedAt: z.number(),
  /** Where the card stands. */
  channel: z.string(),
  /** Whether people of another company read that channel, as far as we have seen: then no reason is shown there. */
  inSharedChannel: z.boolean().default(false),
  state: z.enum(STATE_NAMES),
  /** False where an event reopened the request while another one held the target. */
  holdsSlot: z.boolean(),
  steps: z.array(Step).min(1),
  /** Present where the kind of request needed approval when it was asked. */
  approval: Approval.optional(),
  notes: z.array(Note).default([]),
  /** Counts what a reader of the card would see change; `card.shown` is the revision the card shows. */
  revision: z.number(),
  /** The service's own word for the state, where the interface does not list it. */
  word: z.string().optional(),
  card: Post,
  call: z.object({
    attempts: z.number(),
    notBefore: z.number(),
    /** Why the last call was certainly not received, and so is tried again. */
    waiting: WaitingWhy.optional(),
    /** When the service says it was asked, epoch milliseconds: the key that events are matched by. */
    requestedAt: z.number().optional(),
  }),
  claim: Claim.optional(),
  /** Events that came while the call was under way; applied after the answer. */
  held: z.array(ServiceEvent),
  /** Answers to earlier calls, as long as a later one is under way or in doubt (settle-call.ts). */
  lateAnswers: z.array(z.object({ attempt: z.number(), answer: Answer })).default([]),
  /** The last event that was applied, and the digests of those without a time. */
  heard: z.object({
    last: ServiceEvent.pick({ status: true, word: true }).extend({ updatedAt: z.number() }).optional(),
    digests: z.array(z.string()),
  }),
});
export type RequestRecord = z.infer<typeof Shape>;

/** Fields that a newer version has written are kept when an older one writes the record back. */
export const RequestRecord: z.ZodType<RequestRecord> = Shape.loose();

export type NewRequest = Pick<
  RequestRecord,
  'id' | 'workspace' | 'kind' | 'target' | 'reason' | 'asker' | 'channel'
> &
  Partial<Pick<RequestRecord, 'inSharedChannel'>>;

/** A request as it is first written down: awaiting approval, or queued. Its card is owed, and nothing is sent. */
export function newRecord(request: NewRequest, now: number, approval?: NewApproval): RequestRecord {
  const state = approval ? 'awaiting_approval' : 'queued';
  const record: RequestRecord = {
    inSharedChannel: false,
    ...request,
    version: 1,
    askedAt: now,
    state,
    holdsSlot: true,
    steps: [{ n: 1, state, at: now, cause: { type: 'asked', by: request.asker } }],
    ...(approval ? { approval: newApproval(approval, now) } : {}),
    notes: [],
    revision: 1,
    card: newPost(now),
    call: { attempts: 0, notBefore: now },
    held: [],
    lateAnswers: [],
    heard: { digests: [] },
  };
  return withProblem(record, approval?.problem, now);
}

/**
 * What two requests may not work on at once, within a workspace. An offer's sending and cancelling share one, and so do
 * two spellings of an id that differ in the case of ASCII letters alone: they may well name the same order.
 */
export function subjectOf(kind: Kind, target: string): string {
  return `${KINDS[kind].resource}:${target.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}`;
}

/** The slot that a record holds: its subject while it is open. */
export function slotOf(record: RequestRecord): string | undefined {
  const open = record.holdsSlot && STATES[record.state].slot;
  return open ? subjectOf(record.kind, record.target) : undefined;
}

/** The step that put the record into its present state. */
export function currentStep(record: RequestRecord): Step {
  return record.steps.at(-1) as Step;
}

/** Where it is shown: in the channel of its card, and in the one where its approvers look. */
export function channelsOf({ channel, approval }: RequestRecord): string[] {
  const { policy, ballot } = approval ?? {};
  return ballot && policy?.channel !== undefined ? [channel, policy.channel] : [channel];
}

/** Where a note goes: into the thread of a message, to one person alone or, where that is refused, into a channel. */
export function destinationOfNote(
  record: RequestRecord,
  note: Note,
): { under: Post } | { person: string } | { channel: string } {
  if (note.inChannel) return { channel: record.channel };
  switch (note.type) {
    case 'reason':
    case 'unheard':
    case 'shared':
      return { under: record.card };
    case 'reminder':
    case 'asked_again':
      return { under: votedOn(record) };
    case 'why':
      return { person: record.approval?.decision?.by[0] ?? record.asker };
    case 'alarm':
      return { person: record.approval?.policy.setBy ?? record.asker };
    case 'unclear':
      return { person: record.asker };
    case 'misplaced_vote':
      return { person: note.voter };
  }
}

/** The message that approvers react to: what is shown in the approvals channel or, where it is not, the card. */
export function votedOn({ approval, card }: RequestRecord): Post {
  return approval?.ballot ?? card;
}

/** Where that message stands, or will. */
export const channelOfVotes = ({ approval, channel }: RequestRecord): string | undefined =>
  approval?.ballot ? approval.policy.channel : channel;
