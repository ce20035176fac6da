/** Models the messages of a request: its card, the approval message, the replies to its steps, and notes. */
import { z } from 'zod';
import { MessageFields, newKeptMessage, newMessage } from '../../outbox/message.ts';
import { ApproversProblem } from './approvals/policy.ts';

/** `at`: when the message was first owed, epoch milliseconds. */
const Common = { ...MessageFields, at: z.number() };

const message = <T extends string, Content extends z.ZodRawShape>(type: T, content: Content) =>
  z.object({ ...content, ...Common, type: z.literal(type) });

export const RequestMessage = z.discriminatedUnion('type', [
  message('card', {}),
  /** The message in the approvals channel. `round`: the approval round that it was made for. */
  message('approval', { round: z.number() }),
  /** `step`: the number of the step. */
  message('reply', { step: z.number() }),
  // The others are notes.
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
  /** Tells the requester that nobody knows yet whether the message with this key was posted. */
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

type ContentOf<N> = N extends Note ? Omit<N, keyof typeof Common> : never;
/** A note without what every message has: its key, its delivery and its times. */
export type NoteContent = ContentOf<Note>;

export const CARD = 'card';

export const replyKey = (step: number): string => `reply:${step}`;

export const isNote = (message: RequestMessage): message is Note =>
  message.type !== 'card' && message.type !== 'approval' && message.type !== 'reply';

/** @param now epoch milliseconds, as for all new messages */
export const newCard = (now: number): RequestMessage => ({
  ...newKeptMessage(CARD, now),
  type: 'card',
  at: now,
});

export const newApprovalMessage = (round: number, now: number): ApprovalMessage => ({
  ...newKeptMessage(`approval:${round}`, now),
  type: 'approval',
  round,
  at: now,
});

export const newReply = (step: number, to: NonNullable<Reply['to']>, now: number): Reply => ({
  ...newMessage(replyKey(step), now),
  type: 'reply',
  step,
  to,
  at: now,
});

/** @param n counts the notes of a request */
export const newNote = (content: NoteContent, n: number, now: number): Note => ({
  ...newMessage(`${content.type}:${n}`, now),
  ...content,
  at: now,
});
