import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Live, sendUpdates } from './live.ts';

/** Where browsers come in to look, over WebSockets: of other connections they keep only six to one address. */
export type LiveServer = {
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
};

/** Closes a connection that can't be served, in a way that a browser does not try again. */
const NOT_FOUND = 4004;

/** @param find gives what is to be looked at, by path and query, or a sentence about what is not there */
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
      // Any page of the web could look otherwise: browsers ask nobody whether a WebSocket may be opened.
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
