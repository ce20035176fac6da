/** Shrinks a failing play by delta debugging, so that a person can read it. */
import type { Choice } from '../draw/choices.ts';
import { type Play, type Played, play } from '../play.ts';

/** A limit on attempts; each runs a whole play. */
const MAX_TRIES = 400;

/** The violations of a play without ids and numbers, which differ in a play that is shrunk. */
const kindsOf = ({ violations }: Played): Set<string> =>
  new Set(violations.map((violation) => violation.replaceAll(/\{[^}]*\}|\d+/g, '')));

/** @returns the smallest play found that violates the same invariant as the first violation of `failing` */
export async function shrink(failing: Play): Promise<Play> {
  const first = await play(failing);
  const [kind = ''] = kindsOf(first);
  let tries = 0;
  let smallest: Play = { ...failing, choices: first.taken };

  async function fails(candidate: Play): Promise<boolean> {
    tries += 1;
    return kindsOf(await play(candidate)).has(kind);
  }

  /** Removes ever smaller chunks, and keeps each removal with which the play still fails. */
  async function reduce<T>(all: readonly T[], playWith: (rest: readonly T[]) => Play): Promise<readonly T[]> {
    let rest = all;
    for (let size = Math.ceil(all.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < rest.length && tries < MAX_TRIES; ) {
        const fewer = rest.toSpliced(at, size);
        if (await fails(playWith(fewer))) rest = fewer;
        else at += size;
      }
    }
    return rest;
  }

  if (!(await fails(smallest))) return failing;
  for (let round = 0; round < 2; round++) {
    const acts = await reduce(smallest.plan.acts, (rest) => ({
      ...smallest,
      plan: { ...smallest.plan, acts: rest },
    }));
    smallest = { ...smallest, plan: { ...smallest.plan, acts } };
    const choices: readonly Choice[] = await reduce(smallest.choices ?? [], (rest) => ({
      ...smallest,
      choices: rest,
    }));
    smallest = { ...smallest, choices };
  }
  const simpler = [
    { shortPages: [], outsideMarketplace: false },
    { skews: { replicas: [0, 0, 0], slack: 0, service: 0 } },
    { replicas: 2 },
  ];
  for (const change of simpler) {
    const candidate = { ...smallest, plan: { ...smallest.plan, ...change } };
    if (await fails(candidate)) smallest = candidate;
  }
  return smallest;
}
