/** An event feed. Listeners get the values in order. */
export type Feed<T> = {
  publish(value: T): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (value: T) => void): () => void;
};

/** Creates an in-memory feed. A listener may unsubscribe while it is called, without effect on the others. */
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
