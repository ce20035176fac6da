/** Derives the pending effects of the messages of a request: to post, search for, update, report or tidy each. */

import { isPending } from '../../outbox/delivery.ts';
import { type PostingEffect, postingOf, type TidyEffect, tidiesOf, updateOf } from '../../outbox/message.ts';
import type { Pending } from '../../outbox/record-type.ts';
import type { Note, RequestMessage } from './message.ts';
import type { RequestRecord } from './record.ts';
import { approvalMessageOf, cardOf, notesOf, repliesOf } from './record-messages.ts';
import { isStillWanted, placeOfNote } from './record-notes.ts';
import { STATES } from './states.ts';

export type MessageEffect =
  | PostingEffect
  /** Changes the record alone. */
  | { type: 'report_unclear'; messageKey: string }
  | TidyEffect;

type MessageItem = Pending<MessageEffect>;

export function cardEffects(record: RequestRecord): MessageItem[] {
  const card = cardOf(record);
  return postingOf(card, isWanted(record, card));
}

/** Posts the approval message only after the card, because it links to the card. */
export function approvalMessageEffects(record: RequestRecord): MessageItem[] {
  const message = approvalMessageOf(record);
  if (!message) return [];
  const isNext = cardOf(record).delivery.status === 'posted' && isWanted(record, message);
  return postingOf(message, isNext);
}

/** Updates the card first, then the approval message. */
export const updateEffects = (record: RequestRecord): MessageItem[] =>
  [cardOf(record), approvalMessageOf(record)].flatMap((message) =>
    message ? updateOf(message, record.revision) : [],
  );

/** Updates the replies and notes that are kept up to date. */
export const laterUpdateEffects = (record: RequestRecord): MessageItem[] =>
  [...repliesOf(record), ...notesOf(record)].flatMap((message) => updateOf(message, record.revision));

/** Posts replies one by one, in the order of their steps. */
export function replyEffects(record: RequestRecord): MessageItem[] {
  const reply = repliesOf(record).find(({ delivery }) => isPending(delivery));
  if (!reply || (reply.to === 'thread' && !isCertain(cardOf(record)))) return [];
  return postingOf(reply);
}

/**
 * Posts notes in order, separately for each destination, so that none waits for another destination. One that is no longer
 * wanted is not posted; if it may have been posted, it is still searched for, so that its copies are known.
 */
export function noteEffects(record: RequestRecord): MessageItem[] {
  const pending = notesOf(record).filter((note) => isUnsettled(record, note) && hasPlace(record, note));
  const nextOf = new Map(pending.toReversed().map((note) => [placeKey(record, note), note]));
  return [...nextOf.values()].flatMap((note) => postingOf(note));
}

function placeKey(record: RequestRecord, note: Note): string {
  const place = placeOfNote(record, note);
  if ('person' in place) return place.person;
  return 'channel' in place ? place.channel : place.under.key;
}

function hasPlace(record: RequestRecord, note: Note): boolean {
  const place = placeOfNote(record, note);
  return !('under' in place) || isCertain(place.under);
}

/** Reports unclear deliveries of all messages but notes, which are themselves only supplementary. */
export function unclearEffects(record: RequestRecord, unclearMs: number): MessageItem[] {
  const all = [cardOf(record), approvalMessageOf(record), ...repliesOf(record)];
  return all.flatMap((message): MessageItem[] => {
    if (message?.delivery.status !== 'doubtful' || message.delivery.reported) return [];
    const { key, delivery } = message;
    return [{ effect: { type: 'report_unclear', messageKey: key }, at: delivery.since + unclearMs }];
  });
}

/** Comes last: doubtful messages are searched for before settled ones are tidied. */
export const tidyEffects = (record: RequestRecord): MessageItem[] =>
  record.messages.flatMap((message) => (isUnsettled(record, message) ? [] : tidiesOf(message)));

/** Whether a message is still to be searched for or posted. */
function isUnsettled(record: RequestRecord, message: RequestMessage): boolean {
  const { status } = message.delivery;
  return status === 'doubtful' || (status === 'owed' && isWanted(record, message));
}

function isWanted(record: RequestRecord, message: RequestMessage): boolean {
  const { slot, votes } = STATES[record.state];
  switch (message.type) {
    case 'card':
      return slot;
    case 'approval':
      return votes;
    case 'reply':
      return true;
    default:
      return isStillWanted(record, message);
  }
}

/** Whether it is certain that a message stands, or that it never will: replies to it wait until then. */
const isCertain = ({ delivery: { status } }: RequestMessage): boolean =>
  status === 'posted' || status === 'given_up';
