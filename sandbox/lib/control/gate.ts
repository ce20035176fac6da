/** A point where requests are held until somebody lets them go on. */
export type Gate = {
  /** Resolves when the first request has come to the gate. */
  readonly reached: Promise<void>;
  /** Lets through what is held, and whatever comes later. */
  release(): void;
  /** Passes when the gate is released, or when the one who waits goes away. */
  pass(gone: AbortSignal): Promise<void>;
};

/** A closed gate. */
export function createGate(): Gate {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    release: () => released.resolve(),
    pass: async (gone) => {
      reached.resolve();
      await Promise.race([released.promise, aborted(gone)]);
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
