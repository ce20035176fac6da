/** What can go wrong with a call, told apart by the one thing that matters: may it have been received? */
import type { ErrorDetail } from './schemas.ts';

type Facts = {
  code: string;
  message: string;
  status?: number | undefined;
  details?: ErrorDetail[] | undefined;
  cause?: unknown;
};

/**
 * None of its parts holds a token: request.ts takes it out of the texts of an answer, and hands on no error of a library
 * as the cause, since such an error may hold the bytes of the answer.
 */
export abstract class OrderServiceError extends Error {
  readonly code: string;
  readonly status: number | undefined;
  readonly details: ErrorDetail[];
  /** Whether the same call may be made again without any risk of making it twice. */
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

/** The connection was never made, so the service has received nothing. */
export class UnreachableError extends OrderServiceError {
  readonly retryable = true;
}

/** The claim of the call was gone before its first byte, so the service has received nothing. */
export class NotSentError extends OrderServiceError {
  readonly retryable = true;
}

/** 429: the service has turned the call away unread. */
export class RateLimitedError extends OrderServiceError {
  readonly retryable = true;
  readonly retryAfterMs: number | undefined;

  constructor(facts: Facts & { retryAfterMs: number | undefined }) {
    super(facts);
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** Any other 4xx but 408 and 499: the service has read the call and said no. */
export class RefusedError extends OrderServiceError {
  readonly retryable = false;
}

/** The code of an answer that brings none of its own. */
export const plainCode = (status: number): string => `HTTP_${status}`;

export type NoAnswerReason = 'timeout' | 'server_error' | 'gave_up' | 'redirected' | 'unreadable' | 'cut';

/** The call may have been received, and nobody can tell what came of it. */
export class NoAnswerError extends OrderServiceError {
  readonly retryable = false;
  readonly reason: NoAnswerReason;

  constructor(facts: Facts & { reason: NoAnswerReason }) {
    super(facts);
    this.reason = facts.reason;
  }
}
