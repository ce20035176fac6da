import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  matchesPattern,
  spelledBy,
  TARGET_MAX,
  targetProblem,
  trimmedId,
  withoutNumberSign,
} from '../../../src/requests/use-cases/input.ts';

const MEANING: Record<string, string> = { '#': '\\d', '@': '[a-z]', '*': '.*' };

describe('an id', () => {
  test.each([
    ['A-1001', undefined],
    ['a b', undefined],
    ['Größe-7', undefined],
    ['', 'missing'],
    ['x'.repeat(TARGET_MAX), undefined],
    ['x'.repeat(TARGET_MAX + 1), 'too_long'],
    ['..', 'not_an_id'],
    ['../token', 'has_slash'],
    ['..%2Ftoken', 'not_an_id'],
    ['..%2525255Ctoken', 'not_an_id'],
    ['a\\b', 'has_slash'],
    ['a\nb', 'unprintable'],
    ['a\u0000', 'unprintable'],
    ['A-1\u200d', 'unprintable'],
    ['\u202eA-1', 'unprintable'],
    ['\ud800', 'unprintable'],
    ['A-1\u2028', 'unprintable'],
    ['A-1\ufe0f', 'unprintable'],
    ['A\u3164-1', 'unprintable'],
  ])('%j has the problem %s', (id, problem) => {
    expect(targetProblem(id)).toBe(problem);
  });

  test.each([
    [' A-1001 ', 'A-1001'],
    ['A-1001.', 'A-1001'],
    ['A-1001, !?', 'A-1001'],
    ['A.1', 'A.1'],
    ['A-1-', 'A-1-'],
    ['A(1)', 'A(1)'],
    ['“A-1”', 'A-1'],
    ['(A-1),', 'A-1'],
    ['[“A-1”]', 'A-1'],
    ['(A-1', '(A-1'],
    ['(A)-(B)', '(A)-(B)'],
    [`${'('.repeat(15_000)}A${')'.repeat(15_000)}`, `${'('.repeat(15_000)}A${')'.repeat(15_000)}`],
    ['..', '..'],
    ['  ', ''],
  ])('%j is meant as %j', (typed, id) => {
    expect(trimmedId(typed)).toBe(id);
  });

  test('is trimmed once and for all, and only at its ends', () => {
    const text = fc.string({
      unit: fc.constantFrom('A', '1', '-', '.', ' ', ',', '”', '“', '(', ')', '[', ']'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (typed) => {
        const id = trimmedId(typed);
        expect(trimmedId(id)).toBe(id);
        expect(typed).toContain(id);
      }),
    );
  });
});

test.each([
  ['#1042', '####', '1042'],
  ['#1042', undefined, '#1042'],
  ['#1042', '*####', '#1042'],
  ['#104', '####', '#104'],
  ['1042', '####', '1042'],
])('%s, where ids look like %s, is meant as %s', (typed, pattern, id) => {
  expect(withoutNumberSign('cancel_order', typed, pattern)).toBe(id);
});

describe('the pattern of an id', () => {
  test.each([
    ['A-####', 'A-1001', true],
    ['A-####', 'a-1001', false],
    ['A-####', 'A-10011', false],
    ['A-####', 'XA-1001', false],
    ['@@-*', 'ab-', true],
    ['@@-*', 'a1-x', false],
    ['*', '', true],
    ['*-#', 'a-b-7', true],
    ['a*b*c', 'axxbxxc', true],
    ['a*b*c', 'axxcxxb', false],
    ['ab*ba', 'aba', false],
    ['.+', 'xx', false],
    ['(a)*', '(a)b', true],
  ])('%s fits %s: %s', (pattern, id, fits) => {
    expect(matchesPattern(pattern, id)).toBe(fits);
  });

  test.each([
    ['A-####', 'a-1001', 'A-1001'],
    ['A-####', 'A-1001', 'A-1001'],
    ['A-####', 'b-1001', undefined],
    ['A-####', 'a-10011', undefined],
    ['PO*-X', 'po7-b-x', 'PO7-b-X'],
    ['@@-a', 'Qz-A', 'Qz-a'],
  ])('%s spells %s as %s', (pattern, id, spelled) => {
    expect(spelledBy(pattern, id)).toBe(spelled);
  });

  test('fits what it spells, which differs in case alone', () => {
    const part = fc.constantFrom('#', '@', '*', 'a', 'B', '-');
    const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '1', '-'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), text, (parts, id) => {
        const pattern = parts.join('');
        const spelled = spelledBy(pattern, id);
        expect(spelled !== undefined).toBe(matchesPattern(pattern.toLowerCase(), id.toLowerCase()));
        if (spelled === undefined) return;
        expect(matchesPattern(pattern, spelled)).toBe(true);
        expect(spelled.toLowerCase()).toBe(id.toLowerCase());
      }),
      { numRuns: 500 },
    );
  });

  test('without a special character fits itself alone, letter for letter', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9-]{1,20}$/),
        fc.stringMatching(/^[a-z0-9-]{1,20}$/),
        (pattern, id) => {
          expect(matchesPattern(pattern, pattern.toUpperCase())).toBe(pattern === pattern.toUpperCase());
          expect(matchesPattern(pattern, id)).toBe(pattern === id);
        },
      ),
    );
  });

  test('says the same as the regular expression that it stands for', () => {
    const part = fc.constantFrom('#', '@', '*', 'a', '1', '-');
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '2', '-'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), text, (parts, id) => {
        const source = parts.map((each) => MEANING[each] ?? each).join('');
        expect(matchesPattern(parts.join(''), id)).toBe(new RegExp(`^${source}$`).test(id));
      }),
      { numRuns: 500 },
    );
  });
});
