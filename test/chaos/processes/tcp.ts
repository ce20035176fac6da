/** Forwards TCP connections, for the load balancer and the proxy in front of Redis. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Listener = {
  /** Ends all connections, as if a cable were cut. */
  cut(): void;
  close(): Promise<void>;
};

/** @param forward handles a connection; `keep` takes each socket that it opens for that */
export async function acceptConnections(
  port: number,
  forward: (client: Socket, keep: (socket: Socket) => Socket) => void,
): Promise<Listener> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    // The other end may die at any time.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => forward(keep(client), keep));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** @returns a connection to a port of this machine; undefined if nothing listens there */
export async function connectTo(port: number): Promise<Socket | undefined> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('close', () => resolve(undefined));
  });
}

/**
 * Joins two sockets until one of them closes. @param passes whether a chunk from `other` reaches `one`; if not, `one` is
 * closed
 */
export function joinSockets(
  one: Socket,
  other: Socket,
  passes: (chunk: Buffer) => boolean = () => true,
): void {
  one.pipe(other);
  other.on('data', (chunk: Buffer) => {
    if (passes(chunk)) one.write(chunk);
    else one.destroy();
  });
  one.on('close', () => other.destroy());
  other.on('close', () => one.end());
}
