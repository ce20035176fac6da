import { onTestFinished } from 'vitest';

/** An event of a live view, as a browser receives it. */
export type StreamEvent<T> = {
  event: string;
  id: string;
  data: T;
  /** The data as it came over the WebSocket. */
  json: string;
};

/** A browser's end of a live view. */
export type Stream = {
  /** Resolves with the next event of any name; undefined once the stream has ended. */
  any(): Promise<StreamEvent<unknown> | undefined>;
  /** Resolves with the next event of this name, and skips those before. */
  next<T>(event: string): Promise<StreamEvent<T>>;
  /** Resolves with the next event of this name that matches. */
  until<T>(event: string, isMeant: (data: T) => boolean): Promise<StreamEvent<T>>;
  leave(): void;
};

/** Follows a live view as the page does; `after` is the id of its newest event before a lost connection. */
export async function follow(url: string, after?: string): Promise<Stream> {
  const address = new URL(url.replace('http:', 'ws:'));
  if (after !== undefined) address.searchParams.set('after', after);
  const socket = new WebSocket(address);
  const leave = () => socket.close();
  onTestFinished(leave);
  const events = eventsOf(socket);

  async function until<T>(event: string, isMeant: (data: T) => boolean): Promise<StreamEvent<T>> {
    for (;;) {
      const told = await events.next();
      if (!told) throw new Error(`the stream ended before ${event}`);
      if (told.event === event && isMeant(told.data as T)) return told as StreamEvent<T>;
    }
  }

  await events.opened;
  return {
    any: events.next,
    next: <T>(event: string) => until<T>(event, () => true),
    until,
    leave,
  };
}

function eventsOf(socket: WebSocket) {
  const opened = Promise.withResolvers<void>();
  const waiting: ((told: StreamEvent<unknown> | undefined) => void)[] = [];
  const come: StreamEvent<unknown>[] = [];
  let isOver = false;
  socket.onopen = () => opened.resolve();
  socket.onmessage = ({ data: json }) => {
    const told = { ...JSON.parse(String(json)), json: String(json) } as StreamEvent<unknown>;
    const next = waiting.shift();
    if (next) next(told);
    else come.push(told);
  };
  socket.onclose = ({ reason }) => {
    isOver = true;
    opened.reject(new Error(reason || 'the connection was closed'));
    for (const next of waiting.splice(0)) next(undefined);
  };
  opened.promise.catch(() => {});
  return {
    opened: opened.promise,
    next: (): Promise<StreamEvent<unknown> | undefined> => {
      const told = come.shift();
      if (told || isOver) return Promise.resolve(told);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
