/** Stored data of each version since 0.5.0 stay readable: the files beside this one were made by `npm run fixtures`. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { openAdapters } from '../../src/compose/adapters.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { RECORD_TYPES } from '../../src/outbox/record-store.ts';
import { KIND_NAMES } from '../../src/requests/model/kinds.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { OLDEST_READABLE, SCHEMA_VERSION } from '../../src/storage/storage-version.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { configOf, storeOf } from './contents.ts';
import { COPY } from './draw-entries.ts';
import { restoreRedis, restoreSqlite } from './dumps.ts';
import { makeFixtures } from './make.ts';

needsRedis();

/** Of each version that this one reads. */
const RELEASED = globSync(`${import.meta.dirname}/*.sql`)
  .map((path) => Number.parseInt(basename(path), 10))
  .filter((version) => version >= OLDEST_READABLE);

/** The fixtures that this version would have. */
const PRESENT = mkdtempSync(join(tmpdir(), 'countermand-stored-'));
const FEW_PLAYS = 4;

beforeAll(async () => void (await makeFixtures(PRESENT, FEW_PLAYS)));
afterAll(() => rmSync(PRESENT, { recursive: true }));

type Fixture = { version: number; folder: string };
const FIXTURES: Fixture[] = [
  ...RELEASED.map((version) => ({ version, folder: import.meta.dirname })),
  { version: SCHEMA_VERSION, folder: PRESENT },
];

const read = ({ version, folder }: Fixture, kind: string) =>
  readFileSync(join(folder, `${version}.${kind}`), 'utf8');

/** Restore what a version has stored. @returns STORAGE_URL */
const RESTORE: Record<string, (fixture: Fixture) => Promise<string>> = {
  async SQLite(fixture) {
    const path = join(temporaryFolder(), 'bot.db');
    restoreSqlite(path, read(fixture, 'sql'));
    return `sqlite:${path}`;
  },
  async Redis(fixture) {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    await restoreRedis(redis.url, read(fixture, 'redis.jsonl'));
    return `${redis.url}/0?prefix=countermand`;
  },
};

/** @returns how many records of each type the storage has, all of which could be read */
async function readAll(storage: Storage) {
  const counts: Record<string, number> = {};
  for (const type of RECORD_TYPES) {
    const store = storeOf(storage, type);
    counts[type] = 0;
    for (const workspace of await store.workspaces({ after: undefined, limit: 1_000 })) {
      const records = await store.list(workspace, { limit: 10_000 });
      expect(records, `${type} of ${workspace}`).toHaveLength(await store.count(workspace));
      counts[type] += records.length;
    }
  }
  return counts;
}

describe.each(Object.entries(RESTORE))('stored data in %s', (_name, restore) => {
  test.for(FIXTURES)('of storage version $version are read, each record and each secret', async (fixture) => {
    const { storage, connections, installations, close } = await openAdapters(
      configOf(await restore(fixture)),
    );
    onTestFinished(close);
    await storage.open(SILENT);
    expect((await storage.version.read()).oldest).toBe(fixture.version);
    const counts = await readAll(storage);
    for (const type of ['requests', 'notices', 'audit_entries', 'installations', 'tokens'])
      expect(counts[type], type).toBeGreaterThan(0);
    const connection = await connections.find(SEED.team);
    expect(connection && (await connections.token(connection))).toBe(SEED_TOKENS.acme.rest);
    for await (const id of installations.ids()) if (!id.includes(COPY)) await installations.mustOpen(id);
  });
});

test.each(KIND_NAMES)('the newest fixtures have requests of kind %s', (kind) => {
  const newest = { version: Math.max(...RELEASED), folder: import.meta.dirname };
  expect(read(newest, 'sql')).toContain(`"kind":"${kind}"`);
});

test('fixtures that exist are not overwritten', async () => {
  const before = read({ version: SCHEMA_VERSION, folder: PRESENT }, 'sql');
  await expect(makeFixtures(PRESENT, FEW_PLAYS)).rejects.toThrow('raise SCHEMA_VERSION');
  expect(read({ version: SCHEMA_VERSION, folder: PRESENT }, 'sql')).toBe(before);
});

test('the oldest version that is read is the oldest one with fixtures; before the first release, the present one', () => {
  const all = globSync(`${import.meta.dirname}/*.sql`).map((path) => Number.parseInt(basename(path), 10));
  expect(OLDEST_READABLE).toBe(Math.min(SCHEMA_VERSION, ...all));
});
