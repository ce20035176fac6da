/** The port for time and randomness. The simulation (test/simulate) decides both, and repeats them from a seed. */

export type Runtime = {
  /** Epoch milliseconds by the machine's clock, which may jump at any time. */
  now: () => number;
  /** Monotonic milliseconds, which go on while the process is frozen. */
  monotonic: () => number;
  /** Waits. With a signal, the wait does not keep the process alive. @throws if `signal` is aborted */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Yields to other work. */
  pause: () => Promise<void>;
  /** Runs something later, without keeping the process alive for it. @returns a function that cancels it */
  after: (ms: number, run: () => void) => () => void;
  /** A random number from 0 up to, but not including, 1. */
  random: () => number;
  uuid: () => string;
  /** Creates an unguessable secret. @returns so many random bytes, as base64url */
  secret: (bytes: number) => string;
};
