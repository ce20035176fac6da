/** Waits for the replicas of Redis, which replicates only after it has answered. */
import type { RedisClientType } from '@keyv/redis';
import { sharingNext } from '../../in-turn.ts';
import type { Replicated } from '../../outbox/ports.ts';
import { countReplicas, infoField } from './connection/check-server.ts';
import type { RedisConnection } from './connection/connection.ts';

/** All in milliseconds. */
type ReplicaLimits = {
  /** The time-out of the replicas. It is short because Redis serves nothing else on this connection meanwhile. */
  confirm: number;
  /** The time after a time-out in which all work is refused at once: a dead replica must not hold up all commands. */
  refuse: number;
  /** The interval at which a server without replicas is asked again whether it has some. */
  look: number;
};

const LIMITS: ReplicaLimits = { confirm: 400, refuse: 1_000, look: 10_000 };

type Deps = {
  connection: RedisConnection;
  prefix: string;
  /** Whether the address names sentinels. */
  behindSentinels: boolean;
  limits?: ReplicaLimits;
};

/**
 * Replicas are expected behind sentinels, where a failover can happen at any time, and where the server had a replica or
 * demanded one (`min-replicas-to-write`) whenever it was asked since this process has started. A lost replica stays expected:
 * it can be promoted later, without what was written meanwhile.
 */
export function createReplicated({ connection, prefix, behindSentinels, limits = LIMITS }: Deps): Replicated {
  const hasReplicas = createLook(connection, limits);
  const confirm = sharingNext(createConfirm(connection, waitKey(prefix), limits));
  return async (work) => {
    const before = connection.connectionCount();
    const result = await work();
    if (!(behindSentinels || (await hasReplicas()))) return result;
    await confirm();
    // Another server may have taken over, which never had what was read and written before.
    if (connection.connectionCount() !== before)
      throw new Error('The connection to Redis was lost before its replicas had confirmed.');
    return result;
  };
}

/** Asks the server whether it has replicas: on each new connection, and then at intervals, until it has had one. */
function createLook({ read, connectionCount }: RedisConnection, { look }: ReplicaLimits) {
  let expected = false;
  let asked: { connection: number; at: number } | undefined;
  return async (): Promise<boolean> => {
    const isKnown = asked?.connection === connectionCount() && performance.now() - asked.at < look;
    if (expected || isKnown) return expected;
    const asking = { connection: connectionCount(), at: performance.now() };
    expected = (await read(isReplicated)) || expected;
    asked = asking;
    return expected;
  };
}

/** @returns the answer of INFO; '' if the bot's user may not ask, of which the check at the start has warned */
const askReplication = (client: RedisClientType): Promise<string> =>
  client.info('replication').catch((error) => {
    if (!client.isReady) throw error;
    return '';
  });

async function isReplicated(client: RedisClientType): Promise<boolean> {
  const info = await askReplication(client);
  return countReplicas(info) > 0 || infoField(info, 'min_slaves_good_slaves') !== undefined;
}

/** The key that is written for each `WAIT`. While it is there, somebody has waited for replicas within `WAITED_MS`. */
const waitKey = (prefix: string) => `${prefix}:replicated`;

const WAITED_MS = 5 * 60_000;

/**
 * Warns where a process waits for a replica and none follows: a terminal command has seen none, so it waits for none, and its own
 * checks of the storage succeed.
 */
export async function lostReplicas({ read }: RedisConnection, prefix: string): Promise<string[]> {
  const [waited, info] = await read((client) =>
    Promise.all([client.get(waitKey(prefix)), askReplication(client)]),
  );
  if (waited === null || info === '' || countFollowing(info) > 0) return [];
  return [
    'Within the last five minutes a bot has waited for a replica of Redis, and none follows. Unless that bot has been restarted since, it takes and sends nothing until one does. Start the replica, or, if Redis is to have none, restart the bot.',
  ];
}

/** Redis's own limit for a replica that keeps up (`min-replicas-max-lag`). */
const LONGEST_LAG_S = 10;

/** The number of replicas that could be promoted, as the master sees it: they follow it and have reported lately. */
const countFollowing = (info: string): number =>
  [...info.matchAll(/^slave\d+:.*state=online.*lag=(\d+)/gm)].filter(
    ([, lag]) => Number(lag) <= LONGEST_LAG_S,
  ).length;

/**
 * Confirms everything that the server has done so far, on all replicas that keep up: a sentinel can promote any of them,
 * since it knows of their progress only what it last asked. WAIT is about the writes of its own connection
 * (https://redis.io/docs/latest/commands/wait/), so one is made for it; what other connections have written before is
 * replicated before that.
 */
function createConfirm({ read }: RedisConnection, key: string, { confirm, refuse }: ReplicaLimits) {
  let refusedUntil = Number.NEGATIVE_INFINITY;
  let needed = 1;
  return async (): Promise<void> => {
    if (performance.now() < refusedUntil) throw unconfirmed();
    for (let known = 0; known < needed; ) {
      known = needed;
      const [, confirmed, info] = await read((client) =>
        Promise.all([
          // A write, and no script: it does no harm if it arrives too late.
          client.set(key, '1', { expiration: { type: 'PX', value: WAITED_MS } }),
          client.wait(known, confirm),
          askReplication(client),
        ]),
      );
      needed = Math.max(1, countFollowing(info));
      if (confirmed >= needed) return;
    }
    refusedUntil = performance.now() + refuse;
    throw unconfirmed();
  };
}

const unconfirmed = () => new Error('Not all replicas of Redis have confirmed what was written.');
