/** The schema of the SQLite file is made once, whole, and by one process only. */
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { OLDEST_READABLE, SCHEMA_VERSION } from '../../../src/storage/storage-version.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

test.for(['uninstalls_subjects', 'requests'])(
  'a file of another program is left as it was, though its table %s has the name of one of ours',
  (table) => {
    const path = join(temporaryFolder(), 'bot.db');
    const foreign = new DatabaseSync(path);
    onTestFinished(() => foreign.close());
    foreign.exec(`CREATE TABLE ${table} (x)`);
    const state = () => [
      foreign.prepare('PRAGMA user_version').get(),
      foreign.prepare('SELECT sql FROM sqlite_schema').all(),
    ];
    const before = state();
    expect(() => openDatabase(path)).toThrow('belongs to another program');
    expect(state()).toEqual(before);
    foreign.exec(`DROP TABLE ${table}`);
    openDatabase(path).close();
    expect(foreign.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION });
  },
);

test.for([
  [OLDEST_READABLE - 1, 'was written by an older version of Countermand'],
  [SCHEMA_VERSION + 1, 'needs a newer version of Countermand'],
] as const)('a file of version %i is refused, and left as it was: it %s', ([version, sentence]) => {
  const path = join(temporaryFolder(), 'bot.db');
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec(`PRAGMA user_version = ${version}`);
  expect(() => openDatabase(path)).toThrow(sentence);
  expect(other.prepare('SELECT sql FROM sqlite_schema').all()).toEqual([]);
});

test('new files may be opened by two processes in the very same moment', async () => {
  const folder = temporaryFolder();
  const paths = Array.from({ length: 100 }, (_, n) => join(folder, `${n}.db`));
  const arrivals = new Int32Array(new SharedArrayBuffer(4));
  const opener = join(import.meta.dirname, '../../support/storage/sqlite-opener.ts');
  const workers = ['one', 'other'].map(() => new Worker(opener, { workerData: { paths, arrivals } }));
  onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.terminate()))));
  const answers = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0]));
  expect(answers).toEqual(['opened', 'opened']);
});
