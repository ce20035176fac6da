/**
 * Connects calls to the order service: a port, which the simulation (test/simulate) implements without a network. No
 * connection is used twice: on a reused one a late or repeated answer to one workspace's call is read as the answer to
 * another's.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildConnector, Client } from 'undici';
import {
  ClaimLostError,
  ConnectionLostError,
  type Exchange,
  exchange,
  type HttpCall,
  type Limits,
  socketsPolled,
  TooLargeError,
} from '../http/exchange.ts';
import type { ClaimGuard } from '../outbox/ports.ts';

export type Transport = {
  /** Makes one call, once. A failure is returned, too. @param guard of the claim that covers the call, if one does */
  send(call: HttpCall, limits: Limits, guard: ClaimGuard | undefined): Promise<Exchange>;
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_MS = 5_000;

/** One error for all calls: undici would create one with a stack for each. */
const OVER = new Error('The call is over.');

/**
 * Opens a connection for each call, and closes it with the call. An idle connection may be closed while a call is written to
 * it, and then nobody knows whether the call was received; here none is idle. The claim is read once the connection is
 * established, when only the write is left.
 */
export function createTransport(origin: string): Transport {
  const connect = createConnector();
  const clients = new Set<Client>();
  return {
    async send(call, limits, guard) {
      let isConnected = false;
      const check = (socket: Socket) => {
        isConnected = true;
        boundAnswers(socket);
        return checkBeforeWriting(socket, guard);
      };
      const client = new Client(origin, {
        // The deadline of exchange.ts covers the whole call.
        headersTimeout: 0,
        bodyTimeout: 0,
        // Without pipelining undici sends "connection: close" and closes the connection after the answer.
        pipelining: 0,
        connect: connectOnce(connect, check),
      });
      clients.add(client);
      try {
        const result = await exchange(client, call, limits, guard?.inTime);
        return attributed(result, { isConnected, guard });
      } finally {
        clients.delete(client);
        void client.destroy(OVER);
      }
    },
    async close() {
      await Promise.all([...clients].map((each) => each.destroy()));
    },
  };
}

/** HTTP/1.1 alone, which exchange.ts relies on. */
const CONNECTION = { timeout: CONNECT_TIMEOUT_MS, maxCachedSessions: 0, allowH2: false };

/** Resumes the newest TLS session. undici holds sessions by weak references, so few survive until the next call. */
function createConnector(): buildConnector.connector {
  let session: Buffer | undefined;
  return (options, callback) => {
    const resumed = session ? { session } : {};
    const connect = buildConnector({ ...CONNECTION, ...resumed });
    connect(options, (...[error, socket]) => {
      if (error) {
        // A service that can't resume the session might refuse each call with it.
        session = undefined;
        return callback(error, null);
      }
      if (socket instanceof TLSSocket) {
        socket.on('session', (given) => {
          session = given;
        });
      }
      callback(null, socket);
    });
  };
}

/**
 * Attributes a failure before the first byte. It is this process's own if the service was reachable but nothing was sent in
 * time, or if the claim did not last (it was read too slowly, or the process was frozen). Otherwise it is that of the connection,
 * if one was made. What is left is a service that can't be reached.
 */
function attributed(
  result: Exchange,
  { isConnected, guard }: { isConnected: boolean; guard: ClaimGuard | undefined },
): Exchange {
  if (result.type === 'answered' || result.sent || result.cause instanceof ClaimLostError) return result;
  const isOurs = (result.timedOut && isConnected) || guard?.inTime() === false;
  if (isOurs) return { ...result, cause: new ClaimLostError('The call was held up before it was written.') };
  return isConnected ? { ...result, cause: new ConnectionLostError(result.cause.message) } : result;
}

/**
 * Connects only once: undici reconnects whenever a connection ends before its request is written.
 *
 * @param check rejects if nothing may be written to the connection
 */
function connectOnce(
  connect: buildConnector.connector,
  check: (socket: Socket) => Promise<void>,
): buildConnector.connector {
  let used = false;
  return (options, callback) => {
    if (used) return callback(new Error('The connection was lost before anything was sent.'), null);
    used = true;
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      check(socket).then(
        () => callback(null, socket),
        (reason) => {
          socket.destroy();
          callback(reason, null);
        },
      );
    });
  };
}

/** Checks a new connection before the write. @throws if nothing may be written to it */
async function checkBeforeWriting(socket: Socket, guard: ClaimGuard | undefined): Promise<void> {
  await checkClaim(guard);
  await socketsPolled();
  // Data that have already arrived can't answer a request that is not sent yet.
  if (socket.readableLength > 0 || !socket.writable) {
    throw new Error('The service spoke or hung up before it was asked.');
  }
}

/** Checks the claim of a call. @throws ClaimLostError if another process holds it by now, or it can't be read */
export async function checkClaim(guard: ClaimGuard | undefined): Promise<void> {
  const isHeld = await guard?.isHeld().catch((cause) => {
    throw new ClaimLostError('The claim could not be read.', { cause });
  });
  if (isHeld === false) throw new ClaimLostError('Somebody else has taken over.');
}

/** More than the largest body (1 MiB) and its headers. */
const MOST_BYTES = 2 * 1024 * 1024;

/**
 * Ends a connection whose answer is too large, whatever it consists of. The limit of a body counts neither extensions of
 * chunks nor interim answers, which undici reads without end: it reads by `socket.read` (lib/dispatcher/client-h1.js).
 */
function boundAnswers(socket: Socket): void {
  const read = socket.read.bind(socket);
  let bytes = 0;
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    bytes += chunk?.length ?? 0;
    if (bytes <= MOST_BYTES) return chunk;
    socket.destroy(new TooLargeError('The answer is too large.'));
    return null;
  };
}
