import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segment } from '../../src/order-service/client.ts';
import { targetProblem } from '../../src/requests/use-cases/input.ts';
import { anyText } from '../support/any-text.ts';

/** Texts like percent-encoding, whole and broken. */
const escapes = fc.string({
  unit: fc.constantFrom('%', '2', '5', 'f', 'F', 'c', 'e', '.', '0', '7', 'A'),
  maxLength: 12,
});

/** Several segments, each of them encoded. */
const webPath = fc
  .array(anyText({ maxLength: 8 }), { maxLength: 4 })
  .map((segments) => segments.map((each) => `/${encodeURIComponent(each)}`).join(''));

describe('an id in a path', () => {
  test('is one segment that decodes to the id again, or is refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyText(), webPath, escapes), (id) => {
        const encoded = segment(id);
        if (encoded === undefined) return;
        expect(decodeURIComponent(encoded)).toBe(id);
        const path = `/orders/${encoded}/cancel`;
        const url = new URL(`http://x${path}`);
        expect([url.pathname, url.search, url.hash]).toEqual([path, '', '']);
        expect(url.pathname.split('/')).toHaveLength(4);
        // As a proxy sees it that decodes a path, or decodes it again.
        const decoded = decodeURIComponent(path);
        expect(decoded.split(/[/\\]/)).toHaveLength(4);
        expect(decoded).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 500 },
    );
  });

  test.each(['', '.', '..', 'x'.repeat(10_000), '\ud800'])(
    'is refused where encoding cannot make it safe (%#)',
    (id) => {
      expect(segment(id)).toBeUndefined();
      expect(targetProblem(id)).toBeDefined();
    },
  );

  test.each([
    '../token',
    'a/b',
    'a\\b',
    'a\0b',
    'a\r\nb',
    'a\u0085b',
    '%2e%2e',
    '..%2Fprod%2Foffers%2FO-1',
    'a%5cb',
    'a%00b',
    'a%252Fb',
    '%25252e',
  ])('is refused where a proxy that decodes paths is led elsewhere: %j', (id) => {
    expect(segment(id)).toBeUndefined();
    expect(targetProblem(id)).toBeDefined();
  });

  test.each(['?x', '#x', 'a b', '100%', '%41', '%2e%2e%2e', 'a%2eb', 'ä', '日本'])('is encoded: %s', (id) => {
    expect(segment(id)).toMatch(/^[\w%.~!'()*-]+$/);
    expect(decodeURIComponent(segment(id) ?? '')).toBe(id);
  });

  test('that a form lets through can always be sent', () => {
    fc.assert(
      fc.property(fc.oneof(anyText({ maxLength: 200 }), escapes), (id) => {
        if (targetProblem(id) === undefined) expect(decodeURIComponent(segment(id) ?? '')).toBe(id);
      }),
      { numRuns: 500 },
    );
  });
});
