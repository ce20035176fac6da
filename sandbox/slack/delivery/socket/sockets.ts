import type { Faults } from '../../../lib/faults/faults.ts';
import type { Journal } from '../../../lib/http/journal.ts';
import { APP } from '../../world/app/installations.ts';
import { createSocketAcceptor, type SocketAcceptor } from './acceptor.ts';
import type { AppSocket } from './app-socket.ts';

export const DISCONNECT_REASONS = [
  'warning',
  'refresh_requested',
  'link_disabled',
  'too_many_websockets',
] as const;

/** The actions of a test on the open connections. */
export type SocketControl = {
  count(): number;
  /** Asks the app to leave all connections. They stay open until the app closes them, or until they are dropped. */
  askToLeave(reason: (typeof DISCONNECT_REASONS)[number]): void;
  /** Destroys them without a disconnect message. */
  drop(): void;
  /** Stops reading from them, as with a pulled cable: pings are not answered. */
  stall(): void;
  /** Sends the app a frame that Slack would not send: any text, or bytes (`binary: false`: in a text frame). */
  sendFrame(frame: string | Buffer, options?: { binary?: boolean }): void;
};

/** The WebSockets that the app has opened. */
export type Sockets = SocketAcceptor & {
  /** Returns the next connection in turn that the app has not left. One that it was asked to leave comes last. */
  next(): AppSocket | undefined;
  control: SocketControl;
  close(): void;
};

const HOST = 'applink-sandbox';

/** Creates the set of connections. */
export function createSockets({ journal, faults }: { journal: Journal; faults: Faults }): Sockets {
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
    ...createSocketAcceptor({ journal, faults, closing: closing.signal, onConnect: onConnect }),
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
      askToLeave: (reason) => {
        for (const socket of open) socket.leave();
        broadcast('disconnect', { reason }, disconnectFor(reason));
      },
      drop: () => {
        for (const socket of open) socket.drop();
      },
      stall: () => {
        for (const socket of open) socket.stall();
      },
      sendFrame: (frame, { binary = typeof frame !== 'string' } = {}) =>
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
