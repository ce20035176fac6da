/** Ids become exactly one encoded segment of a path, or nothing is sent. */
import { InvalidIdError } from './errors.ts';

const LONGEST_ID = 255;

/**
 * A slash, a backslash or a control character, as such or percent-encoded: a proxy may decode a path before it looks for
 * the operation, and `..%2Fprod%2Foffers%2FO-1` is another one then (RFC 3986, section 7.3).
 */
const LEADS_ELSEWHERE = /[/\\\p{Cc}]|%(?:25)*(?:2f|5c|[01][0-9a-f]|7f)/iu;

/** "." and ".." survive encodeURIComponent, and "%2e" counts as a dot, too (WHATWG URL, "double-dot URL path segment"). */
const DOT_SEGMENT = /^(?:\.|%(?:25)*2e){1,2}$/i;

/**
 * @returns the id as one path segment; no id can reach another path
 * @throws InvalidIdError for an id that encoding can't make safe: empty, leading elsewhere, too long, or not Unicode
 */
export function segment(id: string): string {
  const isUsable = id !== '' && id.length <= LONGEST_ID && id.isWellFormed();
  if (!isUsable || LEADS_ELSEWHERE.test(id) || DOT_SEGMENT.test(id))
    throw new InvalidIdError({ code: 'INVALID_ID', message: 'The id cannot be part of an address.' });
  return encodeURIComponent(id);
}
