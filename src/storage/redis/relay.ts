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
import type { Log } from '../../requests/ports.ts';
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

type Link = { client: Socket; server?: Socket; to?: string };

/** @param url user and password for the master; rediss: is TLS to it */
export function createRelay(url: string, sentinels: Sentinels, watchMs: number = WATCH_MS): Relay {
  const folder = join(tmpdir(), `countermand-${randomBytes(8).toString('hex')}`);
  const path = join(folder, 'redis');
  const links = new Set<Link>();
  const report = createReport();
  let watching: NodeJS.Timeout | undefined;
  let finding: Promise<Master> | undefined;

  /** Many clients come at once when a master has died. */
  function find(): Promise<Master> {
    finding ??= findMaster(url, sentinels).finally(() => {
      finding = undefined;
    });
    return finding;
  }

  async function serve(client: Socket): Promise<void> {
    const link: Link = { client };
    links.add(link);
    client.on('error', () => {});
    client.once('close', () => {
      links.delete(link);
      link.server?.destroy();
    });
    try {
      const master = await find();
      if (client.destroyed) return;
      link.to = nameOf(master);
      link.server = await connectTo(master, url.startsWith('rediss:'));
      link.server.once('close', () => client.destroy());
      if (client.destroyed) link.server.destroy();
      link.server.pipe(client);
      client.pipe(link.server);
      report.found(link.to);
    } catch (error) {
      report.lost(error);
      client.destroy();
    }
  }

  /** Sentinels that can't be reached change nothing: only they know of another master. */
  async function watch(): Promise<void> {
    const master = await askSentinels(sentinels).then(nameOf, () => undefined);
    for (const { client, to } of links) if (master && to && to !== master) client.destroy();
    watching?.refresh();
  }

  const server = createServer((client) => void serve(client));
  return {
    path,
    async open(log) {
      report.to(log);
      await find().catch((error) => {
        throw new Error(`Redis cannot be reached (${reasonOf(error)}).`);
      });
      mkdirSync(folder, { mode: 0o700 });
      server.listen(path);
      await once(server, 'listening');
      watching = setTimeout(watch, watchMs).unref();
    },
    async close() {
      clearTimeout(watching);
      watching = undefined;
      for (const { client } of links) client.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
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

/** Tells the log which server it is, and once that there is none. */
function createReport() {
  let log: Log | undefined;
  let said: string | undefined;
  return {
    to(given: Log) {
      log = given;
    },
    found(master: string) {
      if (said !== master) log?.info({ master }, 'the sentinels lead to this Redis');
      said = master;
    },
    lost(error: unknown) {
      if (said !== undefined) log?.warn({ why: reasonOf(error) }, 'the sentinels lead to no Redis');
      said = undefined;
    },
  };
}
