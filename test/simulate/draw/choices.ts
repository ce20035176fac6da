/**
 * Whatever can go one way or another in a play. Each choice has a name: the point, and how often that point was reached.
 * A play is remembered by what was chosen other than usual, so it means the same after the code around it has changed.
 */
import type { Random } from '../../chaos/random.ts';

/** `at`: "r1 chat.postMessage #2". */
export type Choice = { at: string; take: string };

/** The unusual outcomes of a point, each with how often in a thousand it happens. */
export type Options = readonly (readonly [take: string, perMille: number])[];

export const USUAL = 'usual';

export type Choices = {
  /** @param point what is decided about @returns one of the options, or USUAL */
  take(point: string, options: Options): string;
  /** From now on all goes as usual. */
  calm(): void;
  /** The choices that were not the usual ones. */
  taken(): readonly Choice[];
};

/** Chooses by lot. */
export function seededChoices(random: Random): Choices {
  return createChoices((_at, options) => {
    let drawn = random.between(1, 1000);
    for (const [take, perMille] of options) {
      drawn -= perMille;
      if (drawn <= 0) return take;
    }
    return USUAL;
  });
}

/** Chooses what is named. A name that is never reached changes nothing. */
export function namedChoices(named: readonly Choice[]): Choices {
  const byName = new Map(named.map(({ at, take }) => [at, take]));
  return createChoices((at) => byName.get(at) ?? USUAL);
}

function createChoices(choose: (at: string, options: Options) => string): Choices {
  const reached = new Map<string, number>();
  const taken: Choice[] = [];
  let isCalm = false;
  return {
    take(point, options) {
      if (isCalm) return USUAL;
      const n = (reached.get(point) ?? 0) + 1;
      reached.set(point, n);
      const at = `${point} #${n}`;
      const take = choose(at, options);
      if (take !== USUAL) taken.push({ at, take });
      return take;
    },
    calm() {
      isCalm = true;
    },
    taken: () => taken,
  };
}
