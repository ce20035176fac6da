import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TARGET_MAX, targetProblem, trimmedId } from '../../../src/requests/use-cases/rules.ts';

describe('an id', () => {
  test.each([
    ['A-1001', undefined],
    ['a b', undefined],
    ['Größe-7', undefined],
    ['', 'missing'],
    ['x'.repeat(TARGET_MAX + 1), 'too_long'],
    ['..', 'not_an_id'],
    ['../token', 'has_slash'],
    ['a\\b', 'has_slash'],
    ['a\nb', 'unprintable'],
    ['a\u0000', 'unprintable'],
    ['A-1\u200d', 'unprintable'],
    ['\u202eA-1', 'unprintable'],
    ['\ud800', 'unprintable'],
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
    ['..', '..'],
    ['  ', ''],
  ])('%j is meant as %j', (typed, id) => {
    expect(trimmedId(typed)).toBe(id);
  });

  test('is trimmed once and for all, and only at its ends', () => {
    const text = fc.string({ unit: fc.constantFrom('A', '1', '-', '.', ' ', ',', '”'), maxLength: 12 });
    fc.assert(
      fc.property(text, (typed) => {
        const id = trimmedId(typed);
        expect(trimmedId(id)).toBe(id);
        expect(typed.trim().startsWith(id)).toBe(true);
      }),
    );
  });
});
