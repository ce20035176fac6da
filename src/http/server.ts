/** One node:http server for everything that comes in: a table of routes, with caps on every one of them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportFault } from '../fault.ts';
import type { Log } from '../requests/ports/ports.ts';
import { readBody } from './body.ts';
import { type HttpResponse, json, type Route } from './route.ts';

export type HttpServer = {
  /** What it serves, for tests that must know of every route. */
  routes: readonly Pick<Route, 'method' | 'path'>[];
  /** @returns the port it listens on */
  start(): Promise<number>;
  /** Takes no more connections, and waits for the answers under way. */
  stop(): Promise<void>;
};

/** A request that dribbles in is not worth a socket. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Longer than load balancers keep idle connections (60 s is common), so that they never reuse a closing one. */
const KEEP_ALIVE_MS = 65_000;
/** How long answers under way are waited for at a stop: Slack and the order service give up sooner. */
const STOP_MS = 5_000;

export function createHttpServer(
  routes: readonly Route[],
  options: { port: number; host: string; log: Log },
): HttpServer {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      answer(routes, request, options.log).then((result) => {
        // Once it stops, no connection is kept: each one closes after its answer.
        if (!server.listening) response.setHeader('connection', 'close');
        send(request, response, result);
      });
    },
  );
  return { routes, start: () => listen(server, options), stop: () => close(server) };
}

/** Never a rejection. */
async function answer(routes: readonly Route[], request: IncomingMessage, log: Log): Promise<HttpResponse> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const found = routes.map((route) => ({ route, parameter: match(route.path, path) }));
  const here = found.filter(({ parameter }) => parameter !== undefined);
  if (here.length === 0) return json(404, { error: 'not_found' });
  const chosen = here.find(({ route }) => route.method === request.method);
  if (!chosen) {
    const allow = here.map(({ route }) => route.method).join(', ');
    return { ...json(405, { error: 'method_not_allowed' }), headers: { allow } };
  }
  const { route, parameter = '' } = chosen;
  return take(route, parameter, request).catch((error) => {
    // The pattern alone: an address may hold a code, a state, or the id of an endpoint.
    const reference = reportFault(log, error, { route: route.path });
    return json(500, { error: 'internal', reference });
  });
}

async function take(route: Route, parameter: string, request: IncomingMessage): Promise<HttpResponse> {
  if (route.mediaTypes && !route.mediaTypes.includes(mediaType(request))) {
    return json(415, { error: 'unsupported_media_type' });
  }
  const body = await readBody(request, route.maxBytes);
  if (!body) return json(413, { error: 'too_large' });
  return route.handle({ url: request.url ?? '', parameter, headers: request.headers, body });
}

/** @returns the decoded open segment, or '' for an exact route; undefined where the path is another one */
function match(pattern: string, path: string): string | undefined {
  if (!pattern.endsWith('/*')) return pattern === path ? '' : undefined;
  const prefix = pattern.slice(0, -1);
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : '';
  return /^[\w~-]+$/.test(rest) ? rest : undefined;
}

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: HttpResponse,
) {
  // A body that was not read to its end would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function listen(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** A connection on which nothing was ever sent counts as busy for Node: after a while they are all cut. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearTimeout(cut);
}
