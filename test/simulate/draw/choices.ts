/**
 * Chooses an outcome at each choice point of a play. A choice is named by its point and by how often that point was reached.
 * A play is stored as its unusual choices, so that it can be replayed after the code around it has changed.
 */
import type { Random } from '../../chaos/random.ts';

/** `at`: "r1 chat.postMessage #2". */
export type Choice = { at: string; take: string };

/** The unusual outcomes of a choice point, each with its rate in a thousand. */
export type Options = readonly (readonly [take: string, perMille: number])[];

export const USUAL = 'usual';

export type Choices = {
  /** @param point names the choice point @returns one of the options, or USUAL */
  take(point: string, options: Options): string;
  /** From now on, every choice is USUAL. */
  disableFaults(): void;
  /** The unusual choices so far. */
  taken(): readonly Choice[];
};

/** Chooses at random, by the rates. */
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

/** Replays recorded choices. A choice whose point is never reached has no effect. */
export function namedChoices(named: readonly Choice[]): Choices {
  const byName = new Map(named.map(({ at, take }) => [at, take]));
  return createChoices((at) => byName.get(at) ?? USUAL);
}

function createChoices(choose: (at: string, options: Options) => string): Choices {
  const reached = new Map<string, number>();
  const taken: Choice[] = [];
  let isDisabled = false;
  return {
    take(point, options) {
      if (isDisabled) return USUAL;
      const n = (reached.get(point) ?? 0) + 1;
      reached.set(point, n);
      const at = `${point} #${n}`;
      const take = choose(at, options);
      if (take !== USUAL) taken.push({ at, take });
      return take;
    },
    disableFaults() {
      isDisabled = true;
    },
    taken: () => taken,
  };
}
