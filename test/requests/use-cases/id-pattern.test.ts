import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesPattern, spelledBy } from '../../../src/requests/use-cases/id-pattern.ts';

const MEANING: Record<string, string> = { '#': '\\d', '@': '[a-z]', '*': '.*' };

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
      { numRuns: 2_000 },
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
      { numRuns: 2_000 },
    );
  });
});
