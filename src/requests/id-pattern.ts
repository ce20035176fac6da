/**
 * What the ids of a workspace look like, as an admin writes it: `#` is a digit, `@` a letter, `*` anything, and all
 * else stands for itself. Not a regular expression, which could be written so that it never ends. Pure.
 */

export const PATTERN_MAX = 100;

/** Whether the whole of `id` reads as the pattern says, in whatever case. */
export function matchesPattern(pattern: string, id: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const text = id.toLowerCase();
  if (rest.length === 0) return text.length === first.length && fits(first, text, 0);
  if (!fits(first, text, 0)) return false;
  const last = rest.pop() ?? '';
  let from = first.length;
  for (const part of rest) {
    const found = find(part, text, from);
    if (found === undefined) return false;
    from = found + part.length;
  }
  return text.length - last.length >= from && fits(last, text, text.length - last.length);
}

/** The first place from `from` on where the part, which holds no `*`, fits. */
function find(part: string, text: string, from: number): number | undefined {
  for (let at = from; at + part.length <= text.length; at++) if (fits(part, text, at)) return at;
  return undefined;
}

function fits(part: string, text: string, at: number): boolean {
  if (at + part.length > text.length) return false;
  return [...part].every((expected, i) => fitsCharacter(expected, text[at + i] ?? ''));
}

function fitsCharacter(expected: string, found: string): boolean {
  if (expected === '#') return /\d/.test(found);
  if (expected === '@') return /\p{L}/u.test(found);
  return expected === found;
}
