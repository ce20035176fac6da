/** Random numbers that are the same for the same seed, so that a run can be repeated. */

export type Random = {
  /** True so many times out of one. */
  chance(probability: number): boolean;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** @returns the same things in another order */
  shuffled<T>(things: readonly T[]): T[];
};

/** @param stream the name of a purpose; each purpose has its own numbers, so that no use changes another */
export function createRandom(seed: number, stream: string): Random {
  let state = [...stream].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), seed);
  /** mulberry32: from 0 up to, and without, 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    chance: (probability) => next() < probability,
    between,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
    shuffled: (things) => {
      const mixed = [...things];
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = between(0, last);
        [mixed[last], mixed[other]] = [mixed[other] as (typeof mixed)[0], mixed[last] as (typeof mixed)[0]];
      }
      return mixed;
    },
  };
}

/** Divides `total` by weight, at least 1 for each key with a weight, so that a small run has some of everything. */
export function shareOut<K extends string>(weights: Record<K, number>, total: number): K[] {
  const entries = Object.entries(weights) as [K, number][];
  const sum = entries.reduce((all, [, weight]) => all + weight, 0);
  return entries.flatMap(([key, weight]) =>
    Array<K>(weight === 0 || total === 0 ? 0 : Math.max(1, Math.round((weight / sum) * total))).fill(key),
  );
}
