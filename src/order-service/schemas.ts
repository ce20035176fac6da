/**
 * Defines the service's bodies (order-service-interface.md, section 2). Documented fields are read, others are ignored.
 */
import { z } from 'zod';

/** The number of details shown to people. It is our own: the interface states none. */
const MOST_DETAILS = 20;

const ErrorDetail = z.object({ field: z.string(), error: z.string() });
export type ErrorDetail = z.infer<typeof ErrorDetail>;

/** The useful parts of a refusal. One without a readable body is still a refusal. */
export const ErrorBody = z.object({
  code: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  details: z
    .array(z.unknown())
    .transform((items) => items.slice(0, MOST_DETAILS))
    .pipe(z.array(ErrorDetail))
    .optional()
    .catch(undefined),
});

export const SubBrand = z.object({ id: z.string(), name: z.string() });
export type SubBrand = z.infer<typeof SubBrand>;
