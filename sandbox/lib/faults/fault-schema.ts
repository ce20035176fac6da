import { z } from 'zod';

const ms = z.int().min(0);
const status = z.int().min(100).max(599);
const body = z.unknown().optional();
const of = <T extends string, S extends z.ZodRawShape>(type: T, fields: S) =>
  z.strictObject({ type: z.literal(type), ...fields });

/** The faults that can be applied to one request. */
export const FaultSchema = z.discriminatedUnion('type', [
  // The request is refused before it is processed.
  of('rate_limit', { retryAfterSeconds: z.int().min(0) }),
  of('status', { status, body }),
  of('error', { code: z.string().min(1) }),
  of('redirect', { status, location: z.string() }),
  of('drop', {}),
  // The request is processed, and answered as if it was not, or not at all.
  of('status_after', { status, body }),
  of('unanswered', {}),
  of('truncated', {}),
  of('garbage', {}),
  // The request is delayed before it is processed (even if the client has left by then), or before it is answered.
  of('delay', { ms }),
  of('delay_answer', { ms }),
  // The request is held until it is released. If the client leaves meanwhile, 'before' skips the processing; 'late' does
  // not.
  of('hold', { when: z.enum(['before', 'late', 'after']) }),
]);

export type Fault = z.output<typeof FaultSchema>;
