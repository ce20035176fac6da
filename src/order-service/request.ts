/** The one way by which anything reaches the order service. */
import type { Dispatcher } from 'undici';
import { parseJson } from '../json.ts';
import {
  NoAnswerError,
  type NoAnswerReason,
  type OrderServiceError,
  plainCode,
  RateLimitedError,
  RefusedError,
  UnreachableError,
} from './errors.ts';
import { type Exchange, exchange, type HttpAnswer, TooLargeError } from './exchange.ts';
import { retryAfterMs } from './retry-after.ts';
import { ErrorBody } from './schemas.ts';

export type Call = { method: 'GET' | 'POST' | 'DELETE'; path: string; token: string; body?: object };

export type Limits = { deadlineMs: number; maxBytes: number };

export type Connection = { dispatcher: Dispatcher; basePath: string; limits: Limits };

/**
 * Makes one call. It is made once: whether to repeat it is for the caller to decide.
 *
 * @returns the parsed JSON body of a 2xx; undefined where that body is empty
 * @throws OrderServiceError for everything else
 */
export async function request({ dispatcher, basePath, limits }: Connection, call: Call): Promise<unknown> {
  const { token, path, method, body } = call;
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const result = await exchange(
    dispatcher,
    {
      method,
      path: basePath + path,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    limits,
  );
  if (result.type === 'answered') return readAnswer(withoutToken(result.answer, token));
  // A refusal is one by its status alone, whatever became of its body.
  if (isRefusal(result.head)) return readAnswer(result.head);
  throw toFailure(result);
}

function isRefusal(head: HttpAnswer | undefined): head is HttpAnswer {
  return head !== undefined && head.status >= 400 && head.status < 500;
}

/** A service may quote the request in its answer: the token goes no further than this. */
function withoutToken(answer: HttpAnswer, token: string): HttpAnswer {
  const inJson = JSON.stringify(token).slice(1, -1);
  return { ...answer, body: answer.body.replaceAll(token, '[token]').replaceAll(inJson, '[token]') };
}

function toFailure({ sent, timedOut, cause }: Extract<Exchange, { type: 'failed' }>): OrderServiceError {
  if (!sent) {
    return new UnreachableError({ code: 'UNREACHABLE', message: 'No connection could be made.', cause });
  }
  if (timedOut) return noAnswer('timeout', 'The service did not answer in time.', { cause });
  const tooLarge = cause instanceof TooLargeError;
  return tooLarge
    ? noAnswer('unreadable', 'The answer was too large.', { cause })
    : noAnswer('cut', 'The connection was lost before the answer was complete.', { cause });
}

function readAnswer({ status, body, retryAfter }: HttpAnswer): unknown {
  if (status >= 200 && status < 300) return parse(body, status);
  if (status === 429) {
    const wait = retryAfterMs(retryAfter, Date.now());
    throw new RateLimitedError({ ...errorFacts(status, body), retryAfterMs: wait });
  }
  if (status >= 400 && status < 500) throw new RefusedError(errorFacts(status, body));
  if (status >= 500) throw new NoAnswerError({ ...errorFacts(status, body), reason: 'server_error' });
  throw noAnswer('redirected', 'The service answered with a redirect, which is never followed.', { status });
}

function parse(body: string, status: number): unknown {
  if (body === '') return undefined;
  const parsed = parseJson(body);
  if (parsed === undefined) throw noAnswer('unreadable', 'The answer was not JSON.', { status });
  return parsed;
}

/** The error body of section 2 where there is one; a plain answer otherwise. */
function errorFacts(status: number, body: string) {
  const parsed = ErrorBody.safeParse(parseJson(body));
  const { code, message, details } = parsed.success ? parsed.data : {};
  return { status, code: code ?? plainCode(status), message: message ?? `HTTP ${status}`, details };
}

function noAnswer(reason: NoAnswerReason, message: string, more: { status?: number; cause?: unknown }) {
  return new NoAnswerError({ code: reason.toUpperCase(), message, reason, ...more });
}
