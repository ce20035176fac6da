/** Tells listeners of what happened, in order. */
export type Feed<T> = {
  publish(value: T): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (value: T) => void): () => void;
};

/** An in-memory feed. A listener that unsubscribes while it is called disturbs no other. */
export function createFeed<T>(): Feed<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    publish: (value) => {
      for (const listener of [...listeners]) listener(value);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
