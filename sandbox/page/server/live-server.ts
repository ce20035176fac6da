import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Live } from '../view-model/live.ts';
import { sendUpdates } from './live.ts';

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
