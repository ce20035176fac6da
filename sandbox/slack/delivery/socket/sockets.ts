/** Accepts and greets the WebSockets that an app on Socket Mode opens, and lets a test act on them. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Faults, type Strike, waitAfter, waitBefore } from '../../../lib/faults/faults.ts';
import type { Journal } from '../../../lib/http/journal.ts';
import { jsonOrText } from '../../../lib/json.ts';
import { APP } from '../../world/app/installations.ts';
import { type AppSocket, createAppSocket } from './transport.ts';

export const DISCONNECT_REASONS = [
  'warning',
  'refresh_requested',
  'link_disabled',
  'too_many_websockets',
] as const;

export type Sockets = ReturnType<typeof createSockets>;

const HOST = 'applink-sandbox';

export function createSockets({ journal, faults }: { journal: Journal; faults: Faults }) {
  const open = new Set<AppSocket>();
  const closing = new AbortController();

  function onConnect(socket: AppSocket) {
    open.add(socket);
    socket.gone.addEventListener('abort', () => {
      open.delete(socket);
      if (closing.signal.aborted) return;
      const [from, to] = socket.closedBy() === 'app' ? ['bot', 'slack'] : ['slack', 'bot'];
      journal.record({ from, to, kind: 'socket', name: 'close', request: {} });
    });
    return helloOf(open.size);
  }

  function broadcast(name: string, request: object, frame: string | Buffer, binary = false): void {
    journal.record({ from: 'slack', to: 'bot', kind: 'socket', name, request });
    for (const socket of open) socket.send(frame, binary);
  }

  return {
    ...createSocketAcceptor({ journal, faults, closing: closing.signal, onConnect }),
    /** Returns the next connection in turn that the app has not left; one that it was asked to leave only if all were. */
    next: () => {
      const hearing = [...open].filter(({ hasLeft }) => !hasLeft());
      const socket = hearing.find(({ isLeaving }) => !isLeaving()) ?? hearing[0];
      if (!socket) return undefined;
      // Move the connection to the end of the queue.
      open.delete(socket);
      open.add(socket);
      return socket;
    },
    control: {
      count: () => open.size,
      /** Asks the app to leave all connections. They stay open until the app closes them, or until they are dropped. */
      askToLeave: (reason: (typeof DISCONNECT_REASONS)[number]) => {
        for (const socket of open) socket.leave();
        broadcast('disconnect', { reason }, disconnectFor(reason));
      },
      drop: () => {
        for (const socket of open) socket.drop();
      },
      /** Stops reading from all connections, as with a pulled cable: pings are not answered. */
      stall: () => {
        for (const socket of open) socket.stall();
      },
      /** Sends the app a frame that Slack would not send: any text, or bytes (`binary: false`: in a text frame). */
      sendFrame: (frame: string | Buffer, { binary = typeof frame !== 'string' } = {}) =>
        broadcast('raw', { bytes: Buffer.byteLength(frame) }, frame, binary),
    },
    close: () => closing.abort(),
  };
}

const helloOf = (num_connections: number) => ({
  type: 'hello' as const,
  num_connections,
  debug_info: { host: HOST, build_number: 1, approximate_connection_time: 18_060 },
  connection_info: { app_id: APP.id },
});

const disconnectFor = (reason: string) =>
  JSON.stringify({ type: 'disconnect', reason, debug_info: { host: HOST } });

/**
 * Accepts WebSocket connections; each ticket is good for one.
 * @param onConnect gets the connection just before the greeting, and returns the greeting
 */
function createSocketAcceptor(options: {
  journal: Journal;
  faults: Faults;
  closing: AbortSignal;
  onConnect: (socket: AppSocket) => { type: 'hello' };
}) {
  const { journal, faults, closing, onConnect } = options;
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
    // No page names the status for a URL that was used before.
    const refusal = (await beforeUpgrade(strike, goneWith(socket))) ?? (isKnown ? undefined : 403);
    if (refusal === 'drop') {
      socket.destroy();
      underway.end({ ended: 'dropped', processed: false, ...struck });
    } else if (refusal !== undefined) {
      const response = { status: refusal, body: '' };
      underway.end({ ended: 'answered', processed: false, response, ...struck });
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
    const request = jsonOrText(text);
    journal.record({ from: 'bot', to: 'slack', kind: 'socket', name: 'unmatched', request });
  }

  async function greet(socket: AppSocket, strike: Strike | undefined) {
    if (strike) await waitAfter(strike, socket.gone);
    if (socket.gone.aborted) return undefined;
    const body = onConnect(socket);
    return { body, send: () => socket.send(JSON.stringify(body)) };
  }

  return {
    issueTarget: () => {
      const ticket = randomUUID();
      tickets.add(ticket);
      journal.addSecret(ticket);
      return `/link/?ticket=${ticket}&app_id=${APP.id}`;
    },
    upgrade: (...taken: Parameters<typeof upgrade>) => void upgrade(...taken),
  };
}

function goneWith(socket: Duplex): AbortSignal {
  const gone = new AbortController();
  socket.on('error', () => gone.abort()).on('close', () => gone.abort());
  return gone.signal;
}

/**
 * Applies a fault of `socket.connect` before the handshake.
 * @returns the status that refuses the connection, 'drop', or undefined to go on
 */
async function beforeUpgrade(
  strike: Strike | undefined,
  gone: AbortSignal,
): Promise<number | 'drop' | undefined> {
  if (!strike) return undefined;
  const { fault } = strike;
  switch (fault.type) {
    case 'drop':
      return 'drop';
    case 'status':
      return fault.status;
    case 'delay':
    case 'delay_answer':
    case 'hold':
      await waitBefore(strike, gone);
      return undefined;
    default:
      throw new Error(`a fault of type ${fault.type} can't strike a connection that is opened`);
  }
}
