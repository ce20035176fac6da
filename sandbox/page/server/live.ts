import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Live, LiveEvent } from '../view-model/views.ts';

/** A connected browser. */
export type Viewer = {
  send(text: string): void;
  gone: AbortSignal;
};

/**
 * Sends a viewer the events of `read` now and after every change, until the viewer leaves. Changes in one turn are
 * sent together; an event whose data has not changed is not repeated.
 *
 * @param after the id of the newest event that the viewer has received
 */
function sendUpdates(viewer: Viewer, { sandbox, watch, read }: Live, after: string | null): void {
  const sent = new Map<string, string>();
  let last = numberIn(after, sandbox);
  let isDue = false;

  function send({ event, data, n }: LiveEvent): void {
    const json = JSON.stringify(data);
    if (n === undefined && sent.get(event) === json) return;
    sent.set(event, json);
    last = n ?? last;
    viewer.send(`{"event":"${event}","id":${JSON.stringify(`${sandbox}/${last}`)},"data":${json}}`);
  }

  function sendAll(): void {
    isDue = false;
    if (!viewer.gone.aborted) for (const each of read(last)) send(each);
  }

  if (viewer.gone.aborted) return;
  const unwatch = watch(() => {
    if (!isDue) setImmediate(sendAll);
    isDue = true;
  });
  viewer.gone.addEventListener('abort', unwatch);
  sendAll();
}

function numberIn(id: string | null, sandbox: string): number {
  const [of, n] = String(id).split('/');
  return of === sandbox ? Number(n) : 0;
}

/**
 * Accepts the live connections of browsers. They are WebSockets, because a browser keeps at most six other connections to
 * one address.
 */
export type LiveServer = {
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
};

/** The close code for an unknown live view, after which the page does not connect again. */
const NOT_FOUND = 4004;

/** @param find returns the live view for a path and query, or an error message */
export function createLiveServer(find: (url: URL) => Live | string): LiveServer {
  const server = new WebSocketServer({ noServer: true });

  function welcome(webSocket: WebSocket, url: URL): void {
    const live = find(url);
    if (typeof live === 'string') {
      webSocket.close(NOT_FOUND, live);
      return;
    }
    const gone = new AbortController();
    webSocket.on('close', () => gone.abort()).on('error', () => gone.abort());
    const send = (text: string) => webSocket.send(text);
    sendUpdates({ send, gone: gone.signal }, live, url.searchParams.get('after'));
  }

  return {
    upgrade(message, socket, head) {
      const url = URL.parse(`http://page.test${message.url}`);
      // Browsers apply no same-origin policy to WebSockets, so any page of the web could connect otherwise.
      if (!url || !isOwn(message)) return void socket.destroy();
      server.handleUpgrade(message, socket, head, (webSocket) => welcome(webSocket, url));
    },
    close: () => {
      for (const each of server.clients) each.terminate();
    },
  };
}

function isOwn({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin === undefined || URL.parse(origin)?.host === host;
}
