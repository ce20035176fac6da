/** Defines the errors of a call, distinguished by the one question that matters: may the service have received it? */
import type { ErrorDetail } from './schemas.ts';

type Facts = {
  code: string;
  message: string;
  status?: number | undefined;
  details?: ErrorDetail[] | undefined;
  cause?: unknown;
};

/**
 * The base class. No part of it holds a token: request.ts redacts the texts of an answer, and never keeps a library's
 * error as the cause, because that may hold bytes of the answer.
 */
export abstract class OrderServiceError extends Error {
  readonly code: string;
  readonly status: number | undefined;
  readonly details: ErrorDetail[];
  /** Whether the same call may be repeated without the risk of executing it twice. */
  abstract readonly retryable: boolean;

  constructor({ code, message, status, details = [], cause }: Facts) {
    super(message, { cause });
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** An id that can't be one segment of a path. Nothing was sent. */
export class InvalidIdError extends OrderServiceError {
  readonly retryable = false;
}

/** No connection could be used, so the service has received nothing. */
export class UnreachableError extends OrderServiceError {
  readonly retryable = true;
}

/** A connection was made, and lost before the first byte. Others may be able to use theirs. */
export class DisconnectedError extends UnreachableError {}

/** The claim was lost before the first byte, so the service has received nothing. */
export class NotSentError extends OrderServiceError {
  readonly retryable = true;
}

/** 429: the service has turned the call away unprocessed. */
export class RateLimitedError extends OrderServiceError {
  readonly retryable = true;
  readonly retryAfterMs: number | undefined;

  constructor(facts: Facts & { retryAfterMs: number | undefined }) {
    super(facts);
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** Any other 4xx except 408 and 499: the service has read the call and refused it. */
export class RefusedError extends OrderServiceError {
  readonly retryable = false;
}

/** The code of an answer without one of its own. */
export const plainCode = (status: number): string => `HTTP_${status}`;

/** The message of an answer without one of its own. */
export const plainMessage = (status: number): string => `HTTP ${status}`;

/** `contradictory`: a 2xx whose body is an error, or another 2xx than the interface shows. */
export type NoAnswerReason =
  | 'timeout'
  | 'server_error'
  | 'gave_up'
  | 'redirected'
  | 'unreadable'
  | 'contradictory'
  | 'cut';

/** The call may have been received, and its result is unknown. */
export class NoAnswerError extends OrderServiceError {
  readonly retryable = false;
  readonly reason: NoAnswerReason;

  constructor(facts: Facts & { reason: NoAnswerReason }) {
    super(facts);
    this.reason = facts.reason;
  }
}
