/**
 * Accepts the live connections of browsers. They are WebSockets, because a browser opens at most six HTTP connections to one
 * address.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type LiveEvent, liveView, type PageContext, watchAll } from '../view-model/views.ts';

/** The close code for an unknown live view, after which the page does not connect again. */
const NOT_FOUND = 4004;

const LOOPBACK = new Set(['127.0.0.1', 'localhost']);

export function createLiveServer(context: PageContext) {
  const server = new WebSocketServer({ noServer: true });
  return {
    upgrade(message: IncomingMessage, socket: Duplex, head: Buffer) {
      const url = URL.parse(`http://page.test${message.url}`);
      if (!url || !isOwn(message.headers)) return void socket.destroy();
      server.handleUpgrade(message, socket, head, (webSocket) => sendUpdates(webSocket, context, url));
    },
    close: () => {
      for (const each of server.clients) each.terminate();
    },
  };
}

/**
 * Whether a request comes from the page or from a program. A browser also lets other websites open WebSockets and post here;
 * and if a site's domain leads to this address (DNS rebinding), the browser takes that site for this page.
 */
export function isOwn({ origin, host }: IncomingHttpHeaders): boolean {
  const { hostname = '' } = URL.parse(`http://${host}`) ?? {};
  return LOOPBACK.has(hostname) && (origin === undefined || URL.parse(origin)?.host === host);
}

/**
 * Sends a browser the events of a live view now and after every change, until it leaves. Changes in one turn are sent
 * together; an event whose data has not changed is not repeated.
 */
function sendUpdates(socket: WebSocket, context: PageContext, url: URL): void {
  const read = liveView(context, url);
  if (typeof read === 'string') return void socket.close(NOT_FOUND, read);
  const sent = new Map<string, string>();
  let isDue = false;

  function send({ event, data }: LiveEvent): void {
    const json = JSON.stringify(data);
    if (sent.get(event) === json) return;
    sent.set(event, json);
    socket.send(`{"event":"${event}","data":${json}}`);
  }

  const sendAll = () => {
    isDue = false;
    if (socket.readyState === socket.OPEN) for (const each of read()) send(each);
  };
  const unwatch = watchAll(context, () => {
    if (!isDue) setImmediate(sendAll);
    isDue = true;
  });
  // After an error the socket closes, too.
  socket.on('close', unwatch).on('error', () => {});
  sendAll();
}
