/** Performs the operation of a request, and maps the answer to its meaning. */

import type { ClaimGuard, Log } from '../outbox/ports.ts';
import { type Answer, serviceStatus, type WaitingReason } from '../requests/model/cause.ts';
import { fieldsOf, type RequestRecord } from '../requests/model/record.ts';
import { deniesGraphql, type TokenVerdict, tokenVerdict } from '../requests/model/refusal.ts';
import type { Called, HeldToken, OrderCalls, Tokens } from '../requests/ports/ports.ts';
import type { OrderService } from './client.ts';
import { errorOf, type Failure, type Outcome } from './outcome.ts';
import { createShown } from './redact.ts';
import type { OfferCancelResult, OfferSendResult, OrderCancellation } from './schemas.ts';

type Deps = { service: OrderService; tokens: Tokens; log: Log };

export function createOrderCalls({ service, tokens, log }: Deps): OrderCalls {
  async function call(record: RequestRecord, { token, kind }: HeldToken, guard: ClaimGuard): Promise<Called> {
    const outcome = await OPERATIONS[record.kind]({ service, token, guard }, record).catch(toUnknown);
    if (outcome.type === 'answered') return { answer: withShownWord(outcome.value, token) };
    const { problem: _inErr, ...answer } = outcome;
    const isDenied = answer.type === 'refused' && deniesGraphql(answer.httpStatus, kind);
    return { answer: isDenied ? { ...answer, tokenKind: 'graphql' } : answer, err: errorOf(outcome) };
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
      if (typeof token === 'string') return { answer: notReceived(token) };
      const called = await call(record, token, guard);
      const verdict = verdictOf(called.answer);
      // Recorded before the answer is saved, so that no later call uses a refused token. The answer stands even if this
      // fails.
      if (verdict)
        await tokens.recordVerdict(token, verdict).catch((err) => {
          log.error({ ...fieldsOf(record), err }, 'token verdict not recorded');
        });
      return called;
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

const OPERATIONS: Record<
  RequestRecord['kind'],
  (by: With, record: RequestRecord) => Promise<Outcome<Answer>>
> = {
  cancel_order: async ({ service, token, guard }, { target, reason }) =>
    mapped(await service.cancelOrder(token, target, reason, guard), fromCancellation),
  send_offer: async ({ service, token, guard }, { target }) =>
    mapped(await service.sendOffer(token, target, guard), fromSending),
  cancel_offer: async ({ service, token, guard }, { target }) =>
    mapped(await service.cancelOffer(token, target, guard), fromOfferCancellation),
};

/** A fault of our own, after the call may have been sent: its outcome is unknown, and it must not be repeated. */
const toUnknown = (error: unknown): Failure => ({
  type: 'no_answer',
  why: 'unreadable',
  problem: String(error),
});

const mapped = <T>(outcome: Outcome<T>, toAnswer: (value: T) => Answer): Outcome<Answer> =>
  outcome.type === 'answered' ? { ...outcome, value: toAnswer(outcome.value) } : outcome;

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
