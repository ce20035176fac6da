/** Runs one node:http server for all incoming requests: a table of routes, each with its own limits. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportFault } from '../fault.ts';
import type { Log } from '../requests/ports/ports.ts';
import { type HttpResponse, json, type Route } from './route.ts';

export type HttpServer = {
  /** The routes, for tests that must know every one. */
  routes: readonly Pick<Route, 'method' | 'path'>[];
  /** @returns the port it listens on */
  start(): Promise<number>;
  /** Accepts no more connections, and waits for the answers under way. */
  stop(): Promise<void>;
};

/** Slow requests must not occupy a socket. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Longer than load balancers keep idle connections (60 s is common), so that they never reuse a closing one. */
const KEEP_ALIVE_MS = 65_000;
/** The time that a stop waits for answers under way: Slack and the order service give up sooner. */
const STOP_MS = 5_000;

export function createHttpServer(
  routes: readonly Route[],
  options: { port: number; host: string; log: Log },
): HttpServer {
  const find = finderOf(routes);
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      answer(find, request, options.log).then((result) => {
        // During a stop each connection closes after its answer.
        if (!server.listening) response.setHeader('connection', 'close');
        send(request, response, result);
      });
    },
  );
  return { routes, start: () => listen(server, options), stop: () => close(server) };
}

/** Answers a request. It never rejects. */
async function answer(find: Find, request: IncomingMessage, log: Log): Promise<HttpResponse> {
  const here = find((request.url ?? '').split('?', 1)[0] ?? '');
  if (here.length === 0) return json(404, { error: 'not_found' });
  const chosen = here.find(({ route }) => route.method === request.method);
  if (!chosen) {
    const allow = here.map(({ route }) => route.method).join(', ');
    return { ...json(405, { error: 'method_not_allowed' }), headers: { allow } };
  }
  const { route, parameter } = chosen;
  return take(route, parameter, request).catch((error) => {
    // Logs only the pattern, because a URL may hold a code, a state or the id of an endpoint.
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

/**
 * Reads a request's body, never holding more of it than its route allows. By events: iterating over a stream costs
 * more than the rest of a small request.
 *
 * @returns the body; undefined where it is larger than `maxBytes`, or was cut off
 */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', function take(chunk: Buffer) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= maxBytes) return;
    request.off('data', take).pause();
    resolve(undefined);
  });
  request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
  // The sender has hung up: there is nobody to answer.
  request.once('error', () => resolve(undefined));
  request.once('close', () => resolve(undefined));
  return promise;
}

/** Finds the routes of a path, one for each method. `parameter`: the decoded open segment, or '' for an exact route. */
type Find = (path: string) => readonly { route: Route; parameter: string }[];

const isOpen = ({ path }: Route) => path.endsWith('/*');

function finderOf(routes: readonly Route[]): Find {
  const exact = routes.filter((route) => !isOpen(route)).map((route) => ({ route, parameter: '' }));
  const byPath = Map.groupBy(exact, ({ route }) => route.path);
  const open = routes.filter(isOpen);
  return (path) =>
    byPath.get(path) ??
    open.flatMap((route) => {
      const parameter = openSegment(route.path, path);
      return parameter === undefined ? [] : [{ route, parameter }];
    });
}

/** @returns undefined if the path does not match */
function openSegment(pattern: string, path: string): string | undefined {
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
  // An unread rest of a body would be taken for the next request.
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

/** Closes the server. Node counts a connection without any request as busy, so all are cut after a while. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearTimeout(cut);
}
