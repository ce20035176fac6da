/** Time and chance, as ports: the simulation (test/simulate) decides both, and repeats them from a seed. */

export type Runtime = {
  /** Epoch milliseconds by the machine's clock, which may be set at any time. */
  now: () => number;
  /** Milliseconds that only ever grow, also while the process is frozen. */
  monotonic: () => number;
  /** @throws where `signal` is aborted; with one, the wait does not keep the process alive */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Lets everything else have its turn. */
  pause: () => Promise<void>;
  /** Runs something later, without keeping the process alive for it. @returns cancels it */
  after: (ms: number, run: () => void) => () => void;
  /** From 0 up to, and without, 1. */
  random: () => number;
  uuid: () => string;
  /** Nobody can guess it. @returns so many random bytes, as base64url */
  secret: (bytes: number) => string;
};
