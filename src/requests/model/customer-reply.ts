/** Decides what a customer can be told about a request: which of the texts that admins can change. */
import { KINDS } from './kinds.ts';
import { mayHaveReceived } from './receipt.ts';
import type { RequestRecord } from './record.ts';
import { endedByMistake } from './refusal.ts';
import type { State } from './states.ts';

/** The texts, by the names under which the settings keep them. */
export const CUSTOMER_REPLIES = [
  'replyOrderCanceled',
  'replyOrderInReview',
  'replyOrderNotCanceled',
  'replyOfferSent',
  'replyOfferCanceled',
] as const;
export type CustomerReply = (typeof CUSTOMER_REPLIES)[number];

type Resource = (typeof KINDS)[keyof typeof KINDS]['resource'];

/** A state that is not listed tells nothing that a customer could be told. */
const REPLIES: Record<Resource, Partial<Record<State, CustomerReply>>> = {
  order: {
    canceled: 'replyOrderCanceled',
    approved: 'replyOrderCanceled',
    already_canceled: 'replyOrderCanceled',
    under_review: 'replyOrderInReview',
    denied: 'replyOrderNotCanceled',
    declined: 'replyOrderNotCanceled',
    failed: 'replyOrderNotCanceled',
  },
  offer: { sent: 'replyOfferSent', canceled: 'replyOfferCanceled' },
};

/** @returns undefined if nothing is known that concerns the customer: a wrong id is the mistake of whoever typed it */
export function customerReplyTo(record: RequestRecord): CustomerReply | undefined {
  if (endedByMistake(record)) return undefined;
  const { kind, state } = record;
  const reply = REPLIES[KINDS[kind].resource][state];
  // An earlier call may have cancelled the order, unless the service itself says that it goes on.
  const isInDoubt = reply === 'replyOrderNotCanceled' && state !== 'denied' && mayHaveReceived(record);
  return isInDoubt ? undefined : reply;
}
