/** The versions of Countermand that can work on a storage, and the records that an older one leaves alone. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { SILENT } from '../../src/outbox/ports.ts';
import { createReader, readRecord } from '../../src/storage/records.ts';
import { openRedisStorage } from '../../src/storage/redis/open.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createStorageVersion, OLDEST_READABLE, SCHEMA_VERSION } from '../../src/storage/storage-version.ts';
import { bareClient, open as openRedis } from '../support/redis/open-storage.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { queued, restingEntry } from '../support/requests/records.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

needsRedis();

/** `set`: writes the oldest version as a later one does. `again`: opens the storage once more. */
type Opened = { storage: Storage; set: (version: number) => Promise<unknown>; again: () => Promise<unknown> };

const STORAGES: Record<string, () => Promise<Opened>> = {
  async SQLite() {
    const path = join(temporaryFolder(), 'bot.db');
    const storage = openSqliteStorage(path);
    onTestFinished(storage.close);
    const set = async (version: number) => {
      const database = new DatabaseSync(path);
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();
    };
    return { storage, set, again: async () => openSqliteStorage(path).close() };
  },
  async Redis() {
    const storage = await openRedis();
    const client = await bareClient(storage.url);
    const set = (version: number) => client.set(`${storage.prefix}:version`, `${version}`);
    const again = async () => {
      const second = openRedisStorage({ url: storage.url, prefix: storage.prefix });
      onTestFinished(second.close);
      await second.open(SILENT);
    };
    return { storage, set, again };
  },
};

describe.each(Object.entries(STORAGES))('the storage version of %s', (_name, openStorage) => {
  test('is the version of the bot that first opened it, until it is raised', async () => {
    const { storage, again } = await openStorage();
    expect(await storage.version.read()).toEqual({ oldest: SCHEMA_VERSION, own: SCHEMA_VERSION });
    await storage.version.raise();
    await again();
    expect(await storage.version.isRaised(SILENT)).toBe(false);
  });

  test('above that of a bot is told in one sentence, to one that starts and to one that runs', async () => {
    const { storage, set, again } = await openStorage();
    await set(SCHEMA_VERSION + 1);
    await expect(again()).rejects.toThrow(/needs a newer version of Countermand/);
    const error = vi.fn();
    expect(await storage.version.isRaised({ ...SILENT, error })).toBe(true);
    expect(error).toHaveBeenCalledExactlyOnceWith(
      {},
      expect.stringMatching(/needs a newer version of Countermand/),
    );
  });

  test('below what the bot reads is refused at the start', async () => {
    const { set, again } = await openStorage();
    await set(OLDEST_READABLE - 1);
    await expect(again()).rejects.toThrow(/was written by an older version of Countermand/);
  });
});

test('data in Redis that name no version were written before 0.5.0, and are refused', async () => {
  const { requests, url, prefix } = await openRedis();
  await requests.create(restingEntry(queued()));
  await (await bareClient(url)).del(`${prefix}:version`);
  await expect(openRedis({ ...(await emptyRedis()), url, prefix })).rejects.toThrow(/by an older version/);
});

test.each(['connections', 'installations'])(
  'data of 0.4.0 in Redis are refused by its list of %s',
  async (name) => {
    const address = await emptyRedis();
    const client = await bareClient(address.url);
    const list = `${address.prefix}:index:${name}:list:all`;
    // As 0.4.0 has left it.
    await client.zAdd(list, { score: 0, value: 'T1' });
    await expect(openRedis(address)).rejects.toThrow(/by an older version/);
    await client.del(list);
    await expect(openRedis(address)).resolves.toBeDefined();
  },
);

test('a table that an older version did not have is added, and the file stays open to that version', async () => {
  const path = join(temporaryFolder(), 'bot.db');
  await openSqliteStorage(path).close();
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  database.exec('DROP TABLE tasks; DROP TABLE tasks_subjects; DROP TABLE tasks_waiting');
  await openSqliteStorage(path).close();
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'tasks*'").all();
  expect(names.map(({ name }) => name)).toContain('tasks_waiting');
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION });
});

test('what a newer version has added at any depth of a record is kept', () => {
  const schema = z.object({
    id: z.string(),
    steps: z.array(z.object({ n: z.number(), cause: z.union([z.object({ by: z.string() }), z.string()]) })),
    call: z.object({ attempt: z.number().default(0) }).optional(),
  });
  const newer = { id: 'a', x: 1, steps: [{ n: 1, y: [2], cause: { by: 'U1', z: {} } }], call: { w: null } };
  expect(readRecord(schema, JSON.stringify(newer))).toEqual({ ...newer, call: { attempt: 0, w: null } });
  const step = { n: 1, cause: { by: 'U1' } };
  for (const added of [
    { ...step, y: [2] },
    { n: 1, cause: { by: 'U1', z: {} } },
  ]) {
    const deep = { id: 'a', steps: [step, added] };
    expect(readRecord(schema, JSON.stringify(deep))).toEqual(deep);
  }
});

test('a record that is read over and over is parsed again only once it has changed', () => {
  let parsed = 0;
  const schema = z.object({ id: z.string(), n: z.number() }).refine(() => ++parsed > 0);
  const read = createReader('connections', schema);
  const texts = [1, 1, 2, 1].map((n) => JSON.stringify({ id: 'connection', n }));
  expect(texts.map((text) => read(text).n)).toEqual([1, 1, 2, 1]);
  expect(parsed).toBe(2);
});

test('a storage that is unavailable says nothing about its version', async () => {
  const away = () => Promise.reject(new Error('The storage is away.'));
  expect(await createStorageVersion('bot.db', away, away).isRaised(SILENT)).toBe(false);
});
