/** A second process, as far as SQLite can tell: reads and writes one record as fast as it can. */
import { parentPort, workerData } from 'node:worker_threads';
import { RequestRecord } from '../../src/requests/record.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../src/storage/sqlite/record-store.ts';
import { restingEntry } from './records.ts';

const { path, ref, writes } = workerData;
const store = createSqliteRecordStore(openDatabase(path), 'requests', RequestRecord);
let won = 0;
for (let i = 0; i < writes; i++) {
  const read = await store.get(ref);
  if (!read) throw new Error('the record is gone');
  if ((await store.update(restingEntry(read.record), read.record.version)) === 'updated') won += 1;
}
parentPort?.postMessage(won);
