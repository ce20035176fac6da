/** Whether a Redis can be trusted with requests. */
import type { RedisClientType } from '@keyv/redis';

/** What is known of a server; undefined: it may not be asked (an ACL without INFO and CONFIG). */
export type ServerFacts = {
  version: string;
  mode: string;
  role: string;
  evicts: string | undefined;
  appendOnly: boolean | undefined;
  /** When snapshots are made; empty: never. */
  snapshots: string | undefined;
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
  return [
    ...(facts.evicts === undefined
      ? [
          'Redis does not let its settings be read: see to it that maxmemory-policy is noeviction, or requests can be lost.',
        ]
      : []),
    ...(facts.appendOnly === false && facts.snapshots === ''
      ? ['Redis writes nothing to its disk: when it ends, all requests are lost. Set appendonly to yes.']
      : []),
  ];
}

function whyNot({ version, mode, role, evicts }: ServerFacts): string | undefined {
  if (Number.parseInt(version, 10) < OLDEST)
    return `Redis ${version} is too old: Redis 7 or Valkey is needed.`;
  if (mode !== 'standalone') return `Redis runs as ${mode}: a single server is needed, not Redis Cluster.`;
  if (role !== 'master')
    return `Redis is a ${role} here: the address of the server that takes writes is needed.`;
  if (evicts !== undefined && evicts !== 'noeviction')
    return `Redis removes keys when its memory is full (maxmemory-policy is ${evicts}), so requests would be lost: set it to noeviction.`;
  return undefined;
}

async function askServer(client: RedisClientType): Promise<ServerFacts> {
  const { version, mode, role } = await client.hello();
  const config = await ifAllowed(client, client.configGet(['maxmemory-policy', 'appendonly', 'save']));
  const info = config ? undefined : await ifAllowed(client, client.info());
  return {
    version,
    mode,
    role,
    evicts: config?.['maxmemory-policy'] ?? infoField(info, 'maxmemory_policy'),
    appendOnly: yesOrNo(config?.['appendonly'] ?? infoField(info, 'aof_enabled')),
    snapshots: config?.['save'],
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

const yesOrNo = (word: string | undefined) =>
  word === undefined ? undefined : word === 'yes' || word === '1';
