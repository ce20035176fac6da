/**
 * Redacts a token from texts of the order service. The texts are parsed strings, so the escapes of the answer's JSON
 * are already undone. Escapes of JSON, of URLs and of HTML, hexadecimal digits (also with the bytes apart) and base64 are
 * read inside a text, too, and so is a token of which only a part is left. This protects against a service that quotes the
 * request, not against one that hides the token on purpose.
 */
import { createPieces, SHORTEST_PIECE } from './redact/pieces.ts';
import { LONGEST_ESCAPE, type Range, readingsOf } from './redact/readings.ts';

const HIDDEN = '[token]';

/** Each party that quotes another may escape the text again: a gateway, the service, a part of the service. */
const ROUNDS = 3;

/** The longest form of the part by which a token is found. */
const LONGEST_FORM = SHORTEST_PIECE * LONGEST_ESCAPE ** ROUNDS;

/** @param longest how much of the text is shown; the rest is read only as far as a token could begin before that */
export type Redactor = (text: string, longest?: number) => string;

export function createRedactor(token: string): Redactor {
  const pieces = createPieces(token);

  function found(text: string): Range[] {
    return [...readingsOf(text, ROUNDS)].flatMap((reading) => pieces(reading.text).map(reading.source));
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
