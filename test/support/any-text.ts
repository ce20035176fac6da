import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Any code point that is a character of its own, as the unit "binary" of fast-check. That one, and fc.webUrl, fill a
 * table of all code points first, which costs each worker a second.
 */
const character = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count),
  (text) => {
    const [only = '', ...more] = String(text);
    if (more.length > 0) throw new Error('several characters');
    const code = only.codePointAt(0) ?? Number.NaN;
    return code < SURROGATES.from ? code : code - SURROGATES.count;
  },
);

/** Texts of any characters. @param maxLength in characters */
export const anyText = (constraints: { maxLength?: number } = {}) =>
  fc.string({ unit: character, ...constraints });
