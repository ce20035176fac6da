/**
 * Reads together what is asked for in one turn of the event loop, and each key once. A read begins after the last caller
 * has asked, so nobody gets an older value than by a read of their own.
 *
 * SQLite answers at once. Alone, each request would run from its first byte to its answer before the next one begins, and
 * would find the caches of the processor filled with the end of the former one: an event used 1.6 times the CPU time.
 * Released together, all requests take their first step before any of them takes its second.
 */

/** @returns `read`, delayed to the end of the turn; callers who ask for one key share its value, or its error */
export function readTogether<T>(read: (key: string) => T): (key: string) => Promise<T> {
  let turn: Promise<void> | undefined;
  let asked = new Map<string, Promise<T>>();

  /** A caller from now on may have seen a later write. */
  function end(): void {
    turn = undefined;
    asked = new Map();
  }

  return (key) => {
    turn ??= new Promise<void>((resolve) => setImmediate(resolve)).then(end);
    const reading = asked.get(key) ?? turn.then(() => read(key));
    asked.set(key, reading);
    return reading;
  };
}
