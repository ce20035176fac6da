import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createFeed, waitUntil } from '../../lib/feed.ts';

export type Received = {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
};

/** `cut`: half of an answer. */
type Answer = { status?: number; body?: unknown } | 'hang' | 'drop' | 'cut';

type How = (request: Received) => Answer | Promise<Answer>;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a small HTTP app in place of the bot. It answers 200 by default. */
export async function startReceiver() {
  const received: Received[] = [];
  const feed = createFeed<Received>();
  let how: How = () => ({});
  const server = createServer(async (message, response) => {
    const request = { url: message.url ?? '', headers: message.headers, body: await text(message) };
    received.push(request);
    feed.publish(request);
    const answer = await how(request);
    if (answer === 'hang') return;
    if (answer === 'drop') return void response.destroy();
    if (answer === 'cut') return void response.write('{', () => response.destroy());
    const { status = 200, body = '' } = answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/receive`,
    received,
    /** Sets the answers from now on. */
    answer: (next: How) => {
      how = next;
    },
    /** Resolves when this many requests have come. */
    count: (n: number) =>
      waitUntil(feed, () => (received.length >= n ? received : undefined), { awaited: `${n} requests` }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
