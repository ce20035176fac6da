import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, createSanitizer } from '../../src/order-service/redact.ts';
import { anyText } from '../support/any-text.ts';

/** Names of characters in HTML (HTML Standard, section 13.5). */
const NAMES: Record<string, string[]> = {
  '&': ['amp'],
  '.': ['period'],
  _: ['lowbar', 'UnderBar'],
  '+': ['plus'],
  '/': ['sol'],
  '=': ['equals'],
  '%': ['percnt'],
  '\\': ['bsol'],
  ';': ['semi'],
  '#': ['num'],
};

/** The forms that one character may have, in JSON, in a URL and in HTML. */
const LAYERS = {
  json(character: string): string[] {
    const escaped = /["\\/]/.test(character) ? [`\\${character}`] : [];
    const plain = /["\\]/.test(character) ? [] : [character];
    return [...plain, ...escaped, `\\u${hex(character, 4)}`, `\\u${hex(character, 4).toUpperCase()}`];
  },
  // A URL holds no backslash and no quotation mark (RFC 3986, section 2).
  url: (character: string): string[] => [
    ...(/[%"\\]/.test(character) ? [] : [character]),
    `%${hex(character, 2)}`,
    `%${hex(character, 2).toUpperCase()}`,
  ],
  html: (character: string): string[] => [
    ...(character === '&' ? [] : [character]),
    ...(NAMES[character] ?? []).map((name) => `&${name};`),
    `&#${character.charCodeAt(0)};`,
    `&#${String(character.charCodeAt(0)).padStart(5, '0')};`,
    `&#x${hex(character, 2)};`,
    `&#X${hex(character, 4).toUpperCase()};`,
  ],
};

const hex = (character: string, digits: number) => character.charCodeAt(0).toString(16).padStart(digits, '0');

/** The characters of bearer tokens (RFC 6750, section 2.1, "b64token"). */
const tokenCharacter = fc.constantFrom(...'ABCXYZabcxyz0189-._~+/=');
const anyToken = fc.string({ unit: tokenCharacter, minLength: 8, maxLength: 60 });

/** A way to write a text once more: as what, and each of its characters in which form. */
const anyWriting = fc.record({
  layer: fc.constantFrom('json' as const, 'url' as const, 'html' as const),
  choices: fc.infiniteStream(fc.nat({ max: 11 })),
});

function written(
  text: string,
  { layer, choices }: { layer: keyof typeof LAYERS; choices: Iterator<number> },
) {
  const characters = [...text].map((character) => {
    const forms = LAYERS[layer](character);
    return forms[choices.next().value % forms.length];
  });
  return characters.join('');
}

/** Text of a service that is nothing but text. */
const around = fc.string({ unit: fc.constantFrom(...'abc XYZ.:,"{}()[]'), maxLength: 20 });

describe('a token in a text', () => {
  test('is taken out, and the rest stays as it is', () => {
    fc.assert(
      fc.property(anyToken, around, around, (token, before, after) => {
        fc.pre(!`${before}\0${after}`.includes(token));
        expect(createRedactor(token)(`${before}${token}${after}`)).toBe(`${before}[token]${after}`);
      }),
    );
  });

  test('is taken out however often it was escaped, up to three times', () => {
    const writings = fc.array(anyWriting, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(anyToken, around, around, writings, (token, before, after, each) => {
        const text = each.reduce(written, token);
        expect(createRedactor(token)(`${before}${text}${after}`)).toBe(`${before}[token]${after}`);
      }),
      { numRuns: 500 },
    );
  });

  test('is taken out of base64, wherever it begins there', () => {
    fc.assert(
      fc.property(anyToken, around, around, (token, before, after) => {
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = Buffer.from(`${before}${token}${after}`).toString(encoding);
          const shown = createRedactor(token)(`Basic ${text}`);
          expect(shown).toContain('[token]');
          // Only the token's neighbours are left.
          const left = shown.split('[token]').map((part) => Buffer.from(part, encoding).toString());
          for (let i = 0; i + 4 <= token.length; i++) {
            const piece = token.slice(i, i + 4);
            if (!`${before}${after}`.includes(piece)) expect(left.join('\0')).not.toContain(piece);
          }
        }
      }),
    );
  });

  test('is taken out of hexadecimal digits, in capitals or not', () => {
    fc.assert(
      fc.property(anyToken, around, around, fc.boolean(), (token, before, after, capitals) => {
        const digits = Buffer.from(token).toString('hex');
        const text = capitals ? digits.toUpperCase() : digits;
        expect(createRedactor(token)(`${before}: ${text}. ${after}`)).toBe(`${before}: [token]. ${after}`);
        const neighbours = Buffer.from(`${before}${token}${after}`).toString('hex');
        expect(createRedactor(token)(neighbours)).toContain('[token]');
      }),
    );
  });

  test.each([':', ' ', '-', '.', ', ', ' : ', ',0x', ', 0x'])(
    'is taken out of hexadecimal digits with “%s” between the bytes',
    (separator) => {
      fc.assert(
        fc.property(anyToken, around, around, fc.boolean(), (token, before, after, capitals) => {
          const bytes = [...Buffer.from(token)].map((byte) => byte.toString(16).padStart(2, '0'));
          const text = bytes.map((byte) => (capitals ? byte.toUpperCase() : byte)).join(separator);
          expect(createRedactor(token)(`${before}{${text}}${after}`)).toBe(`${before}{[token]}${after}`);
          const cut = bytes.slice(0, 9).join(separator);
          expect(createRedactor(token)(`${before}{${cut}`)).toBe(`${before}{[token]`);
        }),
      );
    },
  );

  test('is taken out where each character is an escape, in capitals or not', () => {
    const escapes = ['%', '\\x', '\\u00', '\\X'];
    fc.assert(
      fc.property(
        anyToken,
        around,
        fc.constantFrom(...escapes),
        fc.boolean(),
        (token, before, mark, capitals) => {
          const text = [...token].map((character) => {
            const digits = hex(character, 2);
            return mark + (capitals ? digits.toUpperCase() : digits);
          });
          expect(createRedactor(token)(`${before}${text.join('')}`)).toBe(`${before}[token]`);
        },
      ),
    );
  });

  test('is taken out where only a part of it is left, in any form', () => {
    const part = fc.record({
      keeps: fc.integer({ min: 8, max: 59 }),
      end: fc.boolean(),
      writing: fc.option(anyWriting),
    });
    fc.assert(
      fc.property(anyToken, around, part, (token, before, { keeps, end, writing }) => {
        const piece = end ? token.slice(-keeps) : token.slice(0, keeps);
        const text = writing ? written(piece, writing) : piece;
        expect(createRedactor(token)(`${before} ${text}…`)).toBe(`${before} [token]…`);
        for (const encoding of ['hex', 'base64', 'base64url'] as const) {
          const encoded = Buffer.from(piece).toString(encoding).replace(/=+$/, '');
          expect(createRedactor(token)(`${before} ${encoded}…`)).toBe(`${before} [token]…`);
        }
      }),
    );
  });

  test('is not shown by cutting a text, whatever its form and wherever the cut is', () => {
    const writings = fc.array(anyWriting, { maxLength: 3 });
    const places = { length: fc.nat({ max: 400 }), longest: fc.nat({ max: 500 }) };
    fc.assert(
      fc.property(anyToken, writings, fc.record(places), (token, each, { length, longest }) => {
        const text = ' '.repeat(length) + each.reduce(written, token).repeat(50);
        const shown = createRedactor(token)(text, longest);
        expect(shown.length).toBeLessThanOrEqual(longest);
        // Of a token that ends in a digit's escape, the digit may stand for itself: "%30" and then the token.
        expect(shown.replaceAll('[token]', '')).toMatch(/^ *\[?t?o?k?e?n?$/);
      }),
    );
  });

  test('is taken out where it repeats itself, and the text repeats parts of it', () => {
    const repeating = fc.string({ unit: fc.constantFrom('x', 'y'), minLength: 8, maxLength: 14 });
    const part = fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 14 }));
    const parts = fc.array(part, { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(repeating, parts, (token, places) => {
        const text = places.map(([start, end]) => token.slice(start, end)).join('');
        const shown = createRedactor(token)(text);
        expect(shown).not.toContain(token.slice(0, 8));
        expect(shown).not.toContain(token.slice(-8));
      }),
      { numRuns: 1_000 },
    );
  });

  test('is taken out as a whole where a part of it is also found inside it', () => {
    expect(createRedactor('abcdefghabcdefghZZZZ')('%61bcdefghabcdefghZZZZ.')).toBe('[token].');
  });

  test('is taken out, and not what is like it but for one character', () => {
    const redact = createRedactor('abcdefgh-stuvwxyz');
    expect(redact('Zbcdefgh abcdefgh abcdefgZ')).toBe('Zbcdefgh [token] abcdefgZ');
    expect(redact('Ztuvwxyz stuvwxyz stuvwxyZ')).toBe('Ztuvwxyz [token] stuvwxyZ');
  });

  test('does not change a text that it is not in', () => {
    fc.assert(
      fc.property(anyToken, anyText(), (token, text) => {
        fc.pre(!text.includes(token));
        expect(createRedactor(token)(text)).toBe(text);
      }),
    );
  });

  test('of a million escapes takes no time worth telling', () => {
    const redact = createRedactor('rest/Zk3v+9Qb=T1xR7~wLp');
    for (const piece of [
      '%25',
      '\\',
      '\\\\u0025',
      '%',
      'A',
      '\\/',
      '&amp;',
      '&#x26;',
      '25',
      '25:',
      '61 ',
      '61, 0x',
      'rest/Zk3v+9Qb ',
    ]) {
      const text = piece.repeat(1_000_000 / piece.length);
      expect(redact(text, 1_000)).toMatch(piece.includes('rest') ? /^(\[token\] )+/ : text.slice(0, 1_000));
    }
  });
});

test('a million bytes with separators are read whole, too', () => {
  const token = 'rest/Zk3v+9Qb=T1xR7~wLp';
  const hidden = Buffer.from(token)
    .toString('hex')
    .replace(/..(?=.)/g, '$&:');
  const text = `${'25:'.repeat(330_000)}${hidden}`;
  expect(createRedactor(token)(text).endsWith('25:[token]')).toBe(true);
});

describe('a text that is shown', () => {
  const sanitize = createSanitizer('rest/Zk3v');

  test('is on one line, reads in its own direction and is cut', () => {
    expect(sanitize('a\r\n\tb\u202ec\u2066d\0', 100)).toBe('a bcd');
    expect(sanitize('a\u2028b\u2029\nc', 100)).toBe('a b c');
    expect(sanitize('x'.repeat(500), 100)).toHaveLength(100);
    expect(sanitize(`${'x'.repeat(99)}😀`, 100)).toBe(`${'x'.repeat(99)}\ufffd`);
  });

  test('does not hold a token that marks or control characters had taken apart, nor the half of one', () => {
    expect(sanitize('rest/\u202eZk3v', 100)).toBe('[token]');
    expect(sanitize(`${'x'.repeat(95)}rest/Zk3v`, 100)).toBe(`${'x'.repeat(95)}[toke`);
  });

  test.each(['FORBIDDEN', 'SUB_BRANDS_NOT_FOUND', 'UNAUTHORIZED'])('stays where it decides: %s', (code) => {
    expect(createSanitizer(code)(code, 100)).toBe(code);
  });
});
