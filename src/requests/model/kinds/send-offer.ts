/** Sending a pending offer to the customer. */
import { z } from 'zod';
import type { Answer } from '../cause.ts';
import type { RequestKind } from '../request-kind.ts';

/** Section 2, "Offer send result". A value that is no boolean says nothing about success. */
const Sending = z.object({ success: z.boolean().optional().catch(undefined) });

/** Only `success: true` means sent; without it the offer was merely accepted. */
function meaningOf({ success }: z.infer<typeof Sending>): Answer {
  if (success === false) return { type: 'refused', httpStatus: 200, details: [] };
  return { type: 'said', status: success ? 'sent' : 'accepted' };
}

export const sendOffer: RequestKind = {
  resource: 'offer',
  reason: 'not_sent',
  command: '/send-offer',
  words: {
    title: 'Send an offer',
    verb: 'send offer',
    submit: 'Send offer',
    help: { usage: '[offer]', meaning: 'requests that a pending offer is sent to the customer.' },
    done: 'is sent to the customer',
    participle: 'sent',
    did: 'sent the offer',
  },
  call: {
    path: '/prod/offers/{id}/send',
    outcomeField: 'success',
    schema: Sending.transform((body) => ({ answer: meaningOf(body) })),
  },
  recordable: ['sent'],
  doneBy: ['sent', 'canceled'],
  customerReplies: { sent: 'replyOfferSent' },
};
