/** The simulation: what it once found stays mended, and a bounded number of plays from a random seed finds nothing new. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { foundPlays } from './found.ts';
import { GUARDS, without } from './guards.ts';
import { play, playOf } from './play.ts';
import { playMany } from './play-many.ts';

/** A few seconds of work: `npm run simulate` looks for what is rare. */
const PLAYS = 80;

describe('what went wrong once', () => {
  test.for(foundPlays())('$name', { timeout: 60_000 }, async ({ play: found }) => {
    expect((await play(found)).violations).toEqual([]);
  });
});

test('plays from a random seed keep every invariant', { timeout: 600_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { failed } = await playMany({ seed, plays: PLAYS });
  expect(failed, `npm run simulate -- --seed ${seed} --plays ${PLAYS} --story`).toEqual([]);
});

test('the same seed gives the same play', { timeout: 60_000 }, async () => {
  const [one, other] = [await play(playOf(7)), await play(playOf(7))];
  expect(one.hash).toBe(other.hash);
  const named = await play({ ...playOf(7), choices: one.taken });
  expect(named.hash).toBe(one.hash);
});

test.for(Object.entries(GUARDS))('the guard "%s" can be removed', ([, mutant]) => {
  const source = readFileSync(new URL(`../../src/${mutant.file}`, import.meta.url), 'utf8');
  expect(without(mutant, source)).not.toBe(source);
});
