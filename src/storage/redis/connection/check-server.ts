/** Whether a Redis can be trusted with requests. */
import type { RedisClientType } from '@keyv/redis';

/** What is known of a server; undefined: it may not be asked (an ACL without INFO and CONFIG). */
export type ServerFacts = {
  version: string;
  mode: string;
  role: string;
  evicts: string | undefined;
  appendOnly: boolean | undefined;
  /** When what was appended is written to the disk. */
  fsync: string | undefined;
  /** When snapshots are made; empty: never. */
  snapshots: string | undefined;
  replicas: number | undefined;
  /** How many replicas it must have to take a write. */
  replicasNeeded: number | undefined;
};

/** Redis 7 and Valkey: functions of both are relied on from there on, and older ones are not maintained. */
const OLDEST = 7;

/**
 * @returns what an operator should know, a sentence each
 * @throws in one sentence, where requests would be lost on this server
 */
export async function checkServer(client: RedisClientType): Promise<string[]> {
  return judgeServer(await askServer(client));
}

export function judgeServer(facts: ServerFacts): string[] {
  const refusal = whyNot(facts);
  if (refusal) throw new Error(refusal);
  return [...unreadable(facts), ...forgetful(facts), ...alone(facts)];
}

/** Managed servers often answer no CONFIG, and then nobody here can tell. */
function unreadable({ evicts, appendOnly, fsync }: ServerFacts): string[] {
  const unknown = [
    ...(evicts === undefined ? ['maxmemory-policy is noeviction'] : []),
    ...(appendOnly === undefined ? ['appendonly is yes'] : []),
    ...(appendOnly !== false && fsync === undefined ? ['appendfsync is everysec or always'] : []),
  ];
  if (unknown.length === 0) return [];
  return [
    `Redis has settings that could not be read: see to it that ${unknown.join(', ')}, or requests can be lost, and a call that was made may be made again.`,
  ];
}

/** A Redis that comes back older than it was does not know of decisions and calls any more (invariants 1 and 4). */
function forgetful({ appendOnly, fsync, snapshots }: ServerFacts): string[] {
  if (appendOnly === false && snapshots === '')
    return [
      'Redis writes nothing to its disk: when it ends, all requests are lost, so set appendonly to yes.',
    ];
  if (appendOnly === false)
    return [
      'Redis does not append to a file: after a crash, what was decided since the last snapshot is forgotten and a call that was made may be made again, so set appendonly to yes.',
    ];
  if (appendOnly && fsync === 'no')
    return [
      'Redis leaves it to the system when to write (appendfsync is no): after a crash of the machine, what was decided last is forgotten and a call that was made may be made again, so set it to everysec or always.',
    ];
  return [];
}

/** Writes are copied after they are acknowledged: a master that is cut off takes them, until somebody tells it. */
function alone({ replicas, replicasNeeded }: ServerFacts): string[] {
  if (!replicas || replicasNeeded !== 0) return [];
  return [
    'Redis has replicas, and takes writes without them (min-replicas-to-write is 0): what it takes while it is cut off is forgotten when one of them is promoted, and a call that was made may be made again, so set it to 1.',
  ];
}

function whyNot({ version, mode, role, evicts }: ServerFacts): string | undefined {
  if (Number.parseInt(version, 10) < OLDEST)
    return `Redis ${version} is too old: Redis 7 or Valkey is needed.`;
  if (mode === 'sentinel')
    return 'Redis runs as sentinel at this address: put it into one that begins with redis+sentinel://.';
  if (mode !== 'standalone') return `Redis runs as ${mode}: a single server is needed, not Redis Cluster.`;
  if (role !== 'master')
    return `Redis is a ${role} here: the address of the server that takes writes is needed.`;
  if (evicts !== undefined && evicts !== 'noeviction')
    return `Redis removes keys when its memory is full (maxmemory-policy is ${evicts}), so requests would be lost: set it to noeviction.`;
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
    appendOnly: yesOrNo(config?.['appendonly'] ?? infoField(info, 'aof_enabled')),
    fsync: config?.['appendfsync'],
    snapshots: config?.['save'],
    replicas: number(infoField(info, 'connected_slaves')),
    replicasNeeded: number(config?.['min-replicas-to-write']),
  };
}

/** What not every user may ask. */
function ifAllowed<T>(client: RedisClientType, asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error) => {
    if (!client.isReady) throw error;
    return undefined;
  });
}

function infoField(info: string | undefined, name: string): string | undefined {
  return info
    ?.split('\r\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1);
}

const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));

const yesOrNo = (word: string | undefined) =>
  word === undefined ? undefined : word === 'yes' || word === '1';
