/** Hashes a play line by line: the same play gives the same hash on every machine. Also keeps its story, if that is wanted. */

export type Trace = {
  note(line: string): void;
  /** @param line built only if the play is to be told @param at epoch milliseconds */
  tell(at: number, line: () => string): void;
  /** The lines that were told, in order. */
  told(): readonly { at: number; line: string }[];
  hash(): string;
};

/** @param isTold whether the play is to be told */
export function createTrace(isTold: boolean): Trace {
  const told: { at: number; line: string }[] = [];
  // FNV-1a, twice, with different offsets: fast; the hash need not resist an attacker.
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  return {
    note(line) {
      for (let at = 0; at < line.length; at++) {
        const code = line.charCodeAt(at);
        a = Math.imul(a ^ code, 0x01000193);
        b = Math.imul(b ^ code, 0x01000197);
      }
    },
    tell(at, line) {
      if (isTold) told.push({ at, line: line() });
    },
    told: () => told,
    hash: () => [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(''),
  };
}
