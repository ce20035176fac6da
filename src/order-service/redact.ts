/**
 * Redacts a token from texts of the order service. The texts are parsed strings, so the escapes of the answer's JSON
 * are already undone. Escapes of JSON, of URLs and of HTML, hexadecimal digits (also with the bytes apart) and base64 are
 * read inside a text, too, and a part of a token is found as well. This protects against a service that quotes the
 * request, not against one that hides the token on purpose.
 */
import { LONGEST_ESCAPE, type Range, readingsOf } from './readings.ts';

const HIDDEN = '[token]';

/**
 * The shortest part of a token that is found. It is the length of the shortest token (connect.ts): a shorter part could
 * be a part of ordinary words.
 */
const SHORTEST_PIECE = 8;

/** Each party that quotes another may escape the text again: a gateway, the service, a part of the service. */
const ROUNDS = 3;

/** The longest form of the part by which a token is found. */
const LONGEST_FORM = SHORTEST_PIECE * LONGEST_ESCAPE ** ROUNDS;

/** @param longest how much of the text is shown; the rest is read only as far as a token could begin before that */
type Redactor = (text: string, longest?: number) => string;

export function createRedactor(token: string): Redactor {
  const findPieces = createPieceFinder(token);

  function found(text: string): Range[] {
    const ranges: Range[] = [];
    for (const reading of readingsOf(text, ROUNDS))
      for (const piece of findPieces(reading.text)) ranges.push(reading.source(piece));
    return ranges;
  }

  return (text, longest = text.length) => {
    if (text.length < SHORTEST_PIECE) return text.slice(0, longest);
    const read = text.slice(0, longest + LONGEST_FORM);
    // In a text that is not read to its end, a token that begins later may not be found.
    const known = read.length === text.length ? text : text.slice(0, longest);
    return hide(known, found(read)).slice(0, longest);
  };
}

/** Hides ranges of a text. Ranges that touch each other are several tokens; those that overlap are one. */
function hide(text: string, ranges: Range[]): string {
  let shown = '';
  let next = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start >= text.length) break;
    if (start >= next) shown += text.slice(next, start) + HIDDEN;
    next = Math.max(next, end);
  }
  return shown + text.slice(next);
}

/** Creates the function that finds the parts of a text that are a beginning or an end of the token. */
function createPieceFinder(token: string): (text: string) => Range[] {
  const head = token.slice(0, SHORTEST_PIECE);
  const tail = token.slice(-SHORTEST_PIECE);

  return (text) => {
    const { length } = text;
    const heads = text.includes(head) ? prefixesIn(text, token) : [];
    const tails = text.includes(tail) ? prefixesIn(reversed(text), reversed(token)) : [];
    return [...heads, ...tails.map(({ start, end }) => ({ start: length - end, end: length - start }))];
  };
}

/**
 * Finds the longest prefixes of a pattern in a text, by the algorithm of Knuth, Morris and Pratt: a text and a token that
 * repeat themselves take no longer than others.
 */
function prefixesIn(text: string, pattern: string): Range[] {
  const fallbacks = fallbacksOf(pattern);
  const found: Range[] = [];
  let matched = 0;
  for (let i = 0; i <= text.length; i++) {
    const before = matched;
    matched = extended({ pattern, fallbacks }, matched, text.charCodeAt(i));
    if (before >= SHORTEST_PIECE && matched <= before) found.push({ start: i - before, end: i });
  }
  return found;
}

/** Returns for each prefix of a pattern the length of the longest shorter prefix that it ends with. */
function fallbacksOf(pattern: string): Uint32Array {
  const fallbacks = new Uint32Array(pattern.length);
  let matched = 0;
  for (let i = 1; i < pattern.length; i++) {
    matched = extended({ pattern, fallbacks }, matched, pattern.charCodeAt(i));
    fallbacks[i] = matched;
  }
  return fallbacks;
}

type Pattern = { pattern: string; fallbacks: Uint32Array };

/** @returns how much of the pattern has matched once this character is read; the end of a text is no character (NaN) */
function extended({ pattern, fallbacks }: Pattern, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && pattern.charCodeAt(length) !== code) length = fallbacks[length - 1] ?? 0;
  return pattern.charCodeAt(length) === code ? length + 1 : 0;
}

/** Reverses the characters, so that the end of a token becomes a prefix. */
function reversed(text: string): string {
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(text.length - 1 - i);
  return Buffer.from(codes.buffer).toString('utf16le');
}

/** The codes of order-service-interface.md, section 7. Some of them decide, so they are never redacted. */
const CODES: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'INTERNAL_SERVER_ERROR',
  'SUB_BRANDS_NOT_FOUND',
  'OFFER_CANCELLATION_ERROR',
  'FORBIDDEN',
  'OFFER_NOT_FOUND',
]);

/**
 * Makes a text of the service safe to display, log and store.
 *
 * @returns it on one line, without bidirectional controls and the token, and at most `longest` characters long
 */
export type Sanitizer = (text: string, longest: number) => string;

/** @param token the token that the service may quote; undefined if the workspace is disconnected */
export function createSanitizer(token: string | undefined): Sanitizer {
  const withoutToken: Redactor =
    token === undefined ? (text, longest) => text.slice(0, longest) : createRedactor(token);
  return (text, longest) => {
    if (CODES.has(text)) return text;
    // Removed before the search for the token: without these characters its parts may become adjacent.
    const line = text
      .replace(/\p{Bidi_Control}+/gu, '')
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim();
    return withoutToken(line, longest).toWellFormed();
  };
}

/** The number of characters of a status that are kept. The limit is our own: the interface states none. */
const LONGEST_STATUS = 100;

/**
 * An unlisted status word as it is shown, if anything of it can be shown. Interpret the word before: what is shown may read like
 * another.
 */
export function shownWord(sanitize: Sanitizer, word: string): { word?: string } {
  const shown = sanitize(word, LONGEST_STATUS);
  return shown === '' ? {} : { word: shown };
}
