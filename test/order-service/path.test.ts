import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidIdError } from '../../src/order-service/errors.ts';
import { segment } from '../../src/order-service/path.ts';
import { targetProblem } from '../../src/requests/rules.ts';

describe('an id in a path', () => {
  test('is one segment that decodes to the id again, or is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webUrl(), fc.constant('%2e%2e')),
        (id) => {
          let encoded: string;
          try {
            encoded = segment(id);
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidIdError);
            return;
          }
          expect(decodeURIComponent(encoded)).toBe(id);
          const path = `/orders/${encoded}/cancel`;
          const url = new URL(`http://x${path}`);
          expect([url.pathname, url.search, url.hash]).toEqual([path, '', '']);
          expect(url.pathname.split('/')).toHaveLength(4);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each(['', '.', '..', 'x'.repeat(10_000), '\ud800'])(
    'is refused where encoding can not make it safe (%#)',
    (id) => {
      expect(() => segment(id)).toThrow(InvalidIdError);
      expect(targetProblem(id)).toBeDefined();
    },
  );

  test.each(['../token', 'a/b', '?x', '#x', 'a b', '%2e%2e', 'ä', '日本'])('is encoded: %s', (id) => {
    expect(segment(id)).toMatch(/^[\w%.~!'()*-]+$/);
    expect(segment(id)).not.toBe('..');
  });

  test('that a form lets through can always be sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (id) => {
        if (targetProblem(id) === undefined) expect(() => segment(id)).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});
