/** Ids become exactly one encoded segment of a path, or nothing is sent. */
import { InvalidIdError } from './errors.ts';

const LONGEST_ID = 255;

/**
 * @returns the id as one path segment; no id can reach another path
 * @throws InvalidIdError for an id that encoding can't make safe: empty, a dot segment, too long, or not Unicode
 */
export function segment(id: string): string {
  // "." and ".." survive encodeURIComponent, and "%2e" counts as a dot too (WHATWG URL, "double-dot URL path segment").
  const unsafe = id === '' || id === '.' || id === '..' || id.length > LONGEST_ID || !id.isWellFormed();
  if (unsafe)
    throw new InvalidIdError({ code: 'INVALID_ID', message: 'The id cannot be part of an address.' });
  return encodeURIComponent(id);
}
