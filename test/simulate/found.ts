/** Plays that have once gone wrong, as they were shrunk: test/simulate/found/<what went wrong>.json. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Choice } from './choices.ts';
import { NO_FATES } from './fates.ts';
import type { Plan } from './plan.ts';
import type { Play } from './play.ts';

const FOLDER = new URL('found/', import.meta.url);

export function foundPlays(): { name: string; play: Play }[] {
  return readdirSync(FOLDER).map((file) => {
    const { plan, choices }: { plan: Plan; choices: Choice[] } = JSON.parse(
      readFileSync(new URL(file, FOLDER), 'utf8'),
    );
    return {
      name: file.replace('.json', '').replaceAll('-', ' '),
      play: { seed: 0, plan, fates: NO_FATES, choices },
    };
  });
}
