import { onTestFinished } from 'vitest';

/** An event of a stream, as a browser takes it. */
export type Told<T> = {
  event: string;
  id: string | undefined;
  data: T;
  /** What came over the wire. */
  json: string;
};

/** A browser's end of a stream. */
export type Stream = {
  headers: Headers;
  /** The next event, whatever it is; undefined once the stream has ended. */
  any(): Promise<Told<unknown> | undefined>;
  /** The next event of that name; those before it are passed over. */
  next<T>(event: string): Promise<Told<T>>;
  /** The next event of that name that is as it should be. */
  until<T>(event: string, isMeant: (data: T) => boolean): Promise<Told<T>>;
  leave(): void;
};

/** Follows server-sent events, as EventSource would; with the id of what it had before the connection was lost. */
export async function follow(url: string, lastEventId?: string): Promise<Stream> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  onTestFinished(leave);
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const response = await fetch(url, { headers, signal: leaving.signal });
  if (!response.ok || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
  const events = eventsIn(response.body);

  async function any(): Promise<Told<unknown> | undefined> {
    const { value } = await events.next();
    return value || undefined;
  }

  async function until<T>(event: string, isMeant: (data: T) => boolean): Promise<Told<T>> {
    for (;;) {
      const told = await any();
      if (!told) throw new Error(`the stream ended before ${event}`);
      if (told.event === event && isMeant(told.data as T)) return told as Told<T>;
    }
  }

  return {
    headers: response.headers,
    any,
    next: <T>(event: string) => until<T>(event, () => true),
    until,
    leave,
  };
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Told<unknown>, void> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of body) {
    const parts = (pending + decoder.decode(chunk, { stream: true })).split('\n\n');
    pending = parts.pop() ?? '';
    for (const part of parts) {
      const told = parse(part);
      if (told) yield told;
    }
  }
}

function parse(text: string): Told<unknown> | undefined {
  const fields = Object.fromEntries(
    text.split('\n').map((line) => {
      const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      return [name, value];
    }),
  );
  const { event, data: json, id } = fields;
  if (event === undefined || json === undefined) return undefined;
  return { event, id, data: JSON.parse(json), json };
}
