/** Decodes what a text may encode, and tells which part of the text each decoded part came from. */

/** A part of a text, from its first character up to the one before `end`. */
export type Range = { start: number; end: number };

/** One reading of a text. `source`: the part of the text that a part of the reading came from. */
type Reading = { text: string; source: (part: Range) => Range };

/**
 * Printable ASCII characters with a name in HTML (HTML Standard, section 13.5, "Named character references"). A hyphen
 * and a tilde have none.
 */
const NAMES: Record<string, string> = {
  excl: '!',
  quot: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  equals: '=',
  gt: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  hat: '^',
  lowbar: '_',
  underbar: '_',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  rcub: '}',
  rbrace: '}',
};

/**
 * Escapes of one printable ASCII character. Escapes of HTML, by number or name, are undone apart from those of URLs (RFC
 * 3986, section 2.1), of JSON (RFC 8259, section 7) and of other strings (`\x2f`): HTML leaves a backslash as it is, so a
 * text that was escaped for JSON and then for HTML holds both, and only one order of undoing them is right.
 */
const ESCAPES = [
  /(?:%|\\u00|\\x)(?<hex>[2-7][0-9a-f])|\\(?<plain>["\\/])/gi,
  new RegExp(
    `&(?:#x0{0,3}(?<hex>[2-7][0-9a-f])|#0{0,3}(?<decimal>3[2-9]|[4-9]\\d|1[01]\\d|12[0-6])|(?<name>${Object.keys(NAMES).join('|')}));`,
    'gi',
  ),
];

/** The length of the longest escape of one character: `&underbar;` */
export const LONGEST_ESCAPE = 10;

/** Decodes each run of characters at each alignment: the text around a run may be of the same characters. */
function decoder(encoding: 'hex' | 'base64', runs: RegExp, bits: number) {
  const alignments = encoding === 'hex' ? 2 : 4;
  return function* (text: string): Iterable<Reading> {
    for (const { 0: run, index } of text.matchAll(runs))
      for (let skipped = 0; skipped < alignments; skipped++)
        yield {
          text: Buffer.from(run.slice(skipped), encoding).toString('latin1'),
          source: ({ start, end }) => ({
            start: index + skipped + Math.floor((start * 8) / bits),
            end: index + skipped + Math.ceil((end * 8) / bits),
          }),
        };
  };
}

/** Eight bytes or more, each of two digits, apart: `61:62:63`, `61 62 63`, `0x61, 0x62`. */
const SEPARATED = /[0-9a-f]{2}(?:[\s:;,.|_-]{1,3}(?:0x)?[0-9a-f]{2}){7,}/gi;

function* separated(text: string): Iterable<Reading> {
  for (const { 0: run, index } of text.matchAll(SEPARATED)) {
    const bytes = [...run.matchAll(/[0-9a-f]{2}/gi)];
    const begins = (n: number) => index + (bytes[n]?.index ?? run.length);
    yield {
      text: Buffer.from(bytes.join(''), 'hex').toString('latin1'),
      source: ({ start, end }) => ({ start: begins(start), end: begins(end - 1) + 2 }),
    };
  }
}

/** Eight bytes, the shortest part of a token, have 16 digits, or at least 11 characters of base64 (RFC 4648, section 4). */
const HEX = /[0-9a-f]{16,}/gi;
const BASE64 = /[\w+/-]{11,}/g;
const DECODERS = [decoder('hex', HEX, 4), decoder('base64', BASE64, 6), separated];

/** Names and most messages hold nothing encoded, and one search tells that. */
const ENCODED = new RegExp([...ESCAPES, HEX, BASE64, SEPARATED].map(({ source }) => source).join('|'), 'i');

/**
 * Yields a text; what undoing escapes, up to `rounds` times, makes of it; and what each of these texts holds when it is
 * decoded.
 */
export function* readingsOf(text: string, rounds: number): Iterable<Reading> {
  if (!ENCODED.test(text)) {
    yield { text, source: (part) => part };
    return;
  }
  for (const { text: read, at } of viewsOf({ text }, rounds)) {
    const source = ({ start, end }: Range) =>
      at ? { start: at[start] ?? 0, end: at[end] ?? 0 } : { start, end };
    yield { text: read, source };
    for (const decoder of DECODERS)
      for (const decoded of decoder(read))
        yield { ...decoded, source: (part) => source(decoded.source(part)) };
  }
}

/** `at`: where in the source each character of `text` begins, and where it ends; undefined: the text is the source. */
type View = { text: string; at?: Uint32Array };

function* viewsOf(view: View, rounds: number): Iterable<View> {
  yield view;
  if (rounds === 0) return;
  for (const escapes of ESCAPES) {
    const next = unescaped(view, escapes);
    if (next) yield* viewsOf(next, rounds - 1);
  }
}

function unescaped({ text, at }: View, escapes: RegExp): View | undefined {
  const found = [...text.matchAll(escapes)];
  if (found.length === 0) return undefined;
  const starts = new Uint32Array(text.length + 1);
  let length = 0;
  let read = 0;
  let plain = '';
  const keep = (end: number) => {
    plain += text.slice(read, end);
    for (; read < end; read++) starts[length++] = at?.[read] ?? read;
  };
  for (const { 0: escaped, index, groups } of found) {
    keep(index);
    plain += characterOf(groups ?? {});
    starts[length++] = at?.[read] ?? read;
    read += escaped.length;
  }
  keep(text.length);
  starts[length] = at?.[text.length] ?? text.length;
  return { text: plain, at: starts.subarray(0, length + 1) };
}

type Groups = { hex?: string; decimal?: string; name?: string; plain?: string };

function characterOf({ hex, decimal, name, plain }: Groups): string {
  if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
  if (decimal) return String.fromCharCode(Number(decimal));
  return name ? (NAMES[name.toLowerCase()] ?? '') : (plain ?? '');
}
