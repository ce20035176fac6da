/** The texts for an operator about a rotation that left some secrets as they were: the former key must not be removed yet. */
import { expect, test } from 'vitest';
import { leftText, resultOf } from '../../src/cli/storage.ts';

const none = { resealed: 0, current: 0, unopened: [], busy: [] };

test.each([
  [
    'could not be decrypted',
    { unopened: ['T1'] },
    /^The secrets of T1 could not be decrypted .* Put the key back/,
  ],
  [
    'are in use',
    { busy: ['T1'] },
    /^The secrets of T1 were not changed, .* Run this again in a few minutes\.$/,
  ],
])('a rotation is incomplete if secrets %s', (_what, left, text) => {
  for (const resealed of [0, 1]) {
    const done = { ...none, resealed, ...left };
    expect([resultOf(done), leftText(done)]).toEqual(['incomplete', expect.stringMatching(text)]);
  }
});

test('a rotation is complete if it left none, and no act if there was nothing to encrypt again', () => {
  const results = [
    { ...none, resealed: 1 },
    { ...none, current: 1 },
  ];
  expect(results.map(resultOf)).toEqual(['complete', undefined]);
  expect(results.map(leftText)).toEqual(['', '']);
});
