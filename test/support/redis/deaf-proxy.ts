/** A TCP proxy before Redis that can lose its answers, leave connections open and pass on nothing, or lead to another server. */
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';

/** @param url of the server @returns the address of the proxy, and its switches */
export async function deafProxy(url: string) {
  let target = Number(new URL(url).port);
  const port = await freePort();
  const sockets = new Set<Socket>();
  const links = new Set<{ client: Socket; upstream: Socket }>();
  let deaf = false;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    const link = { client, upstream };
    links.add(link);
    client.on('close', () => links.delete(link));
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
    /** From now on the connections that are open lead nowhere, as behind a cut cable. New ones work. */
    cutOff: () => {
      for (const { client, upstream } of links) {
        client.unpipe(upstream).resume();
        upstream.pause();
      }
    },
    /** From now on new connections lead to another server. */
    leadTo: (other: string) => {
      target = Number(new URL(other).port);
    },
  };
}
