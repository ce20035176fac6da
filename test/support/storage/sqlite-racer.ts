/**
 * A thread that writes one record as fast as it can. For SQLite it is like another process, since it has a connection of its
 * own.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';

const { path, entry, writes } = workerData;
const { workspace, id } = entry.record;
const store = createSqliteRecordStore(openDatabase(path), 'requests', RequestRecord);
await store.create(entry);
let won = 0;
for (let i = 0; i < writes; i++) {
  const read = await store.get({ workspace, id });
  if (!read) throw new Error('the record is gone');
  const reason = `${Number(read.record.reason) + 1}`;
  const changed = { ...entry, record: { ...read.record, reason }, subjects: ['order', reason] };
  if ((await store.update(changed, read.record.version)).type === 'updated') won += 1;
}
parentPort?.postMessage(won);
