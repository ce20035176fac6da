import type { HttpReply } from '../lib/http/server.ts';

/** The error body of the interface. */
export type ErrorBody = {
  code: string;
  message: string;
  details?: { field: string; error: string }[];
};

/** A refusal in the interface's words. */
export function refusal(status: number, body: ErrorBody): HttpReply {
  return { status, body };
}

/** 400 VALIDATION_ERROR about one field. */
export function validationError(field: string, error: string): HttpReply {
  const message = `The request is invalid: ${field} ${error}`;
  return refusal(400, { code: 'VALIDATION_ERROR', message, details: [{ field, error }] });
}
