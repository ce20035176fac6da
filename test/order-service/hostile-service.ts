/** An order service that says any bytes it likes, over real sockets. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The reaction to a request: a text to send before hanging up, or an act on the socket. */
export type Play = string | Buffer | ((socket: Socket) => void);

export type HostileService = {
  url: URL;
  /** The text received over each connection, in the order in which they were opened. */
  received: string[];
  /** The number of open connections. */
  open: () => number;
};

/** @param greets what the service does with a connection before it has received anything */
export async function hostileService(
  play: Play,
  greets: (socket: Socket) => void = () => {},
): Promise<HostileService> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const n = received.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received[n] += chunk.toString('latin1');
      if (typeof play === 'function') play(socket);
      else socket.end(play);
    });
    greets(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}`), received, open: () => sockets.size };
}

/** An answer with a true content-length. */
export function answer(status: number, body: string | Buffer | object = '', headers = ''): Buffer {
  const bytes = Buffer.from(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const head = `HTTP/1.1 ${status} X\r\n${headers}content-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}
