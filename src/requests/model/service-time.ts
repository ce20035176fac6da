/** Reads a time as the order service writes it: ISO 8601, with a zone. Not every such text is one of RFC 3339. */
import { z } from 'zod';

/** Epoch milliseconds; undefined: there is none, or none that can be read. Without a zone it may be meant anywhere. */
export const ServiceTime = z
  .string()
  .transform((text, { addIssue }) => {
    try {
      return Temporal.Instant.from(text).epochMilliseconds;
    } catch {
      addIssue('not a time');
      return z.NEVER;
    }
  })
  .optional()
  .catch(undefined);
