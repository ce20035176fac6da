/** Parses stored records, which another version may have written. */
import type { z } from 'zod';

/**
 * @returns the record with all that the schema does not know, at any depth: an older version writes back what a newer one has
 *   added
 * @throws if it can't be read: then nothing changes it
 */
export function readRecord<R>(schema: z.ZodType<R>, text: string): R {
  const stored: unknown = JSON.parse(text);
  return withUnknown(schema.parse(stored), stored) as R;
}

function withUnknown(parsed: unknown, stored: unknown): unknown {
  if (Array.isArray(parsed) && Array.isArray(stored))
    return parsed.map((each, i) => withUnknown(each, stored[i]));
  if (!isObject(parsed) || !isObject(stored)) return parsed;
  const known = Object.entries(parsed).map(([key, value]) => [key, withUnknown(value, stored[key])]);
  return { ...stored, ...Object.fromEntries(known) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
