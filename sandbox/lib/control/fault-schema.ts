import { z } from 'zod';

const ms = z.int().min(0);
const status = z.int().min(100).max(599);
const body = z.unknown().optional();
const of = <T extends string, S extends z.ZodRawShape>(type: T, fields: S) =>
  z.strictObject({ type: z.literal(type), ...fields });

/** What can be made to go wrong with one request. */
export const FaultSchema = z.discriminatedUnion('type', [
  // Refused before it is processed.
  of('rate_limit', { retryAfterSeconds: z.int().min(0) }),
  of('status', { status, body }),
  of('error', { code: z.string().min(1) }),
  of('redirect', { status, location: z.string() }),
  of('drop', {}),
  // Processed, and answered as if it was not, or not at all.
  of('status_after', { status, body }),
  of('unanswered', {}),
  of('truncated', {}),
  of('garbage', {}),
  // Late: before it is processed (it is, though the client may have gone by then), or before it is answered.
  of('delay', { ms }),
  of('delay_answer', { ms }),
  // Held until it is released. Held 'before' and given up by the client, it is not processed; held 'late' it is.
  of('hold', { when: z.enum(['before', 'late', 'after']) }),
]);

export type Fault = z.output<typeof FaultSchema>;
