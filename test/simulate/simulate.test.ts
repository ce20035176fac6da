/** Runs the simulation: the plays that failed in the past, and two hundred from a random seed. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FOUND_PLAYS } from './draw/found.ts';
import { GUARDS } from './guards/guards.ts';
import { applyMutant } from './guards/remove-guard.ts';
import { drawPlay, play, repeat } from './play.ts';
import { playMany } from './run/play-many.ts';
import type { Guarded } from './run/without-worker.ts';
import { COUNTED, NOTHING, shortOf } from './tables/floors.ts';

/** Enough for `shortOf` to judge what happened in them. */
const PLAYS = 200;

describe('a play that failed once keeps every invariant', () => {
  test.for(FOUND_PLAYS)('$name', async (found) => {
    const { violations, taken } = await play(repeat(found));
    expect(violations).toEqual([]);
    // A fault whose point is never reached would make the play prove nothing.
    expect(taken).toEqual(expect.arrayContaining([...found.choices]));
  });
});

describe('a play that failed once fails again if the bot loses a guard', () => {
  let worker: Worker;
  beforeAll(() => {
    worker = new Worker(new URL('run/without-worker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
  });
  afterAll(() => worker.terminate());

  const guarded = FOUND_PLAYS.flatMap(({ guard, name }): Guarded[] => (guard ? [{ guard, name }] : []));
  test.for(guarded)('$name, without "$guard"', async (play) => {
    worker.postMessage(play);
    const [violations] = await once(worker, 'message');
    if (violations instanceof Error) throw violations;
    expect(violations).not.toEqual([]);
  });
});

test('plays from a random seed keep every invariant', { timeout: 600_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { failed, played, counts } = await playMany({ seed, plays: PLAYS, workers: 1 });
  expect(failed, `npm run simulate -- --seed ${seed} --plays ${PLAYS} --story`).toEqual([]);
  expect(played).toBe(PLAYS);
  expect(shortOf(counts, played)).toEqual([]);
});

test('too little happens in plays without requests, votes and replies, and the run says so', () => {
  expect(shortOf(NOTHING, 1_000)).toHaveLength(COUNTED.length);
});

test('the same seed gives the same play, and so do its recorded choices', async () => {
  const [one, other] = [await play(drawPlay(7)), await play(drawPlay(7))];
  expect(one.hash).toBe(other.hash);
  const named = await play({ ...drawPlay(7), choices: one.taken });
  expect(named.hash).toBe(one.hash);
});

test.for(Object.entries(GUARDS))('the guard "%s" can be removed', ([, mutant]) => {
  const source = readFileSync(new URL(`../../src/${mutant.file}`, import.meta.url), 'utf8');
  expect(applyMutant(mutant, source)).not.toBe(source);
});
