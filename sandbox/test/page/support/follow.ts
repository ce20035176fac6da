import { onTestFinished } from 'vitest';

/** An event of a stream, as a browser takes it. */
export type StreamEvent<T> = {
  event: string;
  id: string;
  data: T;
  /** What came over the wire. */
  json: string;
};

/** A browser's end of a stream. */
export type Stream = {
  /** The next event, whatever it is; undefined once the stream has ended. */
  any(): Promise<StreamEvent<unknown> | undefined>;
  /** The next event of that name; those before it are passed over. */
  next<T>(event: string): Promise<StreamEvent<T>>;
  /** The next event of that name that is as it should be. */
  until<T>(event: string, isMeant: (data: T) => boolean): Promise<StreamEvent<T>>;
  leave(): void;
};

/** Follows what is told, as the page would; with the id of what it had before the connection was lost. */
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
