import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskSecret } from '../../../../../lib/mask.ts';
import { masked } from '../../../../../page/client/inspector/order-service/mask.ts';

test('a token is masked as the journal masks it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 9 }), (token) => {
      expect(masked(token)).toBe(maskSecret(token));
    }),
  );
});
