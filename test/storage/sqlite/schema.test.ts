/** A file that an older version of Countermand has written is read on, with all that is in it. */
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newNotice } from '../../../src/requests/model/workspace-notification.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { STEPS } from '../../../src/storage/sqlite/schema.ts';
import { event, queued, restingEntry, T0 } from '../../support/records.ts';
import { temporaryFolder } from '../../support/stores.ts';

/** As version 1 made them: written out, because no later change of the code may change them. */
const TABLE_OF_VERSION_1 = `
  CREATE TABLE IF NOT EXISTS %s (
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    slot TEXT,
    due_at INTEGER,
    record TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS %s_slot ON %s (workspace, slot) WHERE slot IS NOT NULL;
  CREATE INDEX IF NOT EXISTS %s_due ON %s (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS %s_subject ON %s (workspace, subject, at);
  CREATE INDEX IF NOT EXISTS %s_at ON %s (workspace, at, id);
`;
const VERSION_1 = `
  ${TABLE_OF_VERSION_1.replaceAll('%s', 'requests')}
  ${TABLE_OF_VERSION_1.replaceAll('%s', 'notices')}
  CREATE TABLE IF NOT EXISTS keyv (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS keyv_expires ON keyv (expires_at) WHERE expires_at IS NOT NULL;
`;

const STRANGE = 'B"\n\u0000😀';
const REQUESTS = [
  queued({ id: 'first' }),
  queued({ id: 'second' }, T0 + 1),
  queued({ id: 'third', target: STRANGE }),
  queued({ id: 'first', workspace: 'T2' }),
];
const NOTICE = newNotice({ workspace: 'T1', kind: 'cancel_order', event: event(), channel: 'C9' }, T0);

/** Of the requests the first ones hold their slots; all of them owe something. */
function oldFile(): string {
  const path = join(temporaryFolder(), 'bot.db');
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; ${VERSION_1} PRAGMA user_version = 1;`);
  const insert = database.prepare('INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const record of REQUESTS) {
    const { workspace, id, version, target, askedAt } = record;
    const slot = id === 'first' ? `order:${target}` : null;
    insert.run(workspace, id, version, `order:${target}`, askedAt, slot, 1, JSON.stringify(record));
  }
  database
    .prepare("INSERT INTO notices VALUES ('T1', ?, 1, 'A-1001', ?, NULL, 1, ?)")
    .run(NOTICE.id, T0, JSON.stringify(NOTICE));
  database.exec(`INSERT INTO keyv VALUES ('settings:T1', '{"value":1}', NULL)`);
  database.close();
  return path;
}

function open(path: string) {
  const storage = openSqliteStorage(path);
  onTestFinished(storage.close);
  return storage;
}

describe('a file of version 1', () => {
  test('loses nothing', async () => {
    const { requests, notices, keyv } = open(oldFile());
    const [first, second, third, elsewhere] = REQUESTS;
    for (const record of REQUESTS) expect((await requests.get(record))?.record).toEqual(record);
    expect(await requests.list('T1', { limit: 9 })).toEqual([second, third, first]);
    expect(await requests.listBySubject('T1', 'order:A-1001', 9)).toEqual([second, first]);
    expect(await requests.listBySubject('T1', `order:${STRANGE}`, 9)).toEqual([third]);
    expect(await requests.listBySubject('T2', 'order:A-1001', 9)).toEqual([elsewhere]);
    expect(await requests.listHolding('T1', 9)).toEqual([first]);
    expect(await requests.due(9)).toHaveLength(4);
    expect(await notices.listBySubject('T1', 'A-1001', 9)).toEqual([NOTICE]);
    expect(await notices.due(9)).toHaveLength(1);
    expect(await keyv('settings').get('T1')).toBe(1);
  });

  test('has records that are written and removed like any other', async () => {
    const { requests } = open(oldFile());
    const under = (subject: string) => requests.listBySubject('T1', subject, 9);
    const [first = queued(), second, third = queued()] = REQUESTS;
    await requests.update({ ...restingEntry(first), subjects: ['message:1.0001'] }, 1);
    await requests.update({ ...restingEntry(third), subjects: [] }, 1);
    expect(await under('order:A-1001')).toEqual([second]);
    expect(await under('message:1.0001')).toEqual([{ ...first, version: 2 }]);
    expect(await under(`order:${STRANGE}`)).toEqual([]);
    await requests.remove({ workspace: 'T1', id: 'second' });
    expect(await under('order:A-1001')).toEqual([]);
  });

  test('is left as it was where it cannot be brought to this version', () => {
    const path = oldFile();
    const old = new DatabaseSync(path);
    onTestFinished(() => old.close());
    const state = () => [
      old.prepare('PRAGMA user_version').get(),
      old.prepare('SELECT sql FROM sqlite_schema').all(),
      old.prepare('SELECT * FROM requests').all(),
    ];
    old.exec('CREATE TABLE notices_subjects (x)');
    const before = state();
    expect(() => openDatabase(path)).toThrow('notices_subjects');
    expect(state()).toEqual(before);
    old.exec('DROP TABLE notices_subjects');
    openDatabase(path).close();
    expect(old.prepare('PRAGMA user_version').get()).toEqual({ user_version: STEPS.length });
  });

  test('that was not finished when its process ended is finished', async () => {
    const path = join(temporaryFolder(), 'bot.db');
    const database = new DatabaseSync(path);
    database.exec(TABLE_OF_VERSION_1.replaceAll('%s', 'requests'));
    database.close();
    const { requests, notices } = open(path);
    await requests.create(restingEntry(queued()));
    expect(await requests.listBySubject('T1', 'order:a-1001', 9)).toEqual([queued()]);
    expect(await notices.list('T1', { limit: 9 })).toEqual([]);
  });

  test('may be opened by two processes at once', { timeout: 30_000 }, async () => {
    const path = oldFile();
    const racer = join(import.meta.dirname, '../../support/sqlite-racer.ts');
    const ref = { workspace: 'T1', id: 'second' };
    const workers = ['one', 'other'].map(
      (name) => new Worker(racer, { workerData: { path, ref, writes: 5, name } }),
    );
    const won = await Promise.all(workers.map(async (worker) => Number((await once(worker, 'message'))[0])));
    const { requests } = open(path);
    expect((await requests.get(ref))?.record.version).toBe(1 + (won[0] ?? 0) + (won[1] ?? 0));
    expect(await requests.list('T1', { limit: 9 })).toHaveLength(3);
  });
});
