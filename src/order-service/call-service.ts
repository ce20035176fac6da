/** Makes a call to the order service, and returns its outcome as a value. Nothing reaches the service in any other way. */
import { z } from 'zod';
import {
  ClaimLostError,
  ConnectionLostError,
  EarlyAnswerError,
  type Exchange,
  type HttpAnswer,
  type HttpCall,
  type Limits,
  TooLargeError,
} from '../http/exchange.ts';
import { isObject, parseJson } from '../json.ts';
import type { ClaimGuard } from '../outbox/ports.ts';
import { type Answer, FieldError } from '../requests/model/cause.ts';
import type { OutcomeField } from '../requests/model/kinds.ts';
import { createSanitizer } from './redact.ts';
import type { Transport } from './transport.ts';

/**
 * Failures differ by the one question that matters: may the service have received the call?
 *
 * `not_received`: nothing reached the service, or it has turned the call away (429), so the call may be repeated.
 * `refused`: the service has read the call and refused it; status 0: the id can't be part of a path, and nothing was sent.
 * `no_answer`: the call may have been received. `problem`: what went wrong on the connection, for the log.
 *
 * No part of it holds a token: `wordsOf` redacts the texts of an answer, and http/exchange.ts drops the bytes that an error
 * of the network may quote.
 */
export type Failure = Exclude<Answer, { type: 'said' }> & { problem?: string };

export type CallOutcome<T> = { type: 'answered'; value: T } | Failure;

/** Whether no connection could be used, so that nothing was sent. */
export const isUnreachable = (outcome: CallOutcome<unknown>): boolean =>
  outcome.type === 'not_received' && outcome.why !== 'rate_limited';

export type NoAnswerReason = Extract<Failure, { type: 'no_answer' }>['why'];

/**
 * `guard`: the guard of the claim that covers the call; undefined if none does. `success`: the only status of a success;
 * undefined: any 2xx. `outcome`: the field of the body that tells the outcome, and the type of its value.
 */
type Call = Pick<HttpCall, 'method' | 'path'> & {
  token: string;
  body?: object;
  success?: number;
  outcome?: OutcomeField;
  guard?: ClaimGuard;
};

/** `now`: epoch milliseconds. */
export type Service = { transport: Transport; basePath: string; limits: Limits; now: () => number };

/**
 * Makes one call, once: the caller decides whether to repeat it.
 *
 * @returns the parsed JSON body of a 2xx, undefined if that body is empty; or the failure
 */
export async function callService(
  { transport, basePath, limits, now }: Service,
  call: Call,
): Promise<CallOutcome<unknown>> {
  const result = await transport.send(httpCall(basePath, call), limits, call.guard);
  if (result.type === 'answered') return readAnswer(result.answer, call, now);
  const { head } = result;
  // Only a success is told by its body: any other status says enough, even if the body was lost.
  return head && head.status >= 300 ? readAnswer(head, call, now) : toFailure(result);
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

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function toFailure({ sent, timedOut, head, cause }: Extract<Exchange, { type: 'failed' }>): Failure {
  const problem = problemOf(cause);
  if (cause instanceof ClaimLostError) return { type: 'not_received', why: 'interrupted', problem };
  if (cause instanceof ConnectionLostError) return { type: 'not_received', why: 'disconnected', problem };
  if (!sent) return { type: 'not_received', why: 'unreachable', problem };
  const begun = head && isSuccess(head.status) ? { httpStatus: head.status } : {};
  return { type: 'no_answer', why: whyUnanswered(timedOut, cause), ...begun, problem };
}

function whyUnanswered(timedOut: boolean, cause: Error): NoAnswerReason {
  if (timedOut) return 'timeout';
  return cause instanceof TooLargeError || cause instanceof EarlyAnswerError ? 'unreadable' : 'cut';
}

const problemOf = ({ code, message }: Error & { code?: string }): string =>
  code === undefined ? message : `${code} ${message}`.trimEnd();

/**
 * Statuses of gateways, and of services that stopped waiting or are overloaded: the call may have been forwarded before
 * (408, 502, 503, 504: RFC 9110, sections 15.5.9 and 15.6; 499: nginx's status for a disconnected client).
 */
export const GAVE_UP: ReadonlySet<number> = new Set([408, 499, 502, 503, 504]);

function readAnswer(
  { status, body, headers }: HttpAnswer,
  call: Call,
  now: () => number,
): CallOutcome<unknown> {
  if (status === 429) {
    const wait = retryAfterMs(headers['retry-after'], now());
    return {
      type: 'not_received',
      why: 'rate_limited',
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }
  // A redirect is never followed.
  if (status >= 300 && status < 400) return { type: 'no_answer', why: 'redirected', httpStatus: status };
  if (isSuccess(status)) return readSuccess({ status, body }, call);
  const answer = { httpStatus: status, ...wordsOf(parseJson(body), call.token) };
  if (GAVE_UP.has(status)) return { type: 'no_answer', why: 'gave_up', ...answer };
  return status >= 500
    ? { type: 'no_answer', why: 'server_error', ...answer }
    : { type: 'refused', ...answer, details: answer.details ?? [] };
}

function readSuccess(
  { status, body }: Pick<HttpAnswer, 'status' | 'body'>,
  { token, success = status, outcome }: Call,
): CallOutcome<unknown> {
  const parsed = body === '' ? undefined : parseJson(body);
  if (body !== '' && parsed === undefined)
    return { type: 'no_answer', why: 'unreadable', httpStatus: status, problem: 'The answer was not JSON.' };
  return status === success && !isError(parsed, outcome)
    ? { type: 'answered', value: parsed }
    : { type: 'no_answer', why: 'contradictory', httpStatus: status, ...wordsOf(parsed, token) };
}

/** Whether a 2xx has the error body of section 2 in place of an outcome: its status and its body contradict each other. */
function isError(parsed: unknown, outcome: OutcomeField | undefined): boolean {
  if (!isObject(parsed) || typeof parsed['code'] !== 'string') return false;
  return outcome === undefined || typeof parsed[outcome.field] !== outcome.type;
}

/** The number of details that are read, and shown to people. The limit is our own: the interface states none. */
const MOST_DETAILS = 20;

/** The useful parts of an error body. A refusal without a readable body is still a refusal. */
const ErrorBody = z.object({
  code: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  details: z
    .array(z.unknown())
    .transform((items) =>
      items.slice(0, MOST_DETAILS).flatMap((item) => FieldError.safeParse(item).data ?? []),
    )
    .optional()
    .catch(undefined),
});

type Words = Pick<Extract<Failure, { type: 'no_answer' }>, 'code' | 'message' | 'details'>;

/** Reads the error body of section 2, as far as there is one. The limits are our own: the interface states none. */
export function wordsOf(body: unknown, token: string): Words {
  const { code = '', message = '', details = [] } = ErrorBody.safeParse(body).data ?? {};
  const sanitize = createSanitizer(token);
  const [shownCode, shownMessage] = [sanitize(code, 100), sanitize(message, 1_000)];
  return {
    ...(shownCode && { code: shownCode }),
    ...(shownMessage && { message: shownMessage }),
    ...(details.length > 0 && {
      details: details.map(({ field, error }) => ({
        field: sanitize(field, 200),
        error: sanitize(error, 500),
      })),
    }),
  };
}

/**
 * Parses Retry-After: seconds, or a date (RFC 9110, section 10.2.3).
 *
 * @returns milliseconds from `now` (epoch milliseconds); undefined for a missing or unreadable header
 */
export function retryAfterMs(header: unknown, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The reasons whose answers may hold an error body. An answer without a body is named by its status. */
const HAS_WORDS: ReadonlySet<NoAnswerReason> = new Set(['server_error', 'gave_up', 'contradictory']);

/** The code of a failure: that of the service's answer, or the name of what went wrong. */
export function codeOf(failure: Failure): string {
  if (failure.type === 'not_received') return failure.why.toUpperCase();
  if (failure.code !== undefined) return failure.code;
  return failure.type === 'refused' || HAS_WORDS.has(failure.why)
    ? `HTTP_${failure.httpStatus}`
    : failure.why.toUpperCase();
}

/** The message of the service's answer, or what went wrong. */
function messageOf(failure: Failure): string {
  if (failure.type !== 'not_received' && failure.message !== undefined) return failure.message;
  return failure.problem ?? ('httpStatus' in failure ? `HTTP ${failure.httpStatus}` : failure.type);
}

export function errorOf(failure: Failure): Error {
  const { problem, ...facts } = failure;
  const error = new Error(messageOf(failure), problem === undefined ? {} : { cause: new Error(problem) });
  return Object.assign(error, { name: 'OrderServiceError', code: codeOf(failure), facts });
}
