/** Models the messages of a request: its card, the approval message, the replies to its steps, and notes. */
import { z } from 'zod';
import { MessageFields, newKeptMessage, newMessage } from '../../outbox/message.ts';
import { type NoteContent, NoteContent as Notes } from './notes.ts';

const Content = z.discriminatedUnion('type', [
  z.object({ type: z.literal('card') }),
  /** The message in the approvals channel. `round`: the one of the approval that it was made for. */
  z.object({ type: z.literal('approval'), round: z.number() }),
  /** `step`: the number of the step. */
  z.object({ type: z.literal('reply'), step: z.number() }),
  ...Notes.options,
]);

/** `at`: when the message was first owed, epoch milliseconds. */
export const RequestMessage = z.intersection(Content, z.object({ ...MessageFields, at: z.number() }));
export type RequestMessage = z.infer<typeof RequestMessage>;

export type ApprovalMessage = Extract<RequestMessage, { type: 'approval' }>;
export type Reply = Extract<RequestMessage, { type: 'reply' }>;
export type Note = Extract<RequestMessage, NoteContent>;

export const CARD = 'card';

export const replyKey = (step: number): string => `reply:${step}`;

export const isNote = (message: RequestMessage): message is Note =>
  message.type !== 'card' && message.type !== 'approval' && message.type !== 'reply';

/** All `now`: epoch milliseconds. */
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
