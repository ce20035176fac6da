import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Faults, Strike } from '../../../lib/faults/faults.ts';
import type { Journal } from '../../../lib/http/journal.ts';
import { jsonOrText } from '../../../lib/json.ts';
import { APP } from '../../world/app/installations.ts';
import { type AppSocket, createAppSocket } from './app-socket.ts';
import { beforeGreeting, beforeUpgrade } from './faults.ts';

/** Accepts WebSocket connections; each ticket is good for one. */
export type SocketAcceptor = {
  /** Issues a URL path for one connection. */
  issueTarget(): string;
  /** Takes over a connection of the HTTP server. */
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void;
};

/** @param onConnect gets the connection just before the greeting, and returns the greeting */
export function createSocketAcceptor(options: {
  journal: Journal;
  faults: Faults;
  closing: AbortSignal;
  onConnect: (socket: AppSocket) => { type: 'hello' };
}): SocketAcceptor {
  const { journal, faults, closing, onConnect: welcome } = options;
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();

  async function upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    closing.addEventListener('abort', () => socket.destroy());
    const { searchParams } = new URL(message.url ?? '/', 'http://slack.test');
    const request = { ticket: searchParams.get('ticket') };
    const underway = journal.begin({ from: 'bot', to: 'slack', kind: 'socket', name: 'connect', request });
    const strike = faults.take('socket.connect', request);
    const struck = strike && { fault: strike.fault };
    const isKnown = tickets.delete(request.ticket ?? '');
    // No page has the status for a used URL.
    const refusal = (await beforeUpgrade(strike, goneWith(socket))) ?? (isKnown ? undefined : 403);
    if (refusal === 'drop') {
      socket.destroy();
      underway.end({ ended: 'dropped', processed: false, ...struck });
    } else if (refusal !== undefined) {
      underway.end({
        ended: 'answered',
        processed: false,
        response: { status: refusal, body: '' },
        ...struck,
      });
      socket.end(`HTTP/1.1 ${refusal} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    } else {
      server.handleUpgrade(message, socket, head, async (webSocket) => {
        const hello = await greet(createAppSocket(webSocket, recordUnmatched), strike);
        const response = { response: { status: 101, body: hello?.body } };
        underway.end({ ended: hello ? 'answered' : 'client_gone', processed: true, ...response, ...struck });
        hello?.send();
      });
    }
  }

  function recordUnmatched(text: string): void {
    journal.record({
      from: 'bot',
      to: 'slack',
      kind: 'socket',
      name: 'unmatched',
      request: jsonOrText(text),
    });
  }

  async function greet(socket: AppSocket, strike: Strike | undefined) {
    await beforeGreeting(strike, socket.gone);
    if (socket.gone.aborted) return undefined;
    const body = welcome(socket);
    return { body, send: () => socket.send(JSON.stringify(body)) };
  }

  return {
    issueTarget: () => {
      const ticket = randomUUID();
      tickets.add(ticket);
      journal.addSecret(ticket);
      return `/link/?ticket=${ticket}&app_id=${APP.id}`;
    },
    upgrade: (message, socket, head) => void upgrade(message, socket, head),
  };
}

function goneWith(socket: Duplex): AbortSignal {
  const gone = new AbortController();
  socket.on('error', () => gone.abort()).on('close', () => gone.abort());
  return gone.signal;
}
