/**
 * Chooses an outcome at each choice point of a play. A choice is named by the effect or delivery that it hits, by the
 * operation, and by how often that point was reached. A play is stored as its unusual choices. No name depends on the
 * replica or on other work, so that a stored play stays the same after the code around it has changed.
 */
import type { Random } from '../../chaos/random.ts';

/** `at`: "request 0: post reply 3: chat.postMessage #1". */
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

/** The share of the choices of another play that are taken again. */
const TAKEN_AGAIN = 0.9;

/** Chooses at random, by the rates. @param near choices of another play, most of which are taken again */
export function seededChoices(random: Random, near: readonly Choice[] = []): Choices {
  const again = byPoint(near.filter(() => random.chance(TAKEN_AGAIN)));
  return createChoices((at, options) => again.get(at) ?? draw(random, options));
}

function draw(random: Random, options: Options): string {
  let drawn = random.between(1, 1000);
  for (const [take, perMille] of options) {
    drawn -= perMille;
    if (drawn <= 0) return take;
  }
  return USUAL;
}

/** Replays recorded choices. A choice whose point is never reached has no effect. */
export function namedChoices(named: readonly Choice[]): Choices {
  const recorded = byPoint(named);
  return createChoices((at) => recorded.get(at) ?? USUAL);
}

const byPoint = (choices: readonly Choice[]) => new Map(choices.map(({ at, take }) => [at, take]));

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
