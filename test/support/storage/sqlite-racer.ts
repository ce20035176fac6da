/** A second process, as far as SQLite can tell: writes one record as fast as it can, each time about something else. */
import { parentPort, workerData } from 'node:worker_threads';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { queued, restingEntry } from '../requests/records.ts';

const { path, ref, writes, name } = workerData;
const store = createSqliteRecordStore(openDatabase(path), 'requests', RequestRecord);
await store.create(restingEntry(queued(ref)));
let won = 0;
for (let i = 0; i < writes; i++) {
  const read = await store.get(ref);
  if (!read) throw new Error('the record is gone');
  const reason = `${name} ${i}`;
  const entry = { ...restingEntry({ ...read.record, reason }), subjects: ['order', reason] };
  if ((await store.update(entry, read.record.version)) === 'updated') won += 1;
}
parentPort?.postMessage(won);
