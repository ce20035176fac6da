import { on, once } from 'node:events';
import { onTestFinished } from 'vitest';

/** An event of a live view, as a browser receives it. */
type StreamEvent<T> = {
  event: string;
  data: T;
  /** The data as it came over the WebSocket. */
  json: string;
};

export type Stream = Awaited<ReturnType<typeof follow>>;

/** Follows a live view as the page does. */
export async function follow(url: string) {
  const socket = new WebSocket(url.replace('http:', 'ws:'));
  const leave = () => socket.close();
  onTestFinished(leave);
  const messages = on(socket, 'message', { close: ['close'] });

  /** Resolves with the next event of this name that matches, and skips those before. */
  async function until<T>(event: string, isMeant: (data: T) => boolean): Promise<StreamEvent<T>> {
    for (;;) {
      const { value, done } = await messages.next();
      if (done) throw new Error(`the stream ended before ${event}`);
      const [{ data: json }] = value as [{ data: string }];
      const told = { ...JSON.parse(json), json } as StreamEvent<T>;
      if (told.event === event && isMeant(told.data)) return told;
    }
  }

  await once(socket, 'open');
  return { next: <T>(event: string) => until<T>(event, () => true), until, leave };
}
