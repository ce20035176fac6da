/**
 * The way to a Redis behind sentinels. node-redis connects a client to one address for life, and BullMQ makes duplicates
 * of the client that it is given; so they are given a socket of this machine, which leads to whichever server is the
 * master by then. Each of their connections is one to the server, and both end together: a client that connects again
 * comes to the new master. Bytes are passed on as they are, so all that clients see to (time-outs, no queue, fences)
 * stays theirs.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { Log } from '../../../requests/ports/ports.ts';
import type { Sentinels } from './address.ts';
import { askSentinels, findMaster, type Master, nameOf } from './master.ts';
import { reasonOf } from './reason.ts';

export type Relay = {
  /** For clients, whose connections to it need no TLS: nobody but this user can open it. */
  path: string;
  /** @throws in one sentence, where there is no master to be found */
  open(log: Log): Promise<void>;
  close(): Promise<void>;
};

const CONNECT_MS = 2_000;
/** How often the sentinels are asked while all seems well: an old master that is cut off from them goes on answering us. */
const WATCH_MS = 1_000;

/** @param url user and password for the master; rediss: is TLS to it */
export function createRelay(url: string, sentinels: Sentinels): Relay {
  const folder = join(tmpdir(), `countermand-${randomBytes(8).toString('hex')}`);
  const path = join(folder, 'redis');
  const report = createReport();
  const find = together(() => findMaster(url, sentinels));
  const links = createLinks(find, url.startsWith('rediss:'), report);
  const server = createServer(links.add);
  let watching: NodeJS.Timeout | undefined;

  /** Sentinels that can't be reached change nothing: only they know of another master. */
  async function watch(): Promise<void> {
    await askSentinels(sentinels).then(links.keep, () => {});
    watching?.refresh();
  }

  return {
    path,
    async open(log) {
      report.to(log);
      await find().catch((error) => {
        throw new Error(`Redis cannot be reached at STORAGE_URL (${reasonOf(error)}).`);
      });
      mkdirSync(folder, { mode: 0o700 });
      server.listen(path);
      await once(server, 'listening');
      watching = setTimeout(watch, WATCH_MS).unref();
    },
    async close() {
      clearTimeout(watching);
      watching = undefined;
      links.keep(undefined);
      if (server.listening) await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Many clients come at once when a master has died: one question is enough for all who come before it is answered. */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/** The connections of clients, each with the one to a server that is joined to it. */
function createLinks(find: () => Promise<Master>, tls: boolean, report: Report) {
  /** By the side of the client; undefined: not joined yet. */
  const links = new Map<Socket, Master | undefined>();

  async function join(client: Socket): Promise<void> {
    const master = await find();
    if (client.destroyed) return;
    links.set(client, master);
    const server = await connectTo(master, tls);
    server.once('close', () => client.destroy());
    client.once('close', () => server.destroy());
    if (client.destroyed) server.destroy();
    server.pipe(client).pipe(server);
    report.found(master);
  }

  return {
    add(client: Socket): void {
      links.set(client, undefined);
      client.on('error', () => {});
      client.once('close', () => links.delete(client));
      join(client).catch((error) => {
        report.lost(error);
        client.destroy();
      });
    },
    /** Ends those that lead to another server. @param master undefined: all of them */
    keep(master: Master | undefined): void {
      for (const [client, to] of links) {
        if (!master || (to && nameOf(to) !== nameOf(master))) client.destroy();
      }
    },
  };
}

/** @throws where there is no connection in time, or its certificate is not good */
async function connectTo({ host, port }: Master, tls: boolean): Promise<Socket> {
  const options = { host, port, noDelay: true, keepAlive: true };
  const socket = (tls ? connectTls(options) : connect(options)).on('error', () => {});
  try {
    await once(socket, tls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

type Report = ReturnType<typeof createReport>;

/** Tells the log which server it is, and once that there is none. */
function createReport() {
  let log: Log | undefined;
  let said: string | undefined;
  return {
    to(given: Log) {
      log = given;
    },
    found(found: Master) {
      const master = nameOf(found);
      if (said !== master) log?.info({ master }, 'the sentinels lead to this Redis');
      said = master;
    },
    lost(error: unknown) {
      if (said !== undefined) log?.warn({ why: reasonOf(error) }, 'the sentinels lead to no Redis');
      said = undefined;
    },
  };
}
