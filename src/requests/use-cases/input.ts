/**
 * Checks what people type into a request: the id of an order or offer, also by the pattern of the workspace, and the reason.
 * Finds the ids in the text of a message.
 */
import { KINDS, type Kind } from '../model/kinds.ts';

/** Our own limits: the interface states none. An id is one path segment and must be readable on a card. */
export const TARGET_MAX = 128;
export const REASON_MAX = 1_000;

export type TargetProblem =
  | 'missing'
  | 'too_long'
  | 'has_slash'
  | 'unprintable'
  | 'not_an_id'
  | 'not_the_pattern';
export type ReasonProblem = 'missing' | 'too_long';

/** Punctuation that is copied along with an id from a sentence, before and after it. */
const LEADING: ReadonlySet<string> = new Set('\'"‘’“„«`');
const TRAILING: ReadonlySet<string> = new Set('.,;:!?…\'"‘’“”»`');

/** Brackets around the whole, as in "<id>" of the help; those within an id belong to it. */
const IN_BRACKETS = /^(?:\(([^()[\]]+)\)|\[([^()[\]]+)\]|<([^<>|]+)>)$/s;

/** The id without the spaces, punctuation, quotes and brackets around it; an id of these alone stays as it is. */
export function trimmedId(typed: string): string {
  const id = withoutQuotes(typed);
  const [, round, square, angular] = IN_BRACKETS.exec(id) ?? [];
  const inner = round ?? square ?? angular;
  return inner === undefined ? id : withoutQuotes(inner);
}

function withoutQuotes(typed: string): string {
  const text = typed.trim();
  let end = text.length;
  while (end > 0 && isOneOf(TRAILING, text.charAt(end - 1))) end--;
  let start = 0;
  while (start < end && isOneOf(LEADING, text.charAt(start))) start++;
  return start === end ? text : text.slice(start, end);
}

const isOneOf = (characters: ReadonlySet<string>, character: string) =>
  characters.has(character) || character.trim() === '';

/** The id without a number sign that the pattern of the workspace does not have: "#1042" is 1042 where ids look like ####. */
export function withoutNumberSign(kind: Kind, target: string, pattern: string | undefined): string {
  if (!target.startsWith('#') || patternProblem(kind, target, pattern) === undefined) return target;
  const rest = target.slice(1);
  return patternProblem(kind, rest, pattern) === undefined ? rest : target;
}

/**
 * A slash, a backslash or a control character, percent-encoded once or several times: a proxy may decode a path before
 * routing it, and `..%2Fprod%2Foffers%2FO-1` then names another operation (RFC 3986, section 7.3).
 */
const LEADS_ELSEWHERE = /%(?:25)*(?:2f|5c|[01][0-9a-f]|7f)/i;

/** "." and ".." survive encodeURIComponent, and "%2e" counts as a dot, too (WHATWG URL, "double-dot URL path segment"). */
const DOT_SEGMENT = /^(?:\.|%(?:25)*2e){1,2}$/i;

/** Control and format characters, lone surrogates, and what else is not drawn: never typed on purpose. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text without invisible characters, which no id has: people copy them without seeing them. */
export const withoutUnprintable = (typed: string): string => typed.replace(UNPRINTABLE, '');

/** The text whose words are without invisible characters. The white space between them stays, also line breaks. */
export const withWordsPrintable = (text: string): string =>
  text.replace(/\S+/g, (word) => withoutUnprintable(word));

/** A Braille pattern without dots: a symbol that is drawn as a space. */
const DOTLESS = '\u2800';

/** Whether nothing of a text is seen: Slack may refuse it as empty, and nobody can read it. */
export const isBlank = (typed: string): boolean =>
  withoutUnprintable(typed).replaceAll(DOTLESS, '').trim() === '';

/** Checks an id: it becomes one path segment, and must not reach another operation. @returns undefined if it is valid */
export function targetProblem(target: string): TargetProblem | undefined {
  if (target === '') return 'missing';
  if (target.length > TARGET_MAX) return 'too_long';
  if (/[/\\]/.test(target)) return 'has_slash';
  if (withoutUnprintable(target) !== target) return 'unprintable';
  return LEADS_ELSEWHERE.test(target) || DOT_SEGMENT.test(target) ? 'not_an_id' : undefined;
}

/** Checks an order id against the pattern. Offers have ids of their own form. */
export function patternProblem(
  kind: Kind,
  target: string,
  pattern: string | undefined,
): TargetProblem | undefined {
  if (pattern === undefined || KINDS[kind].resource !== 'order') return undefined;
  return matchesPattern(pattern, target) ? undefined : 'not_the_pattern';
}

export function reasonProblem(kind: Kind, reason: string): ReasonProblem | undefined {
  if (reason.length > REASON_MAX) return 'too_long';
  return KINDS[kind].reason === 'required' && reason === '' ? 'missing' : undefined;
}

export const PATTERN_MAX = 100;

/** Whether no id can match a pattern as ids are read: without the punctuation, quotes and brackets around them, and no slash. */
export function matchesNoId(pattern: string): boolean {
  // "%7Z" is no part of a percent-encoded slash.
  const example = pattern.replaceAll('#', '7').replaceAll(/[@*]/g, 'Z');
  return trimmedId(example) !== example || targetProblem(example) !== undefined;
}

type Fits = (expected: string, found: string) => boolean;

/**
 * Whether the whole of `id` matches the pattern of an admin: `#` is a digit, `@` a letter, `*` anything, and every other
 * character stands for itself. It is no regular expression, because one can be written so that it never ends.
 */
export function matchesPattern(pattern: string, id: string): boolean {
  return placesOf(pattern, id, fitsExactly) !== undefined;
}

/** The id in the pattern's spelling, if only the case of its letters differs; otherwise undefined. */
export function spelledBy(pattern: string, id: string): string | undefined {
  const places = placesOf(pattern, id, fitsInAnyCase);
  if (!places) return undefined;
  const spelled = id.split('');
  for (const [i, part] of pattern.split('*').entries()) {
    for (const [j, expected] of part.split('').entries()) {
      if (!isPlaceholder(expected)) spelled[(places[i] ?? 0) + j] = expected;
    }
  }
  return spelled.join('');
}

/** The positions in the id of the parts between the pattern's `*`; undefined if the id does not match. */
function placesOf(pattern: string, id: string, fits: Fits): number[] | undefined {
  const [first = '', ...rest] = pattern.split('*');
  if (!fitsAt(first, id, 0, fits)) return undefined;
  const last = rest.pop();
  if (last === undefined) return id.length === first.length ? [0] : undefined;
  const places = [0];
  let from = first.length;
  for (const part of rest) {
    const found = findPart(part, id, from, fits);
    if (found === undefined) return undefined;
    places.push(found);
    from = found + part.length;
  }
  const end = id.length - last.length;
  return end >= from && fitsAt(last, id, end, fits) ? [...places, end] : undefined;
}

/** The first position from `from` on at which the part, which holds no `*`, fits. */
function findPart(part: string, id: string, from: number, fits: Fits): number | undefined {
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

/** The length of an id found in a message: what Slack shows as an option, and a button or a form's metadata can hold. */
const FOUND_ID_MAX = 75;

/** The form of an id where no pattern is set: letters and digits, with a hyphen or an underscore, "A-1042". */
const LIKE_AN_ID = /^[A-Za-z]{1,8}[-_][A-Za-z0-9][\w-]*$/;

/**
 * Finds the ids in the text of a message, in order, each once: between white space, the characters with which Slack writes
 * links, and those that part an address. An id in another case of letters is given in the pattern's spelling.
 *
 * @param pattern of the workspace; undefined: whatever looks like an id and has a digit
 */
export function idsIn(text: string, pattern: string | undefined): string[] {
  const words = text.split(/[\s<>|/\\?&=,;()[\]{}"“”„«»]+/);
  const found = [...new Set(words)]
    .map(withoutPunctuation)
    .flatMap(
      (word) => idAs(word, pattern) ?? idAs(withoutPunctuation(word.replace(LABEL, '')), pattern) ?? [],
    );
  return [...new Set(found)];
}

/**
 * A label that no space parts from its id: "Order:A-1042", "*Order*:A-1042", "Art.Nr.:4711". An id may hold a colon itself. No
 * label are a host before its port, "shop.example:8443", and an emoji before its skin tone, ":wave::skin-tone-2:".
 */
const LABEL = /^(?![\p{L}.]*\.\p{L}+:)[\p{L}.*_~`]+:(?!:)/u;

/** The id that a word is, in the pattern's spelling; undefined if it is none. */
function idAs(word: string, pattern: string | undefined): string | undefined {
  if (word === '' || word.length > FOUND_ID_MAX) return undefined;
  if (pattern === undefined) return LIKE_AN_ID.test(word) && /\d/.test(word) ? word : undefined;
  return matchesPattern(pattern, word) ? word : spelledBy(pattern, word);
}

/**
 * The word without punctuation at its ends, and without the "'s" of a possessive. The lookbehind has a long row of punctuation
 * matched once, not at each character.
 */
const withoutPunctuation = (word: string): string =>
  word
    .replace(/^[#*_~`'‘’.:!]+/, '')
    .replace(/(?<![*_~`'‘’.:!…])[*_~`'‘’.:!…]+$/, '')
    .replace(/['’]s$/, '');
