/** Three Redis servers and a sentinel, which makes one of the others the master when the master goes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type RedisClientType } from '@keyv/redis';
import { askSentinels } from '../../../src/storage/redis/connection/relay.ts';
import { type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { launchSentinel, MASTER } from '../../support/redis/sentinel-process.ts';

export type WatchedServers = {
  /** HOST:PORT */
  sentinel: string;
  /**
   * Kills or freezes the master until another server has taken its place; it comes back as a replica. Ends once both
   * replicas follow: a replica that lacks what the other one has confirmed must not be promoted next.
   */
  failOver(how: 'killed' | 'frozen', forMs: number): Promise<void>;
  stop(): Promise<void>;
};

/** Two, so that one is left to confirm writes while the former master is away. */
const REPLICAS = 2;
const POLL_MS = 100;
/** The time that a master may be silent: only one that is killed or frozen on purpose is replaced, not one on a slow disk. */
const FAILOVER_MS = 1_000;
const ALWAYS_MS = 120_000;
/** A sentinel that was kept from running for 2 s does nothing for the next 30 ("TILT mode"). */
const TIMEOUT_MS = 45_000;

export async function startWatchedServers(): Promise<WatchedServers> {
  const own = (...options: string[]) => startRedisServer(['--appendfsync', 'always', ...options]);
  const first = await own();
  const following = ['--replicaof', '127.0.0.1', portOf(first)];
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => own(...following)));
  const servers = [first, ...replicas];
  await until(() => isCopied(first));
  const { address, stop } = await launchSentinel(portOf(first));
  await tolerateSilence(address, ALWAYS_MS);
  const sentinels = { urls: [`redis://${address}`], master: MASTER };
  const master = async () => {
    const { port } = await askSentinels(sentinels);
    return servers.find((server) => portOf(server) === `${port}`) ?? first;
  };
  return {
    sentinel: address,
    async failOver(how, forMs) {
      const former = await master();
      await tolerateSilence(address, FAILOVER_MS);
      if (how === 'killed') await former.kill();
      else former.pause();
      await Promise.all([sleep(forMs), until(async () => (await master()) !== former)]);
      await tolerateSilence(address, ALWAYS_MS);
      if (how === 'killed') await former.restart();
      else former.resume();
      await until(async () => isCopied(await master()));
    },
    async stop() {
      stop();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

const portOf = ({ url }: RedisServer) => new URL(url).port;

/** @param address of the sentinel @param ms the time that the master may be silent before it is considered dead */
async function tolerateSilence(address: string, ms: number): Promise<void> {
  await withClient(`redis://${address}`, (client) =>
    client.sendCommand(['SENTINEL', 'SET', MASTER, 'down-after-milliseconds', `${ms}`]),
  );
}

/** Whether all replicas have what this master was sent: some follow it for a second before they are sent anything. */
const isCopied = ({ url }: RedisServer): Promise<boolean> =>
  withClient(url, async (client) => {
    await client.set('copied', 'yes');
    return (await client.wait(REPLICAS, 1_000)) === REPLICAS;
  });

async function withClient<T>(url: string, work: (client: RedisClientType) => Promise<T>): Promise<T> {
  const client: RedisClientType = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/** Waits for a condition, or for the time-out: then the run goes on, and its checks find what is wrong. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() < end && !(await isSo().catch(() => false))) await sleep(POLL_MS);
}
