/** The HTTP server of both services. It can leave a request unanswered or half answered, as faults need it. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

export type HttpRequest = {
  method: string;
  /** The raw request target: not decoded and not normalised. */
  target: string;
  headers: IncomingHttpHeaders;
  body: string;
  client: ReturnType<typeof connectedClient>;
};

/** An answer; a body that is not a string is sent as JSON. */
export type HttpReply = {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
};

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;

const BODY_LIMIT_BYTES = 1_000_000;

/**
 * Listens on loopback. A body is refused with 413 as soon as it exceeds 1 MB. Whoever passes `upgrade` must close the
 * WebSocket connections that it takes over.
 *
 * @param options `now`: the clock of the Date in each answer; left out: the real one
 */
export async function startHttpServer(options: {
  port?: number | undefined;
  now?: () => number;
  handle: (request: HttpRequest) => Promise<void>;
  upgrade?: (message: IncomingMessage, socket: Duplex, head: Buffer) => void;
}) {
  const { now = Date.now } = options;
  const server = createServer((message, response) => {
    response.setHeader('date', new Date(now()).toUTCString());
    serve(message, response, options.handle).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500).end(String(error));
    });
  });
  if (options.upgrade) server.on('upgrade', options.upgrade);
  // Node closes an idle connection after 5 s; on a stalled machine that races with the bot's next request.
  server.keepAliveTimeout = 120_000;
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    reopen: () => listenAgain(server, port),
  };
}

/** Retries while the port is taken: an outgoing connection may have got it for a moment. */
async function listenAgain(server: Server, port: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await listen(server, port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === 100) throw error;
      await setTimeout(100);
    }
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  handle: (request: HttpRequest) => Promise<void>,
): Promise<void> {
  const client = connectedClient(response);
  const body = await readBody(message);
  if (body === 'gone') return;
  if (body === 'too_large') return client.send({ status: 413, headers: { connection: 'close' } });
  const { method = 'GET', url: target = '/', headers } = message;
  await handle({ method, target, headers, body: body.text, client });
}

async function readBody(message: IncomingMessage): Promise<{ text: string } | 'too_large' | 'gone'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The socket must survive leaving this loop early: the refusal is sent over it.
    for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > BODY_LIMIT_BYTES) return 'too_large';
      chunks.push(chunk);
    }
    return { text: Buffer.concat(chunks).toString('utf8') };
  } catch {
    return 'gone';
  }
}

function connectedClient(response: ServerResponse) {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return {
    /** Aborted when the socket closes before the answer is complete. */
    gone: gone.signal,
    send: (reply: HttpReply): void => {
      const { status, headers, text } = rendered(reply);
      response.writeHead(status, headers).end(text);
    },
    /** Sends half of the answer, and destroys the socket. */
    cut: (reply: HttpReply): void => {
      const { status, headers, text } = rendered(reply);
      response.writeHead(status, headers);
      response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
    },
    drop: (): void => {
      response.destroy();
    },
  };
}

function rendered({ status, headers = {}, body }: HttpReply) {
  const isText = typeof body === 'string';
  const text = body === undefined ? '' : isText ? body : JSON.stringify(body);
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  const contentHeaders = status === 204 ? {} : { 'content-length': `${Buffer.byteLength(text)}` };
  return { status, text, headers: { ...(text && { 'content-type': type }), ...contentHeaders, ...headers } };
}
