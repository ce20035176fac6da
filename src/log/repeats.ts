/**
 * Collapses repeated log lines: the first is written at once, then one line a minute with the number of omitted ones.
 * Otherwise a replica whose Redis accepts no writes would fill the log with one line.
 */

const EVERY_MS = 60_000;
/** Beyond this number lines are not collapsed, so that nothing is lost and memory stays limited. */
const MOST_KEPT = 1_000;

/** Writes a line. @param repeats the number of omitted repeats; undefined: none */
export type Write = (repeats?: number) => void;

/** @returns a function that takes each line; lines with the same key are repeats of each other */
export function createRepeats(everyMs: number = EVERY_MS): (key: string, write: Write) => void {
  const kept = new Map<string, { left: number; write: Write }>();

  function waitFor(key: string): void {
    const writeCount = () => {
      const { left = 0, write } = kept.get(key) ?? {};
      kept.delete(key);
      if (left === 0 || !write) return;
      kept.set(key, { left: 0, write });
      waitFor(key);
      write(left);
    };
    setTimeout(writeCount, everyMs).unref();
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

/** Fields that differ between repeats: stack traces and durations. */
const NOT_COMPARED = /^(?:stack|ms)$|(?:Ms|Seconds)$/;

/** @param fields as JSON can hold them @returns the same key for equivalent lines */
export function repeatKey(level: number, fields: unknown, message: readonly unknown[]): string {
  return JSON.stringify([level, message, fields], (key, value) =>
    NOT_COMPARED.test(key) ? undefined : value,
  );
}
