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

/** The acknowledgement of a frame: its payload, nothing, or 'silence'. */
type How = (frame: SlackFrame) => object | undefined | 'silence';

/** Asks for a connection with the app-level token, or another one. */
export async function openConnection({ apiUrl, appToken }: Slack, token = appToken) {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${apiUrl}apps.connections.open`, { method: 'POST', headers });
  return (await response.json()) as { ok: boolean; url: string; error?: string };
}

/**
 * Starts a small app on Socket Mode, with Node's own client. It acknowledges every envelope by default. Rejects if Slack
 * refuses its connection.
 */
export async function connectSocketApp(url: string) {
  const received: SlackFrame[] = [];
  const feed = createFeed<SlackFrame>();
  let how: How = () => undefined;
  const socket = new WebSocket(url);
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(data) as SlackFrame;
    received.push(frame);
    const payload = frame.envelope_id ? how(frame) : 'silence';
    if (payload !== 'silence') socket.send(JSON.stringify({ envelope_id: frame.envelope_id, payload }));
    feed.publish(frame);
  });
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('refused')));
  });
  return {
    received,
    answer: (next: How) => {
      how = next;
    },
    /** Resolves when this many frames have come, the greeting included. */
    count: (n: number) =>
      waitUntil(feed, () => (received.length >= n ? received : undefined), { awaited: `${n} frames` }),
    send: (text: string) => socket.send(text),
    close: () => socket.close(),
    closed,
  };
}
