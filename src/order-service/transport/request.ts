/** Makes a request to the order service. Nothing reaches it in any other way. */
import {
  ClaimLostError,
  ConnectionLostError,
  EarlyAnswerError,
  type Exchange,
  type HttpAnswer,
  type HttpCall,
  type Limits,
  TooLargeError,
} from '../../http/exchange.ts';
import { parseJson } from '../../json.ts';
import type { ClaimGuard } from '../../requests/ports/ports.ts';
import {
  DisconnectedError,
  NoAnswerError,
  type NoAnswerReason,
  NotSentError,
  type OrderServiceError,
  plainCode,
  plainMessage,
  RateLimitedError,
  RefusedError,
  UnreachableError,
} from '../errors.ts';
import { ErrorBody } from '../schemas.ts';
import { createShown, type Shown } from '../shown.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Transport } from './transport.ts';

/**
 * `guard`: the guard of the claim that covers the call; undefined if none does. `success`: the only status of a success;
 * undefined: any 2xx. `outcome`: the field of the body that tells the outcome.
 */
export type Call = Pick<HttpCall, 'method' | 'path'> & {
  token: string;
  body?: object;
  success?: number;
  outcome?: string;
  guard?: ClaimGuard;
};

/** `now`: epoch milliseconds. */
export type Service = { transport: Transport; basePath: string; limits: Limits; now: () => number };

/**
 * Makes one call, once: the caller decides whether to repeat it.
 *
 * @returns the parsed JSON body of a 2xx; undefined if that body is empty
 * @throws OrderServiceError for everything else
 */
export async function request({ transport, basePath, limits, now }: Service, call: Call): Promise<unknown> {
  const { token, guard } = call;
  const result = await transport.send(httpCall(basePath, call), limits, { token, guard });
  const shown = createShown(token);
  if (result.type === 'answered') return readAnswer(result.answer, shown, now, call);
  // The status alone makes a refusal, even if its body was lost.
  if (isClientError(result.head)) return readAnswer(result.head, shown, now);
  throw toFailure(result);
}

/**
 * Builds the call. It requests uncompressed answers, because the limit of the body counts received bytes, not unpacked
 * ones.
 */
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
  if (cause instanceof ConnectionLostError) {
    return new DisconnectedError({ code: 'DISCONNECTED', message: 'The connection was lost.', ...facts });
  }
  if (!sent) {
    return new UnreachableError({ code: 'UNREACHABLE', message: 'No connection could be used.', ...facts });
  }
  if (timedOut) return noAnswer('timeout', 'The service did not answer in time.', facts);
  if (cause instanceof TooLargeError) return noAnswer('unreadable', 'The answer was too large.', facts);
  return cause instanceof EarlyAnswerError
    ? noAnswer('unreadable', 'The answer came before the request.', facts)
    : noAnswer('cut', 'The connection was lost before the answer was complete.', facts);
}

/** Drops the unparsed bytes that undici's HTTPParserError holds (`data`), because they may quote the token. */
function withoutBytes({ code, message }: Error & { code?: string }): Error {
  return new Error(code === undefined ? message : `${code} ${message}`.trimEnd());
}

/**
 * Statuses of gateways, and of services that stopped waiting or are overloaded: the request may have been forwarded
 * before (408, 502, 503, 504: RFC 9110, sections 15.5.9 and 15.6; 499: nginx's status for a disconnected client).
 */
const GAVE_UP: ReadonlySet<number> = new Set([408, 499, 502, 503, 504]);

function readAnswer(
  { status, body, headers }: HttpAnswer,
  shown: Shown,
  now: () => number,
  { success = status, outcome }: Pick<Call, 'success' | 'outcome'> = {},
): unknown {
  if (status >= 200 && status < 300) {
    const parsed = parse(body, status);
    if (status === success && !isError(parsed, outcome)) return parsed;
    throw new NoAnswerError({ ...errorFacts(status, body, shown), reason: 'contradictory' });
  }
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

/** Whether a 2xx has the error body of section 2 in place of an outcome: its status and its body contradict each other. */
function isError(parsed: unknown, outcome: string | undefined): boolean {
  if (outcome === undefined || typeof parsed !== 'object' || parsed === null) return false;
  const { code, [outcome]: said } = parsed as Record<string, unknown>;
  return typeof code === 'string' && (said === undefined || said === null);
}

/**
 * Reads the error body of section 2 if there is one; otherwise only the status. The limits are our own: the interface
 * states none.
 */
function errorFacts(status: number, body: string, shown: Shown) {
  const { code, message, details } = ErrorBody.safeParse(parseJson(body)).data ?? {};
  return {
    status,
    code: (code && shown(code, 100)) || plainCode(status),
    message: (message && shown(message, 1_000)) || plainMessage(status),
    details: details?.map(({ field, error }) => ({ field: shown(field, 200), error: shown(error, 500) })),
  };
}

function noAnswer(reason: NoAnswerReason, message: string, more: { status?: number; cause?: unknown }) {
  return new NoAnswerError({ code: reason.toUpperCase(), message, reason, ...more });
}
