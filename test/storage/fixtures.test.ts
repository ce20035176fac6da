/** Reads data that older versions have written. */
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { SILENT } from '../../src/cli/command.ts';
import { TIMINGS } from '../../src/requests/model/pending-effects.ts';
import { RequestRecord } from '../../src/requests/model/record.ts';
import { WorkspaceNotification } from '../../src/requests/model/workspace-notification.ts';
import type { Entry, RecordStore, Stored } from '../../src/requests/ports/record-store.ts';
import { entryOf, notificationEntry } from '../../src/requests/store/entry.ts';
import { UninstallRecord, uninstallEntry } from '../../src/workspaces/installation/uninstall-record.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { CONTENT as WRITTEN_BY_0_4_0 } from './fixtures/0.4.0/content.ts';
import { read } from './fixtures/read.ts';
import { type Content, openStores } from './fixtures/stores.ts';
import { unseen } from './fixtures/unseen.ts';

needsRedis(true);

const VERSIONS: Record<string, Content> = { '0.4.0': WRITTEN_BY_0_4_0 };
const NEWEST = WRITTEN_BY_0_4_0;

/** Bots write into what they open: a copy. @returns its folder */
function copyOf(version: string, file: string): string {
  const folder = temporaryFolder();
  copyFileSync(join(import.meta.dirname, 'fixtures', version, file), join(folder, file));
  return folder;
}

const STORAGES = {
  'countermand.db': async (version: string) =>
    `sqlite:${join(copyOf(version, 'countermand.db'), 'countermand.db')}`,
  'dump.rdb': async (version: string) => {
    // A server that keeps a log of writes would not load the dump.
    const options = ['--dir', copyOf(version, 'dump.rdb'), '--appendonly', 'no'];
    const server = await startRedisServer(options);
    onTestFinished(server.stop);
    return server.url;
  },
};

const FIXTURES = Object.entries(VERSIONS).flatMap(([version, content]) =>
  Object.entries(STORAGES).map(([file, start]) => ({ version, file, content, start })),
);

describe.for(FIXTURES)('the $file of version $version', ({ version, file, content, start }) => {
  async function open() {
    const stores = await openStores(await start(version), content.at);
    onTestFinished(stores.close);
    await stores.storage.open(SILENT);
    return stores;
  }

  test('is read, all of it, as it was written', async () => {
    expect(await read(await open(), content)).toEqual(content);
  });

  test('lists every record under all that it is found by, and nothing else', async () => {
    const { storage } = await open();
    await expectListed(storage.requests, content.requests, (record) => entryOf(record, TIMINGS));
    await expectListed(storage.workspaceNotifications, content.workspaceNotifications, notificationEntry);
    await expectListed(storage.uninstalls, content.uninstalls, uninstallEntry);
  });

  test('knows which workspaces are connected, installed and of one organization, and which share a token', async () => {
    const { connections, installations, organizations } = await open();
    expect((await Array.fromAsync(installations.ids())).sort()).toEqual(['E1', 'T1']);
    expect((await Array.fromAsync(connections.ids())).sort()).toEqual(['T1', 'T2', 'T3']);
    const first = await connections.find('T1');
    expect(first && (await Array.fromAsync(connections.sharing(first)))).toEqual(['T2']);
    expect(await Array.fromAsync(connections.disconnected())).toEqual(['T3']);
    expect((await Array.fromAsync(organizations.workspaces('E1'))).sort()).toEqual(['T4', 'T8']);
  });

  test('can be written on', async () => {
    const { storage } = await open();
    for (const record of content.requests) {
      const next = { ...record, reason: 'Changed' };
      expect(await storage.requests.update(entryOf(next, TIMINGS), record.version)).toBe('updated');
      const version = record.version + 1;
      expect((await storage.requests.get(record))?.record).toEqual({ ...next, version });
    }
  });

  test('is small', () => {
    expect(statSync(join(import.meta.dirname, 'fixtures', version, file)).size).toBeLessThan(200_000);
  });
});

/** More than there are. */
const ALL = 1_000;

async function expectListed<R extends Stored>(
  store: RecordStore<R>,
  records: readonly R[],
  entry: (record: R) => Entry<R>,
): Promise<void> {
  const entries = records.map(entry);
  const refs = (list: readonly Stored[]) => list.map(({ workspace, id }) => `${workspace} ${id}`).sort();
  const recordsOf = (list: readonly Entry<R>[]) => list.map(({ record }) => record);
  // All of it happened long ago.
  expect(refs((await store.due(ALL)) as Stored[])).toEqual(
    refs(recordsOf(entries.filter(({ dueAt }) => dueAt !== undefined && dueAt < Date.now()))),
  );
  for (const [workspace, own] of Map.groupBy(entries, ({ record }) => record.workspace)) {
    expect(refs(await store.list(workspace, { limit: ALL }))).toEqual(refs(recordsOf(own)));
    const holding = own.filter(({ slot }) => slot !== undefined);
    expect(refs(await store.listHolding(workspace, ALL))).toEqual(refs(recordsOf(holding)));
    for (const subject of new Set(own.flatMap(({ subjects }) => subjects))) {
      const about = own.filter(({ subjects }) => subjects.includes(subject));
      const { records } = await store.listBySubject(workspace, subject, ALL);
      expect(refs(records)).toEqual(refs(recordsOf(about)));
    }
  }
}

describe('the fixtures of the newest version', () => {
  const Records = z.object({
    requests: z.array(RequestRecord),
    workspaceNotifications: z.array(WorkspaceNotification),
    uninstalls: z.array(UninstallRecord),
  });
  // "withheld" is for what is shown, and is never stored.
  const missing = (content: Content) =>
    unseen(Records, [content]).filter((path) => !path.endsWith(' withheld'));

  test('hold every field, choice and word that a record can have', () => {
    expect(missing(NEWEST)).toEqual([]);
  });

  test.each<[string, (record: RequestRecord) => boolean]>([
    ['closed', ({ state }) => state === 'closed'],
    ['problem', ({ approval }) => approval?.problem !== undefined],
    ['tidy', ({ claim }) => claim?.effect === 'tidy'],
  ])('would be found to lack %s', (name, isOne) => {
    const requests = NEWEST.requests.filter((record) => !isOne(record));
    expect(missing({ ...NEWEST, requests })).toContainEqual(expect.stringMatching(`[ .]${name}$`));
  });
});
