/**
 * A load balancer before several replicas: each request goes to the next one whose /readyz answers 200. It asks before each
 * request, where a real one asks every few seconds.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export type Balancer = {
  /** The number of requests that each of the replicas has answered. */
  answered: ReadonlyMap<number, number>;
};

/** @param port that of the balancer @param replicas the ports of the replicas */
export async function startBalancer(port: number, replicas: readonly number[]): Promise<Balancer> {
  const answered = new Map<number, number>();
  let turn = 0;

  async function balance(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const first = turn++ % replicas.length;
    const inTurn = [...replicas.slice(first), ...replicas.slice(0, first)];
    // Each is asked twice: a replica may become ready after it was asked, while the other one stops.
    for (const replica of [...inTurn, ...inTurn]) {
      if (!(await isReady(replica))) continue;
      const { status, type, text } = await forward(replica, incoming, body);
      answered.set(replica, (answered.get(replica) ?? 0) + 1);
      response.writeHead(status, { 'content-type': type }).end(text);
      return;
    }
    response.writeHead(503).end();
  }

  await listen(port, (incoming, response) => {
    balance(incoming, response).catch(() => response.writeHead(502).end());
  });
  return { answered };
}

async function isReady(replica: number): Promise<boolean> {
  const check: Pick<IncomingMessage, 'method' | 'url' | 'headers'> = {
    method: 'GET',
    url: '/readyz',
    headers: {},
  };
  return forward(replica, check, Buffer.alloc(0)).then(
    ({ status }) => status === 200,
    () => false,
  );
}

type Answer = { status: number; type: string; text: Buffer };

/** Sends a request over a connection of its own. @throws if there is no answer */
function forward(
  replica: number,
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
) {
  return new Promise<Answer>((resolve, reject) => {
    const to = { host: '127.0.0.1', port: replica, method, path: url, headers, agent: false };
    const outgoing = request(to, (response) => {
      const { statusCode: status = 0, headers: said } = response;
      const type = said['content-type'] ?? 'text/plain';
      buffer(response).then((text) => resolve({ status, type, text }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function listen(port: number, handle: (incoming: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
}
