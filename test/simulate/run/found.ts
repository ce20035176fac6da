/** Reads the plays that failed in the past, shrunk: test/simulate/found/<what went wrong>.json. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Choice } from '../draw/choices.ts';
import { NO_FAULTS } from '../draw/faults.ts';
import type { Plan } from '../draw/plan.ts';
import type { Play } from '../play.ts';

const FOLDER = new URL('../found/', import.meta.url);

/** `guard`: the guard whose removal makes the play fail again. */
export type Found = { name: string; guard: string | undefined; play: Play };

export function foundPlays(): Found[] {
  return readdirSync(FOLDER).map((file) => {
    const { guard, plan, choices }: { guard?: string; plan: Plan; choices: Choice[] } = JSON.parse(
      readFileSync(new URL(file, FOLDER), 'utf8'),
    );
    return {
      name: file.replace('.json', '').replaceAll('-', ' '),
      guard,
      play: { seed: 0, plan, faultRates: NO_FAULTS, choices },
    };
  });
}
