/** Follows a live view, and connects again after a lost connection. */
import { useEffect, useState } from 'react';

export type Reducers<T> = Record<string, (value: T, data: never) => T>;

type LiveEvent = { event: string; data: never };

const AGAIN_MS = 500;

/** The first of the sandbox's own close codes, after which the page does not connect again. */
const FINAL = 4000;

/**
 * Follows the events at `path`, from the start again if `path` changes.
 * @param reducers must be the same object each time
 * @returns also whether the connection is lost: it is opened again, and then delivers everything from the start
 */
export function useLive<T>(path: string, initial: T, reducers: Reducers<T>): { value: T; isLost: boolean } {
  const [value, setValue] = useState(initial);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    const onEvent = ({ event, data }: LiveEvent) =>
      setValue((before) => reducers[event]?.(before, data) ?? before);
    return connect(path, onEvent, setLost);
  }, [path, reducers]);
  return { value, isLost };
}

/** Keeps a connection open. @returns a function that ends it */
function connect(
  path: string,
  onEvent: (event: LiveEvent) => void,
  onLost: (isLost: boolean) => void,
): () => void {
  let socket: WebSocket;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    socket = new WebSocket(new URL(path, location.href));
    socket.onopen = () => onLost(false);
    socket.onmessage = ({ data }) => onEvent(JSON.parse(data) as LiveEvent);
    socket.onclose = ({ code }) => {
      onLost(true);
      if (code < FINAL) timer = setTimeout(open, AGAIN_MS);
    };
  }

  open();
  return () => {
    clearTimeout(timer);
    socket.onclose = null;
    socket.close();
  };
}
