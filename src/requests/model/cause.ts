/** Defines the causes by which a request enters a state, with the answers and events of the service. Each step keeps its own. */
import { z } from 'zod';
import {
  MANUAL_ACTION_NAMES,
  MANUAL_ACTIONS,
  OUTCOMES,
  SERVICE_STATUSES,
  type ServiceStatus,
  type TransitionInput,
} from './states.ts';

/** The status that a word means, in whatever case it came; undefined for a word the interface does not list. */
export const serviceStatus = (word: string | undefined): ServiceStatus | undefined =>
  SERVICE_STATUSES.find((status) => status === word?.toLowerCase());

/** In a millisecond. */
const NANOSECONDS = 1_000_000n;

/**
 * A time as the service writes it: a date and time with its offset, in the forms of ISO 8601 that `Temporal.Instant` reads
 * (RFC 9557). It becomes epoch milliseconds, with microseconds behind the point: two changes may lie less than a millisecond
 * apart. undefined: there is no time, or none that can be read.
 */
export const ServiceTime = z
  .string()
  .transform((text, { addIssue }) => {
    try {
      const { epochMilliseconds, epochNanoseconds } = Temporal.Instant.from(text);
      const within = epochNanoseconds - BigInt(epochMilliseconds) * NANOSECONDS;
      return epochMilliseconds + Number(within) / Number(NANOSECONDS);
    } catch {
      addIssue('not a time');
      return z.NEVER;
    }
  })
  .optional()
  .catch(undefined);

/** The choice of a vote: for the request, or against it. */
export const Choice = z.enum(['yes', 'no']);
export type Choice = z.infer<typeof Choice>;

/** The reasons why nobody knows whether a call was received, or what came of it. */
export const WhyNoAnswer = z.enum([
  'timeout',
  'server_error',
  // A gateway or the service stopped waiting, or is overloaded (order-service/call-service.ts).
  'gave_up',
  'redirected',
  'unreadable',
  // A 2xx whose body is an error.
  'contradictory',
  // An answer that names another order or offer.
  'about_another',
  // The connection was lost before the answer was complete.
  'cut',
  // The process ended, or failed, during the call.
  'interrupted',
]);

/** Reasons why a call was certainly not received. */
export const WaitingReason = z.enum([
  'unreachable',
  // A connection was made, and lost before the request was written.
  'disconnected',
  'rate_limited',
  // Other calls have just got no answer or no connection: this one was not even tried.
  'failing',
  'not_connected',
  // The service refused the token of an earlier call. The bot does not call it again with the same token.
  'token_refused',
  'connection_unreadable',
  // The claim of the call was gone before anything was sent.
  'interrupted',
]);
export type WaitingReason = z.infer<typeof WaitingReason>;

export const FieldError = z.object({ field: z.string(), error: z.string() });

/** The service's own words about a failure (order-service-interface.md, section 2, "Error body"), safe to display. */
const errorWords = {
  code: z.string().optional(),
  message: z.string().optional(),
  /** Set when the service's words were removed for readers who may not see them (channels.ts). Never stored. */
  withheld: z.literal(true).optional(),
};

/** The result of one call. */
export const Answer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('said'),
    status: z.enum(OUTCOMES),
    /** The service's word, unchanged, if the interface does not list it. */
    word: z.string().optional(),
    requestedAt: z.number().optional(),
  }),
  z.object({
    type: z.literal('refused'),
    httpStatus: z.number(),
    ...errorWords,
    details: z.array(FieldError),
    /** The kind of token used for the call, if it may be the cause of the refusal. */
    tokenKind: z.literal('graphql').optional(),
  }),
  z.object({
    type: z.literal('not_received'),
    why: WaitingReason,
    retryAfterMs: z.number().optional(),
  }),
  z.object({
    type: z.literal('no_answer'),
    why: WhyNoAnswer,
    httpStatus: z.number().optional(),
    ...errorWords,
    details: z.array(FieldError).optional(),
  }),
]);
export type Answer = z.infer<typeof Answer>;

/**
 * An event of the service about one order, reduced to what the bot uses (events.md, "Body"). Its texts are safe to
 * display.
 */
export const ServiceEvent = z.object({
  topic: z.enum(['created', 'updated']),
  target: z.string(),
  /** Set if the id came with characters that can't be shown, which `target` lacks: then it names no request. */
  isAltered: z.literal(true).optional(),
  /** `accepted`: the service has the request and reports a status word that the interface does not list. */
  status: z.enum([...SERVICE_STATUSES, 'accepted']),
  /** The unlisted word, safe to display. */
  word: z.string().optional(),
  createdAt: z.number().optional(),
  updatedAt: z.number().optional(),
  /** The time of its first arrival by the store's clock, which bounds times that are far ahead (events-and-calls.ts). */
  arrivedAt: z.number().optional(),
  /** SHA-256 of the body. Identifies a redelivery. */
  digest: z.string(),
});
export type ServiceEvent = z.infer<typeof ServiceEvent>;

export const Cause = z.discriminatedUnion('type', [
  z.object({ type: z.literal('requested'), by: z.string() }),
  z.object({ type: z.literal('call_begun') }),
  /** `attempt`: the number of the answered call, which need not be the last one. */
  z.object({ type: z.literal('answer'), answer: Answer, attempt: z.number() }),
  z.object({ type: z.literal('event'), event: ServiceEvent }),
  /** The order was cancelled, but not by this request. */
  z.object({ type: z.literal('canceled_elsewhere'), event: ServiceEvent }),
  /**
   * The service took back what it said of an earlier call, and nobody knows what became of the last one; with `isReviewed`, a
   * later call is under review.
   */
  z.object({
    type: z.literal('reconsidered'),
    event: ServiceEvent,
    isReviewed: z.literal(true).optional(),
  }),
  /**
   * Slack took no card, or nobody can see it any more. `message`: set if nobody can see the approval message. `code`: Slack's
   * answer.
   */
  z.object({
    type: z.literal('card_refused'),
    code: z.string(),
    message: z.literal('approval').optional(),
  }),
  z.object({ type: z.literal('expire') }),
  z.object({ type: z.literal('person'), by: z.string(), action: z.enum(MANUAL_ACTION_NAMES) }),
  /** The approvers have decided. */
  z.object({ type: z.literal('decision'), choice: Choice, by: z.array(z.string()) }),
  /** A person wants the request sent again, and the policy requires approval. */
  z.object({ type: z.literal('approval_requested_again'), by: z.string() }),
]);
export type Cause = z.infer<typeof Cause>;

/** Maps a cause to the input of the transition table. An unlisted word of the service means that it has the request. */
export function inputOf(cause: Exclude<Cause, { type: 'requested' }>): TransitionInput {
  switch (cause.type) {
    case 'event':
      return `says_${cause.event.status}`;
    case 'answer':
      return cause.answer.type === 'said' ? `says_${cause.answer.status}` : cause.answer.type;
    case 'person':
      return MANUAL_ACTIONS[cause.action].input;
    case 'decision':
      return cause.choice === 'yes' ? 'approve' : 'decline';
    case 'approval_requested_again':
      return 'request_approval_again';
    case 'reconsidered':
      return cause.isReviewed ? 'says_pending' : cause.type;
    default:
      return cause.type;
  }
}

/** Whether the cause is an event of the service about a call of the request. */
export const isAnnounced = ({ type }: Cause): boolean => type === 'event' || type === 'reconsidered';

/** Whether the service accepted the request without telling its outcome. */
export const isAccepted = (cause: Cause): boolean =>
  cause.type !== 'requested' && inputOf(cause) === 'says_accepted';
