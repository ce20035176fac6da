import { useEffect, useState } from 'react';

/** What a live connection has told so far. */
export type Live<T> = {
  value: T;
  /** The connection is lost; it is tried again, and what was missed comes then. */
  isLost: boolean;
};

/** A handler for each event: what becomes of the value when it comes. */
export type Reducers<T> = Record<string, (value: T, data: never) => T>;

type LiveEvent = { event: string; id: string; data: never };

const AGAIN_MS = 500;

/** From here on a server's reason for closing is one that does not pass. */
const FINAL = 4000;

/**
 * Follows what is told at `path`, anew from the start where that changes.
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

/** Keeps a connection, going on after the newest event that result. @returns what ends that */
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
