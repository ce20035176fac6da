/** Cancelling an offer. */
import { z } from 'zod';
import type { Answer } from '../cause.ts';
import type { RequestKind } from '../request-kind.ts';

/** Section 2, "Offer cancel result". */
const Cancellation = z.object({
  offerId: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
});

/** The observed word is CANCELED; any other is shown unchanged. */
function meaningOf({ status }: z.infer<typeof Cancellation>): Answer {
  if (status?.toLowerCase() === 'canceled') return { type: 'said', status: 'canceled' };
  return { type: 'said', status: 'accepted', ...(status === undefined ? {} : { word: status }) };
}

export const cancelOffer: RequestKind = {
  resource: 'offer',
  reason: 'not_sent',
  command: '/cancel-offer',
  words: {
    title: 'Cancel an offer',
    verb: 'cancel offer',
    submit: 'Cancel offer',
    help: { usage: '[offer]', meaning: 'requests that an offer is cancelled.' },
    done: 'is cancelled',
    participle: 'cancelled',
    did: 'cancelled the offer',
  },
  call: {
    path: '/prod/offers/{id}/cancel',
    outcomeField: 'status',
    schema: Cancellation.transform((body) => ({ answer: meaningOf(body), about: body.offerId })),
  },
  recordable: ['canceled'],
  doneBy: ['canceled'],
  customerReplies: { canceled: 'replyOfferCanceled' },
};
