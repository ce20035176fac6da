/** Performs the operation of a request, and maps the answer to its meaning. */
import { type Answer, serviceStatus, type WaitingReason } from '../requests/model/cause.ts';
import { deniesGraphql, type TokenVerdict, tokenVerdict } from '../requests/model/facts/token-verdict.ts';
import { fieldsOf, type RequestRecord } from '../requests/model/record.ts';
import type { ClaimGuard, HeldToken, Log, OrderCalls, Tokens } from '../requests/ports/ports.ts';
import type { OrderService } from './client.ts';
import {
  DisconnectedError,
  InvalidIdError,
  NoAnswerError,
  type NoAnswerReason,
  NotSentError,
  type OrderServiceError,
  plainCode,
  plainMessage,
  RateLimitedError,
  RefusedError,
  UnreachableError,
} from './errors.ts';
import type { OfferCancelResult, OfferSendResult, OrderCancellation } from './schemas.ts';
import { createShown } from './shown.ts';

type Deps = { service: OrderService; tokens: Tokens; log: Log };

export function createOrderCalls({ service, tokens, log }: Deps): OrderCalls {
  async function call(record: RequestRecord, { token, kind }: HeldToken, guard: ClaimGuard): Promise<Answer> {
    try {
      return withShownWord(await OPERATIONS[record.kind]({ service, token, guard }, record), token);
    } catch (error) {
      log.warn({ ...fieldsOf(record), err: error }, 'order service call failed');
      const answer = toAnswer(error);
      return answer.type === 'refused' && deniesGraphql(answer.httpStatus, kind)
        ? { ...answer, tokenKind: 'graphql' }
        : answer;
    }
  }
  async function take(record: RequestRecord): Promise<HeldToken | WaitingReason> {
    try {
      return await tokens.take(record.workspace);
    } catch (error) {
      log.error({ ...fieldsOf(record), err: error }, 'connection not readable');
      return 'connection_unreadable';
    }
  }
  return {
    async carryOut(record, guard) {
      const token = await take(record);
      if (typeof token === 'string') return notReceived(token);
      const answer = await call(record, token, guard);
      const verdict = verdictOf(answer);
      // Recorded before the answer is saved, so that no later call uses a refused token. The answer stands even if this
      // fails.
      if (verdict)
        await tokens.recordVerdict(token, verdict).catch((err) => {
          log.error({ ...fieldsOf(record), err }, 'token verdict not recorded');
        });
      return answer;
    },
  };
}

const notReceived = (why: WaitingReason): Answer => ({ type: 'not_received', why });

/** Our own limit: the interface states none. */
const LONGEST_WORD = 100;

/**
 * Makes an unlisted word safe to display, only after it was interpreted: the displayed form may read like another word.
 */
function withShownWord(answer: Answer, token: string): Answer {
  if (answer.type !== 'said' || answer.word === undefined) return answer;
  const { word, ...rest } = answer;
  const shown = createShown(token)(word, LONGEST_WORD);
  return shown === '' ? rest : { ...rest, word: shown };
}

/**
 * The verdict about the token; undefined if the service has not answered or could not be asked: an invalid id is
 * refused here (status 0).
 */
function verdictOf(answer: Answer): TokenVerdict | undefined {
  if (answer.type === 'said') return 'accepted';
  if (answer.type !== 'refused' || answer.httpStatus === 0) return undefined;
  return tokenVerdict({ status: answer.httpStatus, code: answer.code });
}

type With = { service: OrderService; token: string; guard: ClaimGuard };

const OPERATIONS: Record<RequestRecord['kind'], (by: With, record: RequestRecord) => Promise<Answer>> = {
  cancel_order: async ({ service, token, guard }, { target, reason }) =>
    fromCancellation(await service.cancelOrder(token, target, reason, guard)),
  send_offer: async ({ service, token, guard }, { target }) =>
    fromSending(await service.sendOffer(token, target, guard)),
  cancel_offer: async ({ service, token, guard }, { target }) =>
    fromOfferCancellation(await service.cancelOffer(token, target, guard)),
};

/** Maps the answer of a sending. Only `success: true` means sent; without it the offer was merely accepted. */
function fromSending({ success }: OfferSendResult): Answer {
  if (success === false) return { type: 'refused', httpStatus: 200, details: [] };
  return { type: 'said', status: success ? 'sent' : 'accepted' };
}

/**
 * Maps the answer of an offer's cancellation. The observed word is CANCELED (section 2, "Offer cancel result"); any
 * other is shown unchanged.
 */
function fromOfferCancellation({ status }: OfferCancelResult): Answer {
  if (status?.toLowerCase() === 'canceled') return { type: 'said', status: 'canceled' };
  return { type: 'said', status: 'accepted', ...(status === undefined ? {} : { word: status }) };
}

/**
 * Maps the answer of a cancellation. An absent or unlisted status means that the service accepted the request, and
 * nothing about the order.
 */
function fromCancellation({ cancellationStatus, requestedAt }: OrderCancellation): Answer {
  const status = cancellationStatus === undefined ? undefined : serviceStatus(cancellationStatus);
  return {
    type: 'said',
    status: status ?? 'accepted',
    ...(status || cancellationStatus === undefined ? {} : { word: cancellationStatus }),
    ...(requestedAt === undefined ? {} : { requestedAt: Date.parse(requestedAt) }),
  };
}

/** Maps a refusal. Without a body, only its status is known. */
function refused(error: OrderServiceError): Answer {
  const { details, status = 0 } = error;
  return { type: 'refused', httpStatus: status, ...wordsOf(error, status), details };
}

/** The service's words; nothing where its answer had none. */
function wordsOf({ code, message }: OrderServiceError, status: number): { code?: string; message?: string } {
  return {
    ...(code === plainCode(status) ? {} : { code }),
    ...(message === plainMessage(status) ? {} : { message }),
  };
}

/** Reasons with an answer that may hold an error body. The code and message of the other ones are our own. */
const WORDED: ReadonlySet<NoAnswerReason> = new Set(['server_error', 'gave_up', 'contradictory']);

function noAnswer(error: NoAnswerError): Answer {
  const { reason: why, status, details } = error;
  if (status === undefined) return { type: 'no_answer', why };
  if (!WORDED.has(why)) return { type: 'no_answer', why, httpStatus: status };
  const found = details.length > 0 ? { details } : {};
  return { type: 'no_answer', why, httpStatus: status, ...wordsOf(error, status), ...found };
}

/**
 * Maps an error to its meaning. Only what was certainly not received may be retried; only what was certainly refused is
 * a failure.
 */
function toAnswer(error: unknown): Answer {
  if (error instanceof DisconnectedError) return notReceived('disconnected');
  if (error instanceof UnreachableError) return notReceived('unreachable');
  if (error instanceof NotSentError) return notReceived('interrupted');
  if (error instanceof RateLimitedError) {
    const wait = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };
    return { type: 'not_received', why: 'rate_limited', ...wait };
  }
  if (error instanceof RefusedError || error instanceof InvalidIdError) {
    return refused(error);
  }
  if (error instanceof NoAnswerError) return noAnswer(error);
  // A fault of our own after the call may have been sent: the outcome is unknown, so it must not be repeated.
  return { type: 'no_answer', why: 'unreadable' };
}
