/** Collapses lines of the log that repeat. */

/** The interval at which the number of repeats of a line is written. */
export const REPEATS_MS = 60_000;
/** Beyond this number lines are not collapsed, so that nothing is lost and memory stays limited. */
const MOST_LINES_COLLAPSED = 1_000;

/** `repeats`: the number of omitted lines. `since`: when the first omitted line came, epoch milliseconds. */
export type Omitted = { repeats: number; since: number };

export type Write = (omitted?: Omitted) => void;

/**
 * Collapses repeated lines: the first is written at once, then one line a minute with the number of omitted lines, and
 * the time of the first omitted line. Otherwise a replica whose Redis accepts no writes would fill the log with one line.
 *
 * @returns a function that takes each line; lines with the same key are repeats of each other
 */
export function createRepeats(): (key: string, write: Write) => void {
  const kept = new Map<string, Omitted & { write: Write }>();

  function waitFor(key: string): void {
    const writeCount = () => {
      const known = kept.get(key);
      kept.delete(key);
      if (!known || known.repeats === 0) return;
      const { write, repeats, since } = known;
      kept.set(key, { repeats: 0, since: 0, write });
      waitFor(key);
      write({ repeats, since });
    };
    setTimeout(writeCount, REPEATS_MS).unref();
  }

  return (key, write) => {
    const known = kept.get(key);
    if (known) {
      if (known.repeats === 0) known.since = Date.now();
      known.repeats += 1;
      known.write = write;
      return;
    }
    if (kept.size < MOST_LINES_COLLAPSED) {
      kept.set(key, { repeats: 0, since: 0, write });
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
