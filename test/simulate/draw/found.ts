/** Reads the plays that failed in the past, shrunk: test/simulate/found/<what went wrong>.json. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Choice } from './choices.ts';
import type { Plan } from './plan.ts';

const FOLDER = new URL('../found/', import.meta.url);

/** `guard`: the guard whose removal makes the play fail again. */
export type Found = { name: string; guard?: string; plan: Plan; choices: readonly Choice[] };

export const FOUND_PLAYS = readdirSync(FOLDER).map((file) => ({
  name: file.replace('.json', '').replaceAll('-', ' '),
  ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
})) as [Found, ...Found[]];
