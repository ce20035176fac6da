/**
 * Collapses repeated lines of the log: the first is written at once, then one line a minute with the number of those that
 * were left out. A replica whose Redis takes no writes would fill the log with one line otherwise.
 */

const EVERY_MS = 60_000;
/** Further lines are written as they come, so that nothing is lost and memory stays bounded. */
const MOST_KEPT = 1_000;

/** Writes a line. @param repeats how many like it were left out; undefined for one that was not left out */
export type Write = (repeats?: number) => void;

/** @returns what takes each line: lines with the same key are repeats of each other */
export function createRepeats(everyMs: number = EVERY_MS): (key: string, write: Write) => void {
  const kept = new Map<string, { left: number; write: Write }>();

  function waitFor(key: string): void {
    const tell = () => {
      const { left = 0, write } = kept.get(key) ?? {};
      kept.delete(key);
      if (left === 0 || !write) return;
      kept.set(key, { left: 0, write });
      waitFor(key);
      write(left);
    };
    setTimeout(tell, everyMs).unref();
  }

  return (key, write) => {
    const known = kept.get(key);
    if (known) {
      known.left += 1;
      known.write = write;
      return;
    }
    if (kept.size < MOST_KEPT) {
      kept.set(key, { left: 0, write });
      waitFor(key);
    }
    write();
  };
}

/** Differs between repeats: where an error was thrown, and how long something took or will take. */
const NOT_COMPARED = /^(?:stack|ms)$|(?:Ms|Seconds)$/;

/** @param fields as JSON can hold them @returns the same text for lines that say the same */
export function repeatKey(level: number, fields: unknown, message: readonly unknown[]): string {
  return JSON.stringify([level, message, fields], (key, value) =>
    NOT_COMPARED.test(key) ? undefined : value,
  );
}
