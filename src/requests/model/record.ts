/** Defines the record of one request, the single source of truth: first its messages and its steps, then the whole. */
import { z } from 'zod';
import { MESSAGE_EFFECTS, type Message, MessageFields } from '../../outbox/message.ts';
import { HolderFields } from '../../outbox/record-type.ts';
import { Approval } from './approval.ts';
import { Answer, Cause, ServiceEvent, WaitingReason } from './cause.ts';
import { KIND_NAMES, KINDS, type Kind } from './kinds.ts';
import { ApproversProblem } from './policy.ts';
import { Pause } from './settings.ts';
import { MANUAL_ACTION_NAMES, OUTCOMES, STATE_NAMES, STATES } from './states.ts';

const message = <T extends string, Content extends z.ZodRawShape>(type: T, content: Content) =>
  z.object({ ...content, ...MessageFields, type: z.literal(type) });

/**
 * The card, the approval message, the replies to the steps, and the notes. An older version can't read a new type
 * (storage/storage-version.ts).
 */
export const RequestMessage = z.discriminatedUnion('type', [
  message('card', {}),
  /** The message in the approvals channel. `round`: the approval round that it was made for. */
  message('approval', { round: z.number() }),
  /** `step`: the number of the step. `refusedAt`: when Slack had first refused the reply at every destination. */
  message('reply', { step: z.number(), refusedAt: z.number().optional() }),
  // The others are notes: record-notes.ts has the rules of each.
  /** Reminds the approvers, at half of the time. */
  message('reminder', {}),
  /** Asks the approvers again about a request that they have seen before. */
  message('approval_requested_again', {}),
  /** Asks the person who declined by a reaction for a reason. */
  message('reason_wanted', {}),
  /** Gives the requester a reason that was added later. */
  message('reason', {}),
  /** Tells the admin who set the policy that nobody can vote. */
  message('alarm', { problem: ApproversProblem }),
  /** Tells the requester that the admin who set the policy could not be reached. */
  message('admin_unreachable', {}),
  /** Tells the requester that another company now reads the card's channel. */
  message('shared', {}),
  /** Tells the requester that Slack has not taken the card yet, or not confirmed it, so that nothing is sent. */
  message('card_delayed', {}),
  /** Tells the requester that nobody knows yet whether a message was posted. `about`: the key of that message. */
  message('unclear', { about: z.string() }),
  /**
   * Tells a person that their reaction was not counted: it is on a second copy of a message or, with `stays`, on the
   * copy that has replaced the first one.
   */
  message('misplaced_vote', { voter: z.string(), stays: z.literal(true).optional() }),
]);
export type RequestMessage = z.infer<typeof RequestMessage>;

export type ApprovalMessage = Extract<RequestMessage, { type: 'approval' }>;
export type Reply = Extract<RequestMessage, { type: 'reply' }>;
export type Note = Exclude<RequestMessage, { type: 'card' | 'approval' | 'reply' }>;

type ContentOf<N> = N extends Note ? Omit<N, keyof Message> : never;
/** A note without what every message has: its key, its delivery and its times. */
export type NoteContent = ContentOf<Note>;

/** The words of the service about one call. An event that may be about several calls counts for each of them. */
const Heard = z.object({
  /** The service's time of the request. Events are matched by it. */
  requestedAt: z.number().optional(),
  /** Whether an event has named `requestedAt` as well: then an event that names another time is about another request. */
  isConfirmed: z.literal(true).optional(),
  /** The newest outcome that the answer or an event told. A word that the interface does not list changes nothing here. */
  said: z.enum(OUTCOMES).optional(),
  /** The newest event about the call that had a time. */
  last: ServiceEvent.pick({ status: true, word: true, arrivedAt: true })
    .extend({ updatedAt: z.number() })
    .optional(),
  /** Whether an event about the call had no time. */
  hasUntimed: z.literal(true).optional(),
});
export type Heard = z.infer<typeof Heard>;

/** One call to the service (events-and-calls.ts). `at`: when it began. */
const Call = z.object({ at: z.number(), heard: Heard.optional() });
export type Call = z.infer<typeof Call>;

/**
 * One entry into a state. A second entry into the same state is a new step with its own reply, unless the last step absorbs
 * it (transition.ts).
 */
export const Step = z.object({
  n: z.number(),
  state: z.enum(STATE_NAMES),
  at: z.number(),
  cause: Cause,
  /**
   * The certain result of the call that this step began; unset until then, or if its answer was lost. `answered`: the service
   * told the outcome. `accepted`: it took the request, and did not tell the outcome.
   */
  callResult: z.enum(['answered', 'accepted', 'refused', 'not_received']).optional(),
  /** The words of the service about the call that this step began. */
  heard: Heard.optional(),
  /** The number of later words of the service that the step has absorbed: its cause is the last one. */
  flips: z.number().optional(),
});
export type Step = z.infer<typeof Step>;

/** Names the process that performs an effect of the request, and until when nobody else may. */
export const Claim = z.discriminatedUnion('effect', [
  z.object({ effect: z.enum(MESSAGE_EFFECTS), messageKey: z.string(), ...HolderFields }),
  z.object({ effect: z.literal('confirm_votes'), ...HolderFields }),
  z.object({ effect: z.literal('call'), attempt: z.number(), ...HolderFields }),
]);
export type Claim = z.infer<typeof Claim>;

/** An action that a person confirmed too late, so that it changed nothing. `state`: of the request at that time. */
const LateAction = z.object({
  at: z.number(),
  by: z.string(),
  action: z.enum([...MANUAL_ACTION_NAMES, 'approve', 'decline']),
  state: z.enum(STATE_NAMES),
});
export type LateAction = z.infer<typeof LateAction>;

export const RequestRecord = z.object({
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
  /** The thread in which the card is a reply: the timestamp of its parent, the message that the request was made from. */
  thread: z.string().optional(),
  /** A link to the message that the request was made from, if the card is elsewhere. */
  message: z.string().optional(),
  /** The address of a ticket that the requester gave. It is shown only while its host is on the admins' list. */
  ticket: z.string().optional(),
  /** The channels of the request that Slack has given another id, in the order of the changes. */
  moved: z.array(z.object({ from: z.string(), to: z.string() })).optional(),
  /** Whether people of another company read the card's channel, as last observed. If so, no reason is shown there. */
  inSharedChannel: z.boolean(),
  state: z.enum(STATE_NAMES),
  /** False if an event reopened the request while another request held the slot of its target. */
  holdsSlot: z.boolean(),
  steps: z.array(Step).min(1),
  /** Present if this kind of request needed approval when it was created. */
  approval: Approval.optional(),
  /** The card first, and then the approval message, if there is one. */
  messages: z.array(RequestMessage).min(1),
  /** Ids of the clicks and forms that have acted on this request, the newest last. Each acts once. */
  clicks: z.array(z.string()),
  lateActions: z.array(LateAction),
  /**
   * Set if the person who had this sent knew that another request had this outcome already: the kind of the other one, and a
   * link to its thread. `maybe`: nobody knew whether it had this outcome. `again`: they had it sent again.
   */
  repeats: z
    .object({
      kind: z.enum(KIND_NAMES),
      link: z.string().optional(),
      maybe: z.boolean().optional(),
      again: z.boolean().optional(),
    })
    .optional(),
  /** Counts the changes visible on the card; a message that is kept up to date tells which revision it shows. */
  revision: z.number(),
  /** The service's own word for the state, if the interface does not list it. */
  word: z.string().optional(),
  call: z.object({
    attempts: z.number(),
    notBefore: z.number(),
    /** Why the last call was certainly not received and is made again, or why the next call must wait. */
    waiting: WaitingReason.optional(),
    /** Calls whose steps a failover has undone, and that got no step again when their answer came (engine/undone-calls.ts). */
    undone: z.array(Call).optional(),
  }),
  /** The pause that holds the request back. A request that was not sent in time keeps it, as the reason. */
  paused: Pause.optional(),
  claim: Claim.optional(),
  /** Events received during a call, or about an earlier call while the last one is in doubt (events.ts). */
  bufferedEvents: z.array(ServiceEvent),
  /** Answers to earlier calls, kept while a later call is under way or in doubt (apply-call.ts). */
  lateAnswers: z.array(z.object({ attempt: z.number(), answer: Answer })),
  /** The beginnings of the digests of the last applied events. */
  appliedEvents: z.object({ digests: z.array(z.string()) }),
});
export type RequestRecord = z.infer<typeof RequestRecord>;

/**
 * The subject of a target, on which two requests of a workspace may not work at once. Sending and cancelling an offer share
 * it. So do two ids that differ only in the case of ASCII letters, because they may name the same order.
 */
export function subjectOf(kind: Kind, target: string): string {
  return `${KINDS[kind].resource}:${target.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}`;
}

/** The subjects that an id may have: of an order, and of an offer. */
export const subjectsOfId = (id: string): Set<string> =>
  new Set(KIND_NAMES.map((kind) => subjectOf(kind, id)));

export function slotOf(record: RequestRecord): string | undefined {
  const open = record.holdsSlot && STATES[record.state].slot;
  return open ? subjectOf(record.kind, record.target) : undefined;
}

/** A request as a person saw it when they chose: the number of its last call, its round of approval, and its state. */
export type Seen = { call: number; round: number; state: string };

export function seenIn({ call, approval, state }: RequestRecord): Seen {
  return { call: call.attempts, round: approval?.round ?? 0, state };
}

/** The step that entered the current state. */
export const currentStep = ({ steps }: RequestRecord): Step => steps.at(-1) as Step;

/** The person because of whom approval was requested again, the last time; undefined: it was requested once. */
export const wantedAgainBy = ({ steps }: Pick<RequestRecord, 'steps'>): string | undefined =>
  steps.flatMap(({ cause }) => (cause.type === 'approval_requested_again' ? [cause.by] : [])).at(-1);

/**
 * The log fields of a request. One name means one thing in every line (docs/running.md). `target`: the order or offer;
 * `user`: who requested it.
 */
export const fieldsOf = ({ id, workspace, target, requester: user }: RequestRecord) => ({
  request: id,
  workspace,
  target,
  user,
});
