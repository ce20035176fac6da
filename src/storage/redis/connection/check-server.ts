/** Checks whether a Redis server is safe for requests. */
import type { RedisClientType } from '@keyv/redis';

/** Facts about a server; undefined: not readable (an ACL without INFO and CONFIG). */
export type ServerFacts = {
  version: string;
  mode: string;
  role: string;
  evicts: string | undefined;
  appendOnly: boolean | undefined;
  /** When the appended log is flushed to the disk. */
  fsync: string | undefined;
  /** The times of snapshots, as in the configuration; empty: never. */
  snapshots: string | undefined;
  replicas: number | undefined;
  /** The number of replicas that the server needs to accept a write. If only INFO can be read, 1 stands for one or more. */
  replicasNeeded: number | undefined;
};

/** The minimum version: Redis 7 and Valkey have the functions used here, and older versions are not maintained. */
const OLDEST_VERSION = 7;

/**
 * @returns warnings for the operator, one sentence each
 * @throws in one sentence, if requests could be lost on this server
 */
export async function checkServer(client: RedisClientType): Promise<string[]> {
  return judgeServer(await askServer(client));
}

export function judgeServer(facts: ServerFacts): string[] {
  const refusal = refusalOf(facts);
  if (refusal) throw new Error(refusal);
  return [...unreadableSettings(facts), ...missingDurability(facts), ...unreplicatedWrites(facts)];
}

/** Warns about settings that can't be read: managed servers often answer no CONFIG. */
function unreadableSettings(facts: ServerFacts): string[] {
  const { evicts, appendOnly, fsync, replicas, replicasNeeded } = facts;
  const unknown = [
    ...(evicts === undefined ? ['maxmemory-policy is noeviction'] : []),
    ...(appendOnly === undefined ? ['appendonly is yes'] : []),
    ...(appendOnly !== false && fsync === undefined ? ['appendfsync is everysec or always'] : []),
    ...(replicas !== 0 && replicasNeeded === undefined
      ? ['min-replicas-to-write is 1 where it has replicas']
      : []),
    // Without INFO nothing waits for the replicas (replicated.ts).
    ...(replicas === undefined ? ['the bot may run INFO where it has replicas'] : []),
  ];
  if (unknown.length === 0) return [];
  return [
    `Some settings of Redis could not be read. Make sure that ${unknown.join(', ')}; otherwise requests can be lost, and calls repeated.`,
  ];
}

/** Warns about missing durability: a Redis that restarts with old data has lost decisions and calls (promises 1 and 4). */
function missingDurability({ appendOnly, fsync, snapshots }: ServerFacts): string[] {
  if (appendOnly === false && snapshots === '')
    return ['Redis writes nothing to disk, so all requests are lost when it ends. Set appendonly to yes.'];
  if (appendOnly === false && snapshots === undefined)
    return [
      'Redis does not append what it is told to its file, and whether it writes snapshots could not be read. After a crash, decisions are lost and calls may be repeated. Set appendonly to yes.',
    ];
  if (appendOnly === false)
    return [
      'Redis only writes snapshots. After a crash, decisions since the last one are lost and calls may be repeated. Set appendonly to yes.',
    ];
  if (appendOnly && fsync === 'no')
    return [
      'Redis leaves it to the system when to write (appendfsync is no). After a crash of the machine, the latest decisions are lost and calls may be repeated. Set appendfsync to everysec or always.',
    ];
  return [];
}

/**
 * Warns about unreplicated writes: Redis replicates after acknowledging, so a partitioned master accepts writes until
 * somebody stops it.
 */
function unreplicatedWrites({ replicas, replicasNeeded }: ServerFacts): string[] {
  if (!replicas || replicasNeeded !== 0) return [];
  return [
    'Redis has replicas and accepts writes without them (min-replicas-to-write is 0). Writes that it accepts while it is cut off are lost when a replica is promoted, and calls may be repeated. Set min-replicas-to-write to 1.',
  ];
}

/** The reason why requests could be lost on this server; undefined: there is none. */
function refusalOf({ version, mode, role, evicts }: ServerFacts): string | undefined {
  if (Number.parseInt(version, 10) < OLDEST_VERSION)
    return `Redis ${version} is too old. Use Redis 7 or Valkey.`;
  if (mode === 'sentinel')
    return 'This is the address of a sentinel. Use it in a STORAGE_URL that begins with redis+sentinel://.';
  if (mode !== 'standalone') return `Redis runs as ${mode}. Use a single server, not Redis Cluster.`;
  if (role !== 'master')
    return `This is the address of a Redis ${role}. Use the address of the server that takes writes.`;
  if (evicts !== undefined && evicts !== 'noeviction')
    return `Redis removes keys when its memory is full (maxmemory-policy is ${evicts}), so requests would be lost. Set maxmemory-policy to noeviction.`;
  return undefined;
}

async function askServer(client: RedisClientType): Promise<ServerFacts> {
  const { version, mode, role } = await client.hello();
  const config = await ifAllowed(
    client,
    client.configGet(['maxmemory-policy', 'appendonly', 'appendfsync', 'save', 'min-replicas-to-write']),
  );
  const info = await ifAllowed(client, client.info());
  return {
    version,
    mode,
    role,
    evicts: config?.['maxmemory-policy'] ?? infoField(info, 'maxmemory_policy'),
    appendOnly: toBoolean(config?.['appendonly'] ?? infoField(info, 'aof_enabled')),
    fsync: config?.['appendfsync'],
    snapshots: config?.['save'],
    replicas: info === undefined ? undefined : countReplicas(info),
    replicasNeeded:
      toNumber(config?.['min-replicas-to-write']) ?? (info === undefined ? undefined : toNeeded(info)),
  };
}

/** @returns undefined if the bot's user may not run the command */
function ifAllowed<T>(client: RedisClientType, asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error) => {
    if (!client.isReady) throw error;
    return undefined;
  });
}

const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** INFO has this field only if the server needs replicas to accept a write. */
const toNeeded = (info: string) => (infoField(info, 'min_slaves_good_slaves') === undefined ? 0 : 1);

const toBoolean = (word: string | undefined) =>
  word === undefined ? undefined : word === 'yes' || word === '1';

/** Reads a field of what INFO answers (https://redis.io/docs/latest/commands/info/). */
export function infoField(info: string | undefined, name: string): string | undefined {
  return info
    ?.split('\r\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1);
}

/**
 * Counts the replicas that INFO lists, online or not yet. A client that copies the data once, as `redis-cli --rdb` does for a
 * backup, is listed, too, but has no port (redis/redis#2132) and never comes online: it can't be promoted.
 */
export const countReplicas = (info: string): number =>
  [...info.matchAll(/^slave\d+:.*(?:port=[1-9]|state=online)/gm)].length;
