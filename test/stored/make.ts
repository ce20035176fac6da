/** Makes the fixtures of stored data: records of all shapes in SQLite and in Redis, and what these hold as text. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { openAdapters } from '../../src/compose/adapters.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { SCHEMA_VERSION } from '../../src/storage/storage-version.ts';
import { connectWorkspace } from '../support/connect-workspace.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { configOf, storeOf } from './contents.ts';
import { type Drawn, drawEntries } from './draw-entries.ts';
import { dumpRedis, dumpSqlite } from './dumps.ts';

const PREFIX = 'countermand';

/**
 * Writes `12.sql` and `12.redis.jsonl`, say. Files that exist are kept, since a released version has stored such data.
 *
 * @param plays how many plays of the simulation the records are taken from
 * @returns the number of records
 */
export async function makeFixtures(into: string, plays: number): Promise<number> {
  if (existsSync(join(into, `${SCHEMA_VERSION}.sql`)))
    throw new Error(
      `The fixtures of storage version ${SCHEMA_VERSION} exist, and those of a released version are never changed: raise SCHEMA_VERSION (src/storage/storage-version.ts). If this version is not released yet, delete them first.`,
    );
  const entries = await drawEntries(plays);
  const folder = mkdtempSync(join(tmpdir(), 'countermand-fixtures-'));
  const redis = await startRedisServer();
  try {
    const path = join(folder, 'bot.db');
    await fill(`sqlite:${path}`, entries);
    await fill(`${redis.url}/0?prefix=${PREFIX}`, entries);
    writeFileSync(join(into, `${SCHEMA_VERSION}.sql`), dumpSqlite(path));
    writeFileSync(join(into, `${SCHEMA_VERSION}.redis.jsonl`), await dumpRedis(redis.url, PREFIX));
  } finally {
    await redis.stop();
    rmSync(folder, { recursive: true });
  }
  return entries.length;
}

/** A connection with its token is made as the bot makes it; all other records are written as the simulation has them. */
async function fill(url: string, entries: readonly Drawn[]): Promise<void> {
  const service = await startOrderService({ journal: createJournal() });
  const config = configOf(url, service.url);
  await connectWorkspace(config, service);
  await service.close();
  const { storage, close } = await openAdapters(config);
  await storage.open(SILENT);
  for (const [type, entry] of entries) {
    const made = await storeOf(storage, type).create(entry);
    if (made.type !== 'created') throw new Error(`${type} ${entry.record.id}: ${made.type}`);
  }
  await close();
}
