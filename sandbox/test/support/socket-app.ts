import { createFeed, waitUntil } from '../../lib/feed.ts';
import type { Slack } from '../../slack/start.ts';

/** The part of Slack's WebSocket messages that the tests read. */
export type SlackFrame = {
  type: string;
  envelope_id: string;
  payload: Record<string, unknown>;
  accepts_response_payload: boolean;
  retry_attempt?: number;
  retry_reason?: string;
  reason?: string;
  num_connections?: number;
};

/** A small app on Socket Mode. It acknowledges every envelope by default. */
export type SocketApp = {
  received: SlackFrame[];
  /** Sets the acknowledgements from now on: their payload, nothing, or 'silence'. */
  answer(how: (frame: SlackFrame) => object | undefined | 'silence'): void;
  /** Resolves when this many frames have come, the greeting included. */
  count(n: number): Promise<SlackFrame[]>;
  send(text: string): void;
  close(): void;
  /** Resolves once the connection is closed. */
  closed: Promise<void>;
};

/** Asks for a connection with the app-level token, or another one. */
export async function openConnection({ apiUrl, appToken }: Slack, token = appToken) {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${apiUrl}apps.connections.open`, { method: 'POST', headers });
  return (await response.json()) as { ok: boolean; url: string; error?: string };
}

/** Opens a WebSocket with Node's own client. Rejects if Slack refuses it. */
export function connectSocketApp(url: string): Promise<SocketApp> {
  const received: SlackFrame[] = [];
  const feed = createFeed<SlackFrame>();
  let how: (frame: SlackFrame) => object | undefined | 'silence' = () => undefined;
  const socket = new WebSocket(url);
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(data) as SlackFrame;
    received.push(frame);
    const payload = frame.envelope_id ? how(frame) : 'silence';
    if (payload !== 'silence') socket.send(JSON.stringify({ envelope_id: frame.envelope_id, payload }));
    feed.publish(frame);
  });
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  const app: SocketApp = {
    received,
    answer: (next) => {
      how = next;
    },
    count: (n) =>
      waitUntil(feed, () => (received.length >= n ? received : undefined), { awaited: `${n} frames` }),
    send: (text) => socket.send(text),
    close: () => socket.close(),
    closed,
  };
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(app));
    socket.addEventListener('error', () => reject(new Error('refused')));
  });
}
