/**
 * Lists the operations that an agent can request, as data: the client of the order service makes the call, and
 * slack/messages/sentences/request-words.ts completes the words. Sections are those of order-service-interface.md.
 */
import { z } from 'zod';
import { type Answer, ServiceTime, serviceStatus } from './cause.ts';
import type { RecordingAction, State } from './states.ts';

/** The texts for customers, by the names under which the settings keep them. */
export const CUSTOMER_REPLIES = [
  'replyOrderCanceled',
  'replyOrderInReview',
  'replyOrderNotCanceled',
  'replyOfferSent',
  'replyOfferCanceled',
] as const;
export type CustomerReply = (typeof CUSTOMER_REPLIES)[number];

export type RequestKind = {
  resource: 'order' | 'offer';
  /** `required`: the order service needs a reason. `not_sent`: one that is given is only for people who read the card. */
  reason: 'required' | 'not_sent';
  /** The slash command. manifest.yml is held against it by a test. */
  command: `/${string}`;
  words: {
    /** Title of its modal, at most 24 characters (Slack). manifest.yml has the names of its shortcuts. */
    title: string;
    /** Names the request within a sentence, followed by the id: "cancel order A-1". */
    verb: string;
    /** The button of its form, at most 24 characters (Slack). */
    submit: string;
    help: { usage: string; meaning: string };
    /** The outcome, said of the order or offer: "is cancelled". */
    done: string;
    /** The outcome behind "is not" and "may or may not be": "cancelled". It is also a label: "Not cancelled". */
    participle: string;
    /** The outcome, said of the order service: "cancelled the order". */
    did: string;
  };
  /** A POST to the order service (section 4). */
  call: {
    path: Path;
    /** A route that behaves identically, for services without the current route (section 9). */
    deprecatedPath?: Path;
    body?: (request: { reason: string }) => object;
    outcome: OutcomeField;
    /**
     * Reads the body of an answer. A service may leave out any field: the answer still counts, without that field. `about`:
     * the id that the answer names, if any. An answer about another order or offer decides nothing.
     */
    schema: z.ZodType<{ answer: Answer; about?: string | undefined }>;
  };
  /** The beginning of the topics of its events (events.md); undefined: the service announces nothing. */
  topic?: string;
  /** The outcomes that a person can record when the service has told none. */
  recordable: readonly RecordingAction[];
  /** States of an earlier request for the same target that make another one pointless or redundant. */
  doneBy: readonly State[];
  /** The text for a customer in each state. A state that is not listed tells nothing that concerns the customer. */
  customerReplies: { readonly [S in State]?: CustomerReply };
};

/** The field of an answer that tells the outcome. A value of another type tells none. */
export type OutcomeField = { field: string; type: 'string' | 'boolean' };

type Path = `/${string}/{id}/${string}`;

const Word = z.string().optional().catch(undefined);

/** Without a status, or with one that the interface does not list, the service accepted the request and said no more. */
const accepted = (word: string | undefined): Answer => ({ type: 'said', status: 'accepted', word });

/** The service may review a cancellation for days, and announces what came of it. */
const cancelOrder: RequestKind = {
  resource: 'order',
  reason: 'required',
  command: '/cancel-order',
  words: {
    title: 'Cancel an order',
    verb: 'cancel order',
    submit: 'Request cancellation',
    help: {
      usage: '[order] [reason]',
      meaning: 'requests the cancellation of an order; the outcome is posted in the thread of your request.',
    },
    done: 'is cancelled',
    participle: 'cancelled',
    did: 'cancelled the order',
  },
  call: {
    path: '/orders/{id}/cancel',
    deprecatedPath: '/orders/orders/{id}/cancel',
    body: ({ reason }) => ({ reason }),
    outcome: { field: 'cancellationStatus', type: 'string' },
    // Section 2, "Order cancellation request". Without `requestedAt`, events are matched by the time of the call.
    schema: z
      .object({ cancellationStatus: Word, requestedAt: ServiceTime })
      .transform(({ cancellationStatus: word, requestedAt }) => {
        const status = serviceStatus(word);
        return { answer: { ...(status ? { type: 'said', status } : accepted(word)), requestedAt } };
      }),
  },
  topic: 'order.cancellationrequest',
  recordable: ['approved', 'denied', 'in_review'],
  doneBy: ['approved', 'canceled', 'already_canceled'],
  customerReplies: {
    canceled: 'replyOrderCanceled',
    approved: 'replyOrderCanceled',
    already_canceled: 'replyOrderCanceled',
    under_review: 'replyOrderInReview',
    denied: 'replyOrderNotCanceled',
    declined: 'replyOrderNotCanceled',
  },
};

/** The offer is pending until it is sent to the customer. */
const sendOffer: RequestKind = {
  resource: 'offer',
  reason: 'not_sent',
  command: '/send-offer',
  words: {
    title: 'Send an offer',
    verb: 'send offer',
    submit: 'Send offer',
    help: { usage: '[offer]', meaning: 'requests that a pending offer be sent to the customer.' },
    done: 'is sent to the customer',
    participle: 'sent',
    did: 'sent the offer',
  },
  call: {
    path: '/prod/offers/{id}/send',
    outcome: { field: 'success', type: 'boolean' },
    // Section 2, "Offer send result". A value that is no boolean says nothing about success.
    schema: z.object({ success: z.boolean().optional().catch(undefined) }).transform(({ success }) => {
      if (success === false) return { answer: { type: 'refused', httpStatus: 200, details: [] } };
      return { answer: success ? { type: 'said', status: 'sent' } : accepted(undefined) };
    }),
  },
  recordable: ['sent'],
  doneBy: ['sent', 'canceled'],
  customerReplies: { sent: 'replyOfferSent' },
};

const cancelOffer: RequestKind = {
  resource: 'offer',
  reason: 'not_sent',
  command: '/cancel-offer',
  words: {
    title: 'Cancel an offer',
    verb: 'cancel offer',
    submit: 'Cancel offer',
    help: { usage: '[offer]', meaning: 'requests the cancellation of an offer.' },
    done: 'is cancelled',
    participle: 'cancelled',
    did: 'cancelled the offer',
  },
  call: {
    path: '/prod/offers/{id}/cancel',
    outcome: { field: 'status', type: 'string' },
    // Section 2, "Offer cancel result". The observed word is CANCELED; any other is shown unchanged.
    schema: z.object({ offerId: Word, status: Word }).transform(({ offerId: about, status }) => {
      const isCanceled = serviceStatus(status) === 'canceled';
      return { answer: isCanceled ? { type: 'said', status: 'canceled' } : accepted(status), about };
    }),
  },
  recordable: ['canceled'],
  doneBy: ['canceled'],
  customerReplies: { canceled: 'replyOfferCanceled' },
};

/** The kinds by the names under which they are stored. An older version can't read a new one (storage/storage-version.ts). */
const ALL = {
  cancel_order: cancelOrder,
  send_offer: sendOffer,
  cancel_offer: cancelOffer,
} as const satisfies Record<string, RequestKind>;

export type Kind = keyof typeof ALL;

export const KINDS: Readonly<Record<Kind, RequestKind>> = ALL;

export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];
