/** Estimates the server's clock, never later than its real time, so that a deadline never comes too late. */

export type ServerClock = {
  /** @param serverNow epoch milliseconds, as just reported by the server */
  learn(serverNow: number): void;
  /** Discards the estimate: another server may have another clock. */
  forget(): void;
  /** @returns the server's time in `ms` milliseconds; 0, which is past, if no estimate exists yet */
  deadline(ms: number): number;
};

/** @param monotonic monotonic milliseconds */
export function createServerClock(monotonic: () => number = () => performance.now()): ServerClock {
  let ahead: number | undefined;
  return {
    // The answer took a while, so the server's time is later by now: the estimate errs on the safe side.
    learn: (serverNow) => {
      ahead = serverNow - monotonic();
    },
    forget: () => {
      ahead = undefined;
    },
    deadline: (ms) => (ahead === undefined ? 0 : Math.floor(ahead + monotonic() + ms)),
  };
}
