/** Carries out what a request asks for, and says what the answer means for it (design, the table of answers). */
import { type Answer, serviceStatus, type WaitingWhy } from '../requests/model/cause.ts';
import { fieldsOf } from '../requests/model/facts/log-fields.ts';
import { deniesGraphql, type TokenVerdict, tokenVerdict } from '../requests/model/facts/token-verdict.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import type { ClaimGuard, HeldToken, Log, OrderCalls, Tokens } from '../requests/ports/ports.ts';
import type { OrderService } from './client.ts';
import {
  InvalidIdError,
  NoAnswerError,
  NotSentError,
  type OrderServiceError,
  plainCode,
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
      log.warn({ ...fieldsOf(record), err: error }, 'the call did not succeed');
      const answer = toAnswer(error);
      return answer.type === 'refused' && deniesGraphql(answer.httpStatus, kind)
        ? { ...answer, tokenKind: 'graphql' }
        : answer;
    }
  }
  async function take(record: RequestRecord): Promise<HeldToken | WaitingWhy> {
    try {
      return await tokens.take(record.workspace);
    } catch (error) {
      log.error({ ...fieldsOf(record), err: error }, 'the connection could not be read');
      return 'connection_unreadable';
    }
  }
  return {
    async carryOut(record, guard) {
      const token = await take(record);
      if (typeof token === 'string') return notReceived(token);
      const answer = await call(record, token, guard);
      const verdict = verdictOf(answer);
      // Before the answer is written: whatever asks for the token from then on is not called with it. Whatever becomes of
      // this, the answer stands.
      if (verdict)
        await tokens.note(token, verdict).catch((err) => {
          log.error({ ...fieldsOf(record), err }, 'what the answer says of the token was not noted');
        });
      return answer;
    },
  };
}

const notReceived = (why: WaitingWhy): Answer => ({ type: 'not_received', why });

/** The interface shows no limit. */
const LONGEST_WORD = 100;

/** Only once it has decided: what is made fit to be shown may read like another word. */
function withShownWord(answer: Answer, token: string): Answer {
  if (answer.type !== 'said' || answer.word === undefined) return answer;
  const { word, ...rest } = answer;
  const shown = createShown(token)(word, LONGEST_WORD);
  return shown === '' ? rest : { ...rest, word: shown };
}

/** Undefined where the service has not answered, or could not be asked: an id that is none is refused here (status 0). */
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

/** Only `success: true` says that it was sent; an answer without it says that it was taken, and no more. */
function fromSending({ success }: OfferSendResult): Answer {
  if (success === false) return { type: 'refused', httpStatus: 200, details: [] };
  return { type: 'said', status: success ? 'sent' : 'accepted' };
}

/** The observed word is CANCELED (section 2, "Offer cancel result"); any other one is shown as it came. */
function fromOfferCancellation({ status }: OfferCancelResult): Answer {
  if (status?.toLowerCase() === 'canceled') return { type: 'said', status: 'canceled' };
  return { type: 'said', status: 'accepted', ...(status === undefined ? {} : { word: status }) };
}

/** An absent or unlisted status says that the service took the request, and nothing about the order. */
function fromCancellation({ cancellationStatus, requestedAt }: OrderCancellation): Answer {
  const status = cancellationStatus === undefined ? undefined : serviceStatus(cancellationStatus);
  return {
    type: 'said',
    status: status ?? 'accepted',
    ...(status || cancellationStatus === undefined ? {} : { word: cancellationStatus }),
    ...(requestedAt === undefined ? {} : { requestedAt: Date.parse(requestedAt) }),
  };
}

/** A refusal without a body says no more than its status. */
function refused({ code, message, details, status = 0 }: OrderServiceError): Answer {
  const words = code === plainCode(status) ? {} : { code, message };
  return { type: 'refused', httpStatus: status, ...words, details };
}

/** Only what was certainly not received may be tried again; only what was certainly refused is a failure. */
function toAnswer(error: unknown): Answer {
  if (error instanceof UnreachableError) return notReceived('unreachable');
  if (error instanceof NotSentError) return notReceived('interrupted');
  if (error instanceof RateLimitedError) {
    const wait = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };
    return { type: 'not_received', why: 'rate_limited', ...wait };
  }
  if (error instanceof RefusedError || error instanceof InvalidIdError) {
    return refused(error);
  }
  if (error instanceof NoAnswerError) {
    const status = error.status === undefined ? {} : { httpStatus: error.status };
    return { type: 'no_answer', why: error.reason, ...status };
  }
  // A fault of our own after the call may have left: nobody can tell, so nobody may repeat it.
  return { type: 'no_answer', why: 'unreadable' };
}
