/** Why a request entered a state: kept with each step, so that the history can be told without guessing. */
import { z } from 'zod';
import { Choice } from './approvals/policy.ts';
import type { Trigger } from './states.ts';

/** The words the service uses for a cancellation (order-service-interface.md, section 2). */
export const SERVICE_STATUSES = ['pending', 'approved', 'canceled', 'denied'] as const;
export type ServiceStatus = (typeof SERVICE_STATUSES)[number];

/** The status that a word means, in whatever case it came; undefined for a word the interface does not list. */
export function serviceStatus(word: string): ServiceStatus | undefined {
  return SERVICE_STATUSES.find((status) => status === word.toLowerCase());
}

/**
 * Outcomes of a request: the service's words, `sent` for an offer (section 2, "Offer send result"), and `accepted`
 * where the service took the request and said nothing more, or only a word that the interface does not list.
 */
export const OUTCOMES = [...SERVICE_STATUSES, 'sent', 'accepted'] as const;

/** What a person can do where the service has not told, or has refused. */
export const PERSON_ACTS = [
  'approved',
  'denied',
  'sent',
  'canceled',
  'not_received',
  'retry',
  'release',
  'withdraw',
] as const;
export type PersonAct = (typeof PERSON_ACTS)[number];

/** Why a call was certainly not received. */
export const WaitingWhy = z.enum([
  'unreachable',
  'rate_limited',
  // Several calls in a row got no answer: this one was not even tried.
  'failing',
  'not_connected',
  // The service said so to an earlier call: it is not asked again with the same token.
  'token_refused',
  'connection_unreadable',
  // The claim of the call was gone before anything was sent.
  'interrupted',
]);
export type WaitingWhy = z.infer<typeof WaitingWhy>;

const FieldError = z.object({ field: z.string(), error: z.string() });

/** What came of one call (design: "What an answer of the service means"). */
export const Answer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('said'),
    status: z.enum(OUTCOMES),
    /** The word as it came, where the interface does not list it. */
    word: z.string().optional(),
    requestedAt: z.number().optional(),
  }),
  z.object({
    type: z.literal('refused'),
    httpStatus: z.number(),
    code: z.string().optional(),
    message: z.string().optional(),
    details: z.array(FieldError),
    /** Its words are left out for those who may not read them (reasons.ts). Never stored. */
    withheld: z.literal(true).optional(),
    /** The kind of the token that it was asked with, where that may be the cause. */
    tokenKind: z.literal('graphql').optional(),
  }),
  z.object({
    type: z.literal('not_received'),
    why: WaitingWhy,
    retryAfterMs: z.number().optional(),
  }),
  z.object({
    type: z.literal('no_answer'),
    why: z.enum(['timeout', 'server_error', 'gave_up', 'redirected', 'unreadable', 'cut', 'interrupted']),
    httpStatus: z.number().optional(),
  }),
]);
export type Answer = z.infer<typeof Answer>;

/** An event of the service about one order, as far as the bot uses it (events.md, "Body"). Its texts are fit to be shown. */
export const ServiceEvent = z.object({
  topic: z.enum(['created', 'updated']),
  target: z.string(),
  /** `accepted`: the service has the request, and calls its status by a word that the interface does not list. */
  status: z.enum([...SERVICE_STATUSES, 'accepted']),
  /** That word, fit to be shown. */
  word: z.string().optional(),
  createdAt: z.number().optional(),
  updatedAt: z.number().optional(),
  /** SHA-256 of the body: what tells a redelivery where no time does. */
  digest: z.string(),
});
export type ServiceEvent = z.infer<typeof ServiceEvent>;

export const Cause = z.discriminatedUnion('type', [
  z.object({ type: z.literal('asked'), by: z.string() }),
  z.object({ type: z.literal('call_begun') }),
  /** `attempt`: the number of the call that it answers, which need not be the last. */
  z.object({ type: z.literal('answer'), answer: Answer, attempt: z.number() }),
  z.object({ type: z.literal('event'), event: ServiceEvent }),
  /** The order is cancelled, and not by this request. */
  z.object({ type: z.literal('canceled_elsewhere'), event: ServiceEvent }),
  z.object({ type: z.literal('card_refused'), code: z.string() }),
  z.object({ type: z.literal('lapse') }),
  z.object({ type: z.literal('person'), by: z.string(), act: z.enum(PERSON_ACTS) }),
  /** The approvers have decided. */
  z.object({ type: z.literal('decision'), choice: Choice, by: z.array(z.string()) }),
  /** A person wants it sent again, and that needs approval. */
  z.object({ type: z.literal('asked_again'), by: z.string() }),
]);
export type Cause = z.infer<typeof Cause>;

/** The trigger in the transition table that a cause pulls. A word of the service's own says that it has the request. */
export function triggerOf(cause: Exclude<Cause, { type: 'asked' }>): Trigger {
  switch (cause.type) {
    case 'event':
      return `says_${cause.event.status}`;
    case 'answer':
      return cause.answer.type === 'said' ? `says_${cause.answer.status}` : cause.answer.type;
    case 'person':
      return PERSON_TRIGGERS[cause.act];
    case 'decision':
      return cause.choice === 'yes' ? 'approve' : 'decline';
    case 'asked_again':
      return 'ask_again';
    default:
      return cause.type;
  }
}

/** Whether the service has the request, and did not tell what becomes of it. */
export function isAccepted(cause: Cause): boolean {
  return cause.type !== 'asked' && triggerOf(cause) === 'says_accepted';
}

const PERSON_TRIGGERS: Record<PersonAct, Trigger> = {
  approved: 'says_approved',
  denied: 'says_denied',
  sent: 'says_sent',
  canceled: 'says_canceled',
  not_received: 'resend',
  retry: 'resend',
  release: 'release',
  withdraw: 'withdraw',
};
