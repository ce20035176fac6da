/**
 * What the ids of a workspace look like, as an admin writes it: `#` is a digit, `@` a letter, `*` anything, and all
 * else stands for itself, letter for letter. Not a regular expression, which could be written so that it never ends.
 */

export const PATTERN_MAX = 100;

type Fits = (expected: string, found: string) => boolean;

/** Whether the whole of `id` reads as the pattern says. */
export function matchesPattern(pattern: string, id: string): boolean {
  return placesOf(pattern, id, fitsExactly) !== undefined;
}

/** The id as the pattern spells it, where only the case of its letters differs; undefined where more does. */
export function spelledBy(pattern: string, id: string): string | undefined {
  const places = placesOf(pattern, id, fitsInAnyCase);
  if (!places) return undefined;
  const spelled = [...id.split('')];
  for (const [i, part] of pattern.split('*').entries()) {
    for (const [j, expected] of part.split('').entries()) {
      if (!isPlaceholder(expected)) spelled[(places[i] ?? 0) + j] = expected;
    }
  }
  return spelled.join('');
}

/** The places in the id at which the parts of the pattern between its `*` begin; undefined if it does not fit. */
function placesOf(pattern: string, id: string, fits: Fits): number[] | undefined {
  const [first = '', ...rest] = pattern.split('*');
  if (!fitsAt(first, id, 0, fits)) return undefined;
  const last = rest.pop();
  if (last === undefined) return id.length === first.length ? [0] : undefined;
  const places = [0];
  let from = first.length;
  for (const part of rest) {
    const found = find(part, id, from, fits);
    if (found === undefined) return undefined;
    places.push(found);
    from = found + part.length;
  }
  const end = id.length - last.length;
  return end >= from && fitsAt(last, id, end, fits) ? [...places, end] : undefined;
}

/** The first place from `from` on where the part, which holds no `*`, fits. */
function find(part: string, id: string, from: number, fits: Fits): number | undefined {
  for (let at = from; at + part.length <= id.length; at++) if (fitsAt(part, id, at, fits)) return at;
  return undefined;
}

function fitsAt(part: string, id: string, at: number, fits: Fits): boolean {
  if (at + part.length > id.length) return false;
  return part.split('').every((expected, i) => fits(expected, id[at + i] ?? ''));
}

const isPlaceholder = (expected: string) => expected === '#' || expected === '@';

const fitsExactly: Fits = (expected, found) => {
  if (expected === '#') return /\d/.test(found);
  return expected === '@' ? /\p{L}/u.test(found) : expected === found;
};

const fitsInAnyCase: Fits = (expected, found) =>
  isPlaceholder(expected) ? fitsExactly(expected, found) : expected.toLowerCase() === found.toLowerCase();
