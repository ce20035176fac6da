import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsIn, matchesPattern } from '../../../src/requests/use-cases/input.ts';

describe('the ids in a text', () => {
  test.each([
    ['Please cancel A-1001.', ['A-1001']],
    ['*A-1001* or (A-1002), `A-1003`; "A-1004"!', ['A-1001', 'A-1002', 'A-1003', 'A-1004']],
    ['<https://shop.example.com/orders/A-1001?x=A-1002|the order>', ['A-1001', 'A-1002']],
    ['A-1001, once more A-1001, and a-1001', ['A-1001']],
    ['order A-10011 and XA-1001', []],
    ['', []],
    ['Order:A-1001, *Order no.:*A-1002, *Bestellung*:A-1003', ['A-1001', 'A-1002', 'A-1003']],
    ["A-1001’s parcel, and A-1002's", ['A-1001', 'A-1002']],
  ])('of %j are %j', (text, ids) => {
    expect(idsIn(text, 'A-####')).toEqual(ids);
  });

  test('may hold a colon, and are no part of a time', () => {
    expect(idsIn('gid:1042, and not 12:1043', 'gid:####')).toEqual(['gid:1042']);
    expect(idsIn('gid:1042, and not 12:1043', '####')).toEqual(['1042']);
  });

  test('are no port of a host, and no skin tone of an emoji', () => {
    const text = 'See <https://jira.example:8443/browse/1042> for Art.Nr.:4711 :raised_hands::skin-tone-2:';
    expect(idsIn(text, '####')).toEqual(['1042', '4711']);
    expect(idsIn('Cancel O-55 :pray::skin-tone-2: :handshake::skin-tone-2-5:', undefined)).toEqual(['O-55']);
  });

  test('are what looks like an id where no pattern is set', () => {
    expect(idsIn('O-55 is well-known; see PO_77, 2026-01-01 and call 555-0100', undefined)).toEqual([
      'O-55',
      'PO_77',
    ]);
  });

  test('all match the pattern, and are each named once', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[Aa]-[0-9]{3,5}$/), { maxLength: 60 }), (words) => {
        const ids = idsIn(words.join(' '), 'A-####');
        expect(ids.every((id) => matchesPattern('A-####', id))).toBe(true);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test('are looked for in a time that grows with the text alone', () => {
    for (const text of ['*', 'a.', 'a'].map((each) => each.repeat(200_000)))
      expect(idsIn(text, '*#*@*#*')).toEqual([]);
  });
});
