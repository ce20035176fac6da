/** A gate that holds requests until it is released. */
export type Gate = {
  /** Resolves when the gate holds its first request. */
  readonly reached: Promise<void>;
  /** Lets the held requests pass, and all later ones. */
  release(): void;
  /** Resolves when the gate is released, or when the client leaves. */
  pass(gone: AbortSignal): Promise<void>;
};

/** Creates a closed gate. */
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
