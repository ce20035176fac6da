/** TCP connections that are handed on: what the load balancer and the proxy before Redis have in common. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Wires = {
  /** Ends all connections, as if a cable was cut. */
  cut(): void;
  close(): Promise<void>;
};

/** @param handOn what becomes of a connection; whatever it opens to hand it on belongs to `keep` */
export async function listen(
  port: number,
  handOn: (client: Socket, keep: (socket: Socket) => Socket) => void,
): Promise<Wires> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    // The other end may die at any time.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => handOn(keep(client), keep));
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

/** @returns a connection to a port of this machine; undefined where nobody listens there */
export async function reach(port: number): Promise<Socket | undefined> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('close', () => resolve(undefined));
  });
}

/** Joins two sockets, until one of them is gone. */
export function join(one: Socket, other: Socket, hears: (chunk: Buffer) => boolean = () => true): void {
  one.pipe(other);
  other.on('data', (chunk: Buffer) => {
    if (hears(chunk)) one.write(chunk);
    else one.destroy();
  });
  one.on('close', () => other.destroy());
  other.on('close', () => one.end());
}
