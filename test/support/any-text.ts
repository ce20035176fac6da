import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Draws any code point but a surrogate, as fast-check's unit "binary" does. That unit, like fc.webUrl, first fills a table of
 * all code points, which costs each worker a second.
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

/** Draws texts of any code points. `maxLength`: in code points. */
export const anyText = (constraints: { maxLength?: number } = {}) =>
  fc.string({ unit: character, ...constraints });
