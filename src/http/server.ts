/** Runs one node:http server for all incoming requests: a table of routes, each with its own limits. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { reportFault } from '../fault.ts';
import type { Log } from '../outbox/ports.ts';
import { type ConnectionLimits, Connections, LIMITS, type Place } from './connections.ts';

/** A request before its body is read. */
export type RequestHead = {
  /** The path and query as received. */
  url: string;
  /** The segment at the star of the route's path, of letters, digits and _ ~ -; empty if that path has no star. */
  parameter: string;
  headers: IncomingHttpHeaders;
};

export type HttpRequest = RequestHead & { body: Buffer };

export type HttpResponse = { status: number; headers?: Record<string, string>; body?: string };

export type Route = {
  /** Node leaves out the body of an answer to HEAD. */
  method: 'GET' | 'HEAD' | 'POST';
  /** An exact path, or one whose last segment is a star: `/events/*`. */
  path: string;
  /** A larger body is answered with 413 before it is read. */
  maxBytes: number;
  /**
   * Refuses a request by its headers, before its body costs anything.
   *
   * @returns the answer; undefined if the body may be read
   */
  refuse?(head: RequestHead): HttpResponse | undefined;
  handle(request: HttpRequest): Promise<HttpResponse>;
};

export function json(status: number, body: object): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

export type HttpServer = {
  /** The routes, for tests that must know every one. */
  routes: readonly Pick<Route, 'method' | 'path'>[];
  /** @returns the port it listens on */
  start(): Promise<number>;
  /** Accepts no more connections, and waits some seconds for the answers under way before it closes their connections. */
  stop(): Promise<void>;
  /** Waits for the requests under way, also those whose connections are closed. */
  idle(): Promise<void>;
};

/**
 * The time in which a request must be complete, from its first byte or, on a new connection, from its accept. Also the time in
 * which a client must read its answer.
 */
const STALLED_MS = 5_000;
/** The interval at which Node looks for incomplete requests whose time is over; its own default is 30 s. */
const CHECK_STALLED_MS = 500;
/** Longer than load balancers keep idle connections (60 s is common), so that they never reuse a closing one. */
const KEEP_ALIVE_MS = 65_000;
/** The time for which a stop leaves connections open that wait for an answer: Slack and the order service give up sooner. */
const STOP_MS = 5_000;
/** Slack and proxies send some twenty. Without a limit 16 KB of headers become 2,000 strings each. */
const MOST_HEADERS = 100;

export function createHttpServer(
  routes: readonly Route[],
  options: { port: number; host: string; log: Log; limits?: ConnectionLimits; stalledMs?: number },
): HttpServer {
  const { log, limits = LIMITS, stalledMs = STALLED_MS } = options;
  const find = finderOf(routes);
  const connections = new Connections(limits, log);
  const answering = new Set<Promise<void>>();
  const server = createServer(
    {
      requestTimeout: stalledMs,
      connectionsCheckingInterval: Math.min(stalledMs, CHECK_STALLED_MS),
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      const place = connections.begin(request.socket);
      const answered = answer(find, request, place, log).then(async (result) => {
        // The rest of a small body has mostly come in the same piece, and its connection can be used again.
        if (!request.complete) await nextTurn();
        place.end();
        // During a stop each connection closes after its answer.
        if (!server.listening) response.setHeader('connection', 'close');
        send(request, response, result, stalledMs);
      });
      answering.add(answered);
      void answered.finally(() => answering.delete(answered));
    },
  );
  server.maxHeadersCount = MOST_HEADERS;
  server.on('connection', (socket) => connections.accept(socket));
  return {
    routes,
    start: () => listen(server, options),
    stop: () => close(server),
    idle: async () => void (await Promise.allSettled(answering)),
  };
}

/** Answers a request. It never rejects. */
async function answer(find: Find, request: IncomingMessage, place: Place, log: Log): Promise<HttpResponse> {
  const found = find((request.url ?? '').split('?', 1)[0] ?? '');
  if (found.length === 0) return json(404, { error: 'not_found' });
  const chosen = found.find(({ route }) => route.method === request.method);
  if (!chosen) {
    const allow = found.map(({ route }) => route.method).join(', ');
    return { ...json(405, { error: 'method_not_allowed' }), headers: { allow } };
  }
  return handle(chosen, request, place, log).catch((error) => {
    // Logs only the pattern, because a URL may hold a code, a state or the id of an endpoint.
    const reference = reportFault(log, error, { route: chosen.route.path });
    return json(500, { error: 'internal', reference });
  });
}

/** The status of an answer to a request whose body was not read. `cut_off`: there is nobody to answer. */
const NO_BODY = { too_large: 413, busy: 503, cut_off: 400 };
type NoBody = keyof typeof NO_BODY;

async function handle(
  { route, parameter }: Found,
  request: IncomingMessage,
  place: Place,
  log: Log,
): Promise<HttpResponse> {
  const head = { url: request.url ?? '', parameter, headers: request.headers };
  const refusal = route.refuse?.(head);
  if (refusal) return refusal;
  const body = await readBody(request, route.maxBytes, place);
  if (typeof body !== 'string') return route.handle({ ...head, body });
  // A body that was cut off is not logged: its sender repeats it, or only connected and hung up, as anybody can.
  if (body !== 'cut_off')
    log.warn({ route: route.path, reason: body }, 'request refused: its body was not read');
  return json(NO_BODY[body], { error: body });
}

/** `parameter`: as in RequestHead. */
type Found = { route: Route; parameter: string };

/** Finds the routes of a path, one for each method. */
type Find = (path: string) => readonly Found[];

const isOpen = ({ path }: Route) => path.endsWith('/*');

/** Prepares the look-up: trying each route for each request took a tenth of the time of a slash command. */
function finderOf(routes: readonly Route[]): Find {
  const exact = routes.filter((route) => !isOpen(route)).map((route) => ({ route, parameter: '' }));
  const byPath = Map.groupBy(exact, ({ route }) => route.path);
  const open = routes.filter(isOpen);
  return (path) =>
    byPath.get(path) ??
    open.flatMap((route) => {
      const parameter = parameterOf(route, path);
      return parameter === undefined ? [] : [{ route, parameter }];
    });
}

/** @returns the segment of a path at the place of the star; undefined if the path is not that of the route */
function parameterOf({ path: pattern }: Route, path: string): string | undefined {
  const prefix = pattern.slice(0, -1);
  // Clients may send a tilde encoded (RFC 3986, section 2.4), which is equivalent (section 6.2.2.2).
  const rest = path.startsWith(prefix) ? path.slice(prefix.length).replaceAll(/%7e/gi, '~') : '';
  return /^[\w~-]+$/.test(rest) ? rest : undefined;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: HttpResponse,
  stalledMs: number,
) {
  // On the same connection, the unread rest of a body would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
  // The network takes a whole answer at once, unless the client does not read what was sent before.
  if (request.socket.writableLength === 0) return;
  const cut = setTimeout(() => request.socket.destroy(), stalledMs);
  response.once('close', () => clearTimeout(cut));
}

/** @throws if the server can't listen. A later error is about one connection that the system could not accept. */
async function listen(
  server: Server,
  { port, host, log }: { port: number; host: string; log: Log },
): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  server.on('error', (err) => log.error({ err }, 'connection not accepted'));
  return (server.address() as AddressInfo).port;
}

/** Closes the server. Node counts a connection without any request as busy, so all are cut after a while. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const cut = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearTimeout(cut);
}

/** The memory of a buffer beside its bytes, so that a body of one-byte chunks is counted as what it costs. */
const CHUNK_BYTES = 256;

/**
 * Reads a request's body, never holding more of it than its route allows. By events: iterating over a stream costs
 * more than the rest of a small request.
 *
 * @param place counts what the body holds
 * @returns the body; or why there is none: it is larger than `maxBytes`, all bodies together hold too much, or it was cut off
 */
async function readBody(request: IncomingMessage, maxBytes: number, place: Place): Promise<Buffer | NoBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too_large';
  const { promise, resolve } = Promise.withResolvers<Buffer | NoBody>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const giveUp = (reason: NoBody) => {
    request.off('data', take).pause();
    free(chunks);
    resolve(reason);
  };
  function take(chunk: Buffer): void {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) giveUp('too_large');
    else if (!place.hold(bytes + chunks.length * CHUNK_BYTES)) giveUp('busy');
  }
  request.on('data', take);
  place.reading(() => giveUp('cut_off'));
  request.once('end', () => {
    place.complete();
    resolve(joined(chunks));
  });
  // The sender has hung up.
  request.once('error', () => giveUp('cut_off'));
  request.once('close', () => giveUp('cut_off'));
  return promise;
}

/** @param chunks empty afterwards */
function joined(chunks: Buffer[]): Buffer {
  const [only] = chunks;
  const body = only && chunks.length === 1 ? only : Buffer.concat(chunks);
  if (body !== only) free(chunks);
  chunks.length = 0;
  return body;
}

/**
 * Gives the memory back at once. V8 would do so at its next collection, which a flood of large buffers does not
 * trigger: they lie outside of its heap, and 2,000 connections that were closed for 8 MB held 170 MB.
 */
function free(chunks: Buffer[]): void {
  for (const { buffer, length } of chunks) {
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === length && !buffer.detached;
    if (isWhole) buffer.transfer(0);
  }
  chunks.length = 0;
}
