/**
 * The outcome of a call as a value. Failures differ by the one question that matters: may the service have received the
 * call?
 */
import type { Answer } from '../requests/model/cause.ts';

/**
 * `not_received`: nothing reached the service, or it has turned the call away (429), so the call may be repeated.
 * `refused`: the service has read the call and refused it; status 0: the id can't be part of a path, and nothing was sent.
 * `no_answer`: the call may have been received. `problem`: what went wrong on the connection, for the log.
 *
 * No part of it holds a token: transport/call-service.ts redacts the texts of an answer, and drops the bytes that an error of
 * the network may quote.
 */
export type Failure = Exclude<Answer, { type: 'said' }> & { problem?: string };

export type Outcome<T> = { type: 'answered'; value: T } | Failure;

/** Whether no connection could be used, so that nothing was sent. */
export const isUnreachable = (outcome: Outcome<unknown>): boolean =>
  outcome.type === 'not_received' && outcome.why !== 'rate_limited';

export type NoAnswerReason = Extract<Failure, { type: 'no_answer' }>['why'];

/** The refusal of an id that can't be one segment of a path. */
export const INVALID_ID: Failure = {
  type: 'refused',
  httpStatus: 0,
  code: 'INVALID_ID',
  message: 'The id cannot be part of an address.',
  details: [],
};

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
export function messageOf(failure: Failure): string {
  if (failure.type !== 'not_received' && failure.message !== undefined) return failure.message;
  return failure.problem ?? ('httpStatus' in failure ? `HTTP ${failure.httpStatus}` : failure.type);
}

/** A failure as an error for the log. */
export function errorOf(failure: Failure): Error {
  const { problem, ...facts } = failure;
  const error = new Error(messageOf(failure), problem === undefined ? {} : { cause: new Error(problem) });
  return Object.assign(error, { name: 'OrderServiceError', code: codeOf(failure), facts });
}
