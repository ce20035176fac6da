/** What time it is at the server: never later than it really is there, so that a deadline never comes too late. */

export type ServerClock = {
  /** @param serverNow epoch milliseconds, as the server has just said */
  learn(serverNow: number): void;
  /** Forgets what was learnt: another server may have another clock. */
  forget(): void;
  /** @returns what the server's clock will show in `ms` milliseconds; 0, which is past, where it said nothing yet */
  deadline(ms: number): number;
};

/** @param monotonic milliseconds that only ever grow */
export function createServerClock(monotonic: () => number = () => performance.now()): ServerClock {
  let ahead: number | undefined;
  return {
    // The answer was on its way for a while: by now it is later there, and that is the safe side to err on.
    learn: (serverNow) => {
      ahead = serverNow - monotonic();
    },
    forget: () => {
      ahead = undefined;
    },
    deadline: (ms) => (ahead === undefined ? 0 : Math.floor(ahead + monotonic() + ms)),
  };
}
