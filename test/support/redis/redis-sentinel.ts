/** A master, a replica and a sentinel of our own, which fails over soon. */
import { createClient } from '@keyv/redis';
import { expect, onTestFinished } from 'vitest';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { launchSentinel, MASTER } from './sentinel-process.ts';

export { MASTER };

/**
 * A failover takes a second or two. But a sentinel that was kept from running for 2 s does nothing for the next 30 ("TILT mode"),
 * and on a busy machine that happens again and again.
 */
export const FAILOVER = { timeout: 240_000 };

export type Watched = {
  master: RedisServer;
  replica: RedisServer;
  /** HOST:PORT of the sentinel. */
  sentinel: string;
  /** Resolves once the replica has all earlier writes of the master. */
  copied(): Promise<void>;
  /** The time that the master may be silent before it is considered dead. */
  toleratesSilence(ms: number): Promise<void>;
  /** Makes them change their roles, with both alive. */
  failOver(): Promise<void>;
  /** Resolves once the replica takes the writes. */
  promoted(): Promise<void>;
};

/** A master and its replica, without a sentinel. @param options of both servers */
export async function startPair(...options: string[]) {
  const master = await own(options);
  const replica = await startReplica(master.url, ...options);
  const behind = await operator(replica.url);
  const ahead = await operator(master.url);
  /** The lines of the replica's INFO. */
  const replication = async () => (await behind.info('replication')).split('\r\n');
  /**
   * Resolves once the replica has all earlier writes of the master. Up to a second after the link is up, and the master
   * calls the replica online, it sends it none: it waits for its first acknowledgement.
   */
  const copied = async () => {
    await ahead.set('copied', 'yes');
    await expect.poll(() => ahead.wait(1, 1_000), FAILOVER).toBe(1);
  };
  await copied();
  return { master, replica, replication, copied };
}

/** @param options of both servers */
export async function startWatched(...options: string[]): Promise<Watched> {
  const { master, replica, replication, copied } = await startPair(...options);
  const sentinel = await startSentinel(portOf(master.url));
  const client = await operator(`redis://${sentinel}`);
  const replicas = async () => `${await client.sendCommand(['SENTINEL', 'REPLICAS', MASTER])}`;
  await expect.poll(replicas, FAILOVER).toContain('master-link-status,ok');
  return {
    master,
    replica,
    sentinel,
    copied,
    toleratesSilence: async (ms) =>
      void (await client.sendCommand(['SENTINEL', 'SET', MASTER, 'down-after-milliseconds', `${ms}`])),
    async failOver() {
      // A sentinel that runs out of time aborts the failover, even after the replica was promoted: then it makes it a
      // replica again, and the command has to be repeated.
      const named = async () => {
        const [port, flags = ''] = await fieldsOf(client, 'port', 'flags');
        if (port !== portOf(replica.url) && !flags.includes('failover_in_progress'))
          await client.sendCommand(['SENTINEL', 'FAILOVER', MASTER]).catch(() => {});
        return port;
      };
      await expect.poll(named, { ...FAILOVER, interval: 500 }).toBe(portOf(replica.url));
    },
    promoted: () => expect.poll(replication, FAILOVER).toContain('role:master'),
  };
}

/** @returns what a sentinel says of the master, by the names of `SENTINEL MASTER` */
export async function fieldsOf(
  client: Pick<Awaited<ReturnType<typeof operator>>, 'sendCommand'>,
  ...names: string[]
) {
  const reply = (await client.sendCommand<string[]>(['SENTINEL', 'MASTER', MASTER])) ?? [];
  return names.map((name) => reply[reply.indexOf(name) + 1]);
}

/** Connects a client to one server. Its errors are ignored: a test sees from the result of a command that a server is gone. */
export async function operator(url: string) {
  const client = createClient({ url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.destroy());
  return client;
}

export const portOf = (url: string): string => new URL(url).port;

/** @param of the URL of its master */
export const startReplica = (of: string, ...options: string[]): Promise<RedisServer> =>
  own(['--replicaof', '127.0.0.1', portOf(of), ...options]);

async function own(options: readonly string[]): Promise<RedisServer> {
  const server = await startRedisServer(options);
  onTestFinished(server.stop);
  return server;
}

/**
 * Starts a sentinel, which needs no other one to agree with it.
 *
 * @param settings more lines of its file; a port that is set there is its only one
 * @returns HOST:PORT
 */
export async function startSentinel(master: string, settings?: (port: number) => string[]): Promise<string> {
  const { address, stop } = await launchSentinel(master, settings);
  onTestFinished(stop);
  return address;
}
