/** A TCP proxy that can lose the answers of a server. */
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';

/** @param url of the server @returns the address of the proxy, and its switch */
export async function deafProxy(url: string) {
  const { port: target } = new URL(url);
  const port = await freePort();
  const sockets = new Set<Socket>();
  let deaf = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (deaf) client.destroy();
      else client.write(chunk);
    });
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    /** From now on the server's answers are lost, with their connection. */
    loseAnswers: () => {
      deaf = true;
    },
    recover: () => {
      deaf = false;
    },
  };
}
