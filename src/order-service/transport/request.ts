/** The one way by which anything reaches the order service. */
import {
  ClaimLostError,
  type Exchange,
  type HttpAnswer,
  type HttpCall,
  type Limits,
  TooLargeError,
} from '../../http/exchange.ts';
import { parseJson } from '../../json.ts';
import type { ClaimGuard } from '../../requests/ports/ports.ts';
import {
  NoAnswerError,
  type NoAnswerReason,
  NotSentError,
  type OrderServiceError,
  plainCode,
  RateLimitedError,
  RefusedError,
  UnreachableError,
} from '../errors.ts';
import { ErrorBody } from '../schemas.ts';
import { createShown, type Shown } from '../shown.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Transport } from './transport.ts';

/** `guard`: of the claim that covers the call; undefined where none does. */
export type Call = Pick<HttpCall, 'method' | 'path'> & {
  token: string;
  body?: object;
  guard?: ClaimGuard;
};

/** `now`: epoch milliseconds. */
export type Service = { transport: Transport; basePath: string; limits: Limits; now: () => number };

/**
 * Makes one call. It is made once: whether to repeat it is for the caller to decide.
 *
 * @returns the parsed JSON body of a 2xx; undefined where that body is empty
 * @throws OrderServiceError for everything else
 */
export async function request({ transport, basePath, limits, now }: Service, call: Call): Promise<unknown> {
  const { token, guard } = call;
  const result = await transport.send(httpCall(basePath, call), limits, { token, guard });
  const shown = createShown(token);
  if (result.type === 'answered') return readAnswer(result.answer, shown, now);
  // A refusal is one by its status alone, whatever became of its body.
  if (isClientError(result.head)) return readAnswer(result.head, shown, now);
  throw toFailure(result);
}

/** Asks for answers that are not compressed: the limit of the body counts what has arrived, not what it unpacks to. */
function httpCall(basePath: string, { method, path, token, body }: Call): HttpCall {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
  };
  if (body === undefined) return { method, path: basePath + path, headers };
  return {
    method,
    path: basePath + path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function isClientError(head: HttpAnswer | undefined): head is HttpAnswer {
  return head !== undefined && head.status >= 400 && head.status < 500;
}

function toFailure({ sent, timedOut, cause }: Extract<Exchange, { type: 'failed' }>): OrderServiceError {
  if (cause instanceof ClaimLostError) {
    return new NotSentError({ code: 'NOT_SENT', message: cause.message, cause: cause.cause });
  }
  const facts = { cause: withoutBytes(cause) };
  if (!sent) {
    return new UnreachableError({ code: 'UNREACHABLE', message: 'No connection could be used.', ...facts });
  }
  if (timedOut) return noAnswer('timeout', 'The service did not answer in time.', facts);
  return cause instanceof TooLargeError
    ? noAnswer('unreadable', 'The answer was too large.', facts)
    : noAnswer('cut', 'The connection was lost before the answer was complete.', facts);
}

/** undici's HTTPParserError holds the bytes that it could not parse (`data`), and these may quote the token. */
function withoutBytes({ code, message }: Error & { code?: string }): Error {
  return new Error(code === undefined ? message : `${code} ${message}`.trimEnd());
}

/**
 * Answers of gateways, and of services that stopped waiting or are overloaded: the request may have been handed on before
 * (408, 502, 503, 504: RFC 9110, sections 15.5.9 and 15.6; 499: what nginx notes of a client that hung up).
 */
const GAVE_UP: ReadonlySet<number> = new Set([408, 499, 502, 503, 504]);

function readAnswer({ status, body, headers }: HttpAnswer, shown: Shown, now: () => number): unknown {
  if (status >= 200 && status < 300) return parse(body, status);
  if (status === 429) {
    const wait = retryAfterMs(headers['retry-after'], now());
    throw new RateLimitedError({ ...errorFacts(status, body, shown), retryAfterMs: wait });
  }
  if (GAVE_UP.has(status)) throw new NoAnswerError({ ...errorFacts(status, body, shown), reason: 'gave_up' });
  if (status >= 400 && status < 500) throw new RefusedError(errorFacts(status, body, shown));
  if (status >= 500) throw new NoAnswerError({ ...errorFacts(status, body, shown), reason: 'server_error' });
  throw noAnswer('redirected', 'The service answered with a redirect, which is never followed.', { status });
}

function parse(body: string, status: number): unknown {
  if (body === '') return undefined;
  const parsed = parseJson(body);
  if (parsed === undefined) throw noAnswer('unreadable', 'The answer was not JSON.', { status });
  return parsed;
}

/** The error body of section 2 where there is one; a plain answer otherwise. The limits are ours: the interface shows none. */
function errorFacts(status: number, body: string, shown: Shown) {
  const { code, message, details } = ErrorBody.safeParse(parseJson(body)).data ?? {};
  return {
    status,
    code: (code && shown(code, 100)) || plainCode(status),
    message: (message && shown(message, 1_000)) || `HTTP ${status}`,
    details: details?.map(({ field, error }) => ({ field: shown(field, 200), error: shown(error, 500) })),
  };
}

function noAnswer(reason: NoAnswerReason, message: string, more: { status?: number; cause?: unknown }) {
  return new NoAnswerError({ code: reason.toUpperCase(), message, reason, ...more });
}
