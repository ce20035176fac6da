import { useEffect, useState } from 'react';

/** What a live stream has told so far. */
export type Live<T> = {
  value: T;
  /** The connection is lost; the browser tries again by itself, and what was missed comes then. */
  isLost: boolean;
};

/** A handler for each event of a stream: what becomes of the value when it comes. */
export type Reducers<T> = Record<string, (value: T, data: never) => T>;

/**
 * Follows server-sent events from `url`, a new one from the start.
 * @param reducers must be the same object each time
 */
export function useLive<T>(url: string, initial: T, reducers: Reducers<T>): Live<T> {
  const [value, setValue] = useState(initial);
  const [isLost, setLost] = useState(false);

  useEffect(() => {
    const source = new EventSource(url);
    source.onopen = () => setLost(false);
    source.onerror = () => setLost(true);
    for (const [name, reduce] of Object.entries(reducers)) {
      source.addEventListener(name, ({ data }) => {
        setValue((before) => reduce(before, JSON.parse(data) as never));
      });
    }
    return () => source.close();
  }, [url, reducers]);

  return { value, isLost };
}
