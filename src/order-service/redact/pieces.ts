/** Finds a token in a text, whole or cut short at either end, in linear time. */
import type { Range } from './readings.ts';

/**
 * The shortest part of a token that is found. It is the length of the shortest token (connect.ts): a shorter part could
 * be a part of ordinary words.
 */
export const SHORTEST_PIECE = 8;

export function createPieces(token: string): (text: string) => Range[] {
  const head = token.slice(0, SHORTEST_PIECE);
  const tail = token.slice(-SHORTEST_PIECE);
  const heads = createMatcher(token);
  const tails = createMatcher(reversed(token));

  return (text) => [
    ...(text.includes(head) ? heads(text) : []),
    ...(text.includes(tail)
      ? tails(reversed(text)).map(({ start, end }) => ({
          start: text.length - end,
          end: text.length - start,
        }))
      : []),
  ];
}

/**
 * Returns a search for the longest prefixes of a pattern in a text, by the algorithm of Knuth, Morris and Pratt: a text
 * and a token that repeat themselves take no longer than others.
 */
function createMatcher(pattern: string): (text: string) => Range[] {
  const fallbacks = fallbacksOf(pattern);
  return (text) => {
    const found: Range[] = [];
    let matched = 0;
    for (let i = 0; i <= text.length; i++) {
      const before = matched;
      matched = extended({ pattern, fallbacks }, matched, text.charCodeAt(i));
      if (before >= SHORTEST_PIECE && matched <= before) found.push({ start: i - before, end: i });
    }
    return found;
  };
}

/** For each prefix of a pattern, the length of the longest shorter prefix that it ends with. */
function fallbacksOf(pattern: string): Uint32Array {
  const fallbacks = new Uint32Array(pattern.length);
  let matched = 0;
  for (let i = 1; i < pattern.length; i++) {
    matched = extended({ pattern, fallbacks }, matched, pattern.charCodeAt(i));
    fallbacks[i] = matched;
  }
  return fallbacks;
}

type Known = { pattern: string; fallbacks: Uint32Array };

/** @returns how much of the pattern has matched once this character is read; the end of a text is no character (NaN) */
function extended({ pattern, fallbacks }: Known, matched: number, code: number): number {
  let now = matched;
  while (now > 0 && pattern.charCodeAt(now) !== code) now = fallbacks[now - 1] ?? 0;
  return pattern.charCodeAt(now) === code ? now + 1 : 0;
}

/** Reverses the characters, so that the end of a token becomes a prefix. */
function reversed(text: string): string {
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(text.length - 1 - i);
  return Buffer.from(codes.buffer).toString('utf16le');
}
