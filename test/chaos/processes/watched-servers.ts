/** Three Redis servers and a sentinel, which makes one of the others the master when the master goes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@keyv/redis';
import { askSentinels } from '../../../src/storage/redis/connection/master.ts';
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
/** A sentinel that was kept from running for 2 s does nothing for the next 30 ("TILT mode"). */
const TIMEOUT_MS = 45_000;

export async function startWatchedServers(): Promise<WatchedServers> {
  const own = (...options: string[]) =>
    startRedisServer(['--appendfsync', 'always', '--repl-diskless-sync-delay', '0', ...options]);
  const first = await own();
  const following = ['--replicaof', '127.0.0.1', portOf(first)];
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => own(...following)));
  const servers = [first, ...replicas];
  await until(() => isCopied(first));
  const { address, stop } = await launchSentinel(portOf(first));
  const sentinels = { urls: [`redis://${address}`], master: MASTER };
  const master = async () => {
    const { port } = await askSentinels(sentinels);
    return servers.find((server) => portOf(server) === `${port}`) ?? first;
  };
  return {
    sentinel: address,
    async failOver(how, forMs) {
      const former = await master();
      if (how === 'killed') await former.kill();
      else former.pause();
      await Promise.all([sleep(forMs), until(async () => (await master()) !== former)]);
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

/** Whether all replicas have what this master was sent: some follow it for a second before they are sent anything. */
async function isCopied({ url }: RedisServer): Promise<boolean> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.set('copied', 'yes');
    return (await client.wait(REPLICAS, 1_000)) === REPLICAS;
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/** Waits for a condition, or for the time-out: then the run goes on, and its checks find what is wrong. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() < end && !(await isSo().catch(() => false))) await sleep(POLL_MS);
}
