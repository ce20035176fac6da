/**
 * Bounds what all clients together may occupy: connections, the requests of each, and the memory of bodies. Anybody can connect,
 * so a client that stalls gives way to a new one: the connection of the oldest incomplete request is closed first, then the one
 * that has been idle longest, and never one whose request is complete. The exception is a connection with too many requests.
 */
import type { Socket } from 'node:net';
import type { Log } from '../outbox/ports.ts';

export type ConnectionLimits = {
  connections: number;
  /** The bytes that the body of each request may hold in any case. */
  freeBytes: number;
  /** The bytes that all bodies together may hold beyond that. */
  sharedBytes: number;
  /** The requests of a connection that may be without an answer. */
  requestsOfOne: number;
};

export const LIMITS: ConnectionLimits = {
  // Slack and a load balancer need some dozens.
  connections: 1_000,
  // Nearly everything that Slack and the order service send.
  freeBytes: 16 * 1024,
  sharedBytes: 8 * 1024 * 1024,
  // Neither Slack nor a load balancer sends the next request before it has an answer.
  requestsOfOne: 16,
};

type Connection = {
  socket: Socket;
  /** The number of requests without an answer: a client may send the next request before it has one. */
  requests: number;
  /** The number of these that are complete. */
  complete: number;
  /** The part of `sharedBytes` that its bodies hold. */
  excess: number;
  /** The bytes that its socket had read when the connection became idle. */
  bytesRead: number;
  /** Ends the reading of a body. */
  giveUp: () => void;
};

/**
 * The interval at which idle connections are asked whether a request has begun: Node says so only at the end of its
 * headers.
 */
const FIND_BEGUN_MS = 100;

const DO_NOTHING = () => {};

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #log: Log;
  readonly #open = new Map<Socket, Connection>();
  /** In the order in which their requests began. */
  readonly #incomplete = new Set<Connection>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Connection>();
  #excess = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(limits: ConnectionLimits, log: Log) {
    this.#limits = limits;
    this.#log = log;
  }

  accept(socket: Socket): void {
    const connection = { socket, requests: 0, complete: 0, excess: 0, bytesRead: 0, giveUp: DO_NOTHING };
    const isFull = this.#open.size >= this.#limits.connections;
    // Chosen before the new connection is counted, which gives way only if every other one has a complete request.
    const leaving = isFull ? (this.#firstToLeave() ?? connection) : undefined;
    this.#open.set(socket, connection);
    // A client that connects is about to send: until then its connection counts as an incomplete request.
    this.#incomplete.add(connection);
    socket.once('close', () => this.#forget(connection));
    if (leaving) this.#close(leaving, 'connections');
  }

  /** Begins a request, whose headers have come. */
  begin(socket: Socket): Place {
    const connection = this.#open.get(socket);
    if (!connection) return CLOSED;
    if (connection.requests >= this.#limits.requestsOfOne) {
      this.#close(connection, 'requests');
      return CLOSED;
    }
    let [held, isComplete] = [0, false];
    connection.requests += 1;
    this.#settle(connection);
    return {
      reading: (giveUp) => {
        connection.giveUp = giveUp;
      },
      hold: (bytes) => {
        const before = held;
        held = Math.max(0, bytes - this.#limits.freeBytes);
        return held === before || this.#hold(connection, held - before);
      },
      complete: () => {
        isComplete = true;
        connection.giveUp = DO_NOTHING;
        connection.complete += 1;
        this.#settle(connection);
      },
      end: () => {
        connection.requests -= 1;
        if (isComplete) connection.complete -= 1;
        this.#hold(connection, -held);
        this.#settle(connection);
      },
    };
  }

  /** @returns undefined if every connection holds a complete request */
  #firstToLeave(): Connection | undefined {
    this.#findBegun();
    const [[oldest], [longestIdle]] = [this.#incomplete, this.#idle];
    return oldest ?? longestIdle;
  }

  /** Moves a connection to where it now belongs. An incomplete request keeps its place in the order. */
  #settle(connection: Connection): void {
    if (!this.#open.has(connection.socket)) return;
    this.#idle.delete(connection);
    if (connection.requests > 0 && connection.complete === 0) this.#incomplete.add(connection);
    else this.#incomplete.delete(connection);
    if (connection.requests > 0) return;
    connection.bytesRead = connection.socket.bytesRead;
    this.#idle.add(connection);
  }

  /** Finds the idle connections on which a request has begun. */
  #findBegun(): void {
    const now = performance.now();
    if (now - this.#lookedAt < FIND_BEGUN_MS) return;
    this.#lookedAt = now;
    for (const connection of this.#idle) {
      if (connection.socket.bytesRead === connection.bytesRead) continue;
      this.#idle.delete(connection);
      this.#incomplete.add(connection);
    }
  }

  /** Counts bytes of a body. @returns false if only complete requests hold any, or the connection was closed */
  #hold(connection: Connection, more: number): boolean {
    if (!this.#open.has(connection.socket)) return false;
    connection.excess += more;
    this.#excess += more;
    while (this.#excess > this.#limits.sharedBytes) {
      const oldest = this.#incomplete.values().find(({ excess }) => excess > 0);
      if (!oldest) return false;
      this.#close(oldest, 'bodies');
    }
    return true;
  }

  #close(connection: Connection, full: 'connections' | 'bodies' | 'requests'): void {
    this.#forget(connection);
    connection.socket.destroy();
    // Called here, because the socket emits its close only after everything else that has come in this turn of the event loop.
    connection.giveUp();
    this.#log.warn({ full }, 'connection closed to make room for another');
  }

  #forget(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    this.#incomplete.delete(connection);
    this.#idle.delete(connection);
    this.#excess -= connection.excess;
  }
}

/** A request, from its headers to its answer. */
export type Place = {
  /** The body is being read. @param giveUp called if the connection is closed to make room */
  reading(giveUp: () => void): void;
  /** Counts the body. @param bytes the memory of the body so far @returns false if there is no room for it */
  hold(bytes: number): boolean;
  /** The body has come: from now on the connection is not closed. */
  complete(): void;
  /** The answer is known. */
  end(): void;
};

/** The place of a request whose connection has just been closed. */
const CLOSED: Place = { reading: DO_NOTHING, hold: () => false, complete: DO_NOTHING, end: DO_NOTHING };
