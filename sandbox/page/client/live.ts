import { useEffect, useState } from 'react';

/** The data that a live connection has delivered so far. */
export type Live<T> = {
  value: T;
  /** Whether the connection is lost. It is opened again, and then delivers the missed events. */
  isLost: boolean;
};

/** A reducer for each event. */
export type Reducers<T> = Record<string, (value: T, data: never) => T>;

type LiveEvent = { event: string; id: string; data: never };

const AGAIN_MS = 500;

/** The first of the close codes that make a new connection pointless. */
const FINAL = 4000;

/**
 * Follows the events at `path`, from the start again if `path` changes.
 * @param reducers must be the same object each time
 */
export function useLive<T>(path: string, initial: T, reducers: Reducers<T>): Live<T> {
  const [value, setValue] = useState(initial);
  const [isLost, setLost] = useState(false);

  useEffect(() => {
    return connect(path, {
      onEvent: ({ event, data }) => setValue((before) => reducers[event]?.(before, data) ?? before),
      onLost: setLost,
    });
  }, [path, reducers]);

  return { value, isLost };
}

type Listener = {
  onEvent: (event: LiveEvent) => void;
  onLost: (isLost: boolean) => void;
};

/** Keeps a connection open, and resumes after the newest event. @returns a function that ends it */
function connect(path: string, { onEvent: told, onLost: lost }: Listener): () => void {
  let socket: WebSocket;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let after = '';

  function open(): void {
    const url = new URL(path, location.href);
    if (after) url.searchParams.set('after', after);
    socket = new WebSocket(url);
    socket.onopen = () => lost(false);
    socket.onmessage = ({ data }) => {
      const event = JSON.parse(data) as LiveEvent;
      after = event.id;
      told(event);
    };
    socket.onclose = ({ code }) => {
      lost(true);
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
