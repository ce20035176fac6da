/** Writes what a storage holds as text, and restores it. */
import { DatabaseSync } from 'node:sqlite';
import { createRedisClient } from '../../src/storage/redis/connection/connection.ts';

const quoted = (value: unknown): string => {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
};

/** @returns statements that make the same file; triggers come last, since the rows of what they write are there, too */
export function dumpSqlite(path: string): string {
  const database = new DatabaseSync(path);
  const made = database
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'")
    .all();
  const rows = made.flatMap(({ type, name }) =>
    type !== 'table'
      ? []
      : database
          .prepare(`SELECT * FROM ${name}`)
          .all()
          .map((row) => insertOf(name, row)),
  );
  const isTrigger = ({ type }: Record<string, unknown>) => type === 'trigger';
  const before = made.filter((each) => !isTrigger(each)).map(({ sql }) => sql);
  const after = made.filter(isTrigger).map(({ sql }) => sql);
  const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
  database.close();
  return `${[...before, ...rows, ...after, `PRAGMA user_version = ${version}`].join(';\n')};\n`;
}

const insertOf = (table: unknown, row: Record<string, unknown>) =>
  `INSERT INTO ${table} VALUES (${Object.values(row).map(quoted).join(', ')})`;

export function restoreSqlite(path: string, text: string): void {
  const database = new DatabaseSync(path);
  database.exec(`BEGIN; ${text} COMMIT;`);
  database.close();
}

type Value =
  | { type: 'string'; value: string }
  | { type: 'hash'; value: Record<string, string> }
  | { type: 'zset'; value: { score: number; value: string }[] };

/** @returns a line of JSON for each key. Keys that expire are left out: they hold limits, and nothing that lasts */
export async function dumpRedis(url: string, prefix: string): Promise<string> {
  const client = createRedisClient({ url });
  await client.connect();
  const lines: string[] = [];
  for (const key of (await client.keys(`${prefix}:*`)).sort()) {
    if ((await client.ttl(key)) >= 0) continue;
    lines.push(JSON.stringify({ key, ...(await typedValueOf(key)) }));
  }
  client.destroy();
  return `${lines.join('\n')}\n`;

  async function typedValueOf(key: string): Promise<Value> {
    const type = await client.type(key);
    if (type === 'string') return { type, value: (await client.get(key)) ?? '' };
    if (type === 'hash') return { type, value: { ...(await client.hGetAll(key)) } };
    if (type === 'zset') return { type, value: await client.zRangeWithScores(key, 0, -1) };
    throw new Error(`${key} is a ${type}`);
  }
}

export async function restoreRedis(url: string, text: string): Promise<void> {
  const client = createRedisClient({ url });
  await client.connect();
  for (const line of text.trim().split('\n')) {
    const { key, ...stored }: { key: string } & Value = JSON.parse(line);
    if (stored.type === 'string') await client.set(key, stored.value);
    else if (stored.type === 'hash') await client.hSet(key, stored.value);
    else await client.zAdd(key, stored.value);
  }
  client.destroy();
}
