/** Hashes a play line by line: the same play gives the same hash on every machine. */

export type Trace = {
  note(line: string): void;
  lines(): readonly string[];
  hash(): string;
};

/** @param isKept whether to keep the lines as well as their hash */
export function createTrace(isKept: boolean): Trace {
  const lines: string[] = [];
  // FNV-1a, twice, with different offsets: fast; the hash need not resist an attacker.
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  return {
    note(line) {
      if (isKept) lines.push(line);
      for (let at = 0; at < line.length; at++) {
        const code = line.charCodeAt(at);
        a = Math.imul(a ^ code, 0x01000193);
        b = Math.imul(b ^ code, 0x01000197);
      }
    },
    lines: () => lines,
    hash: () => [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(''),
  };
}
