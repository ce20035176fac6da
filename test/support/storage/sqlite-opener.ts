/**
 * A thread that opens new files at the same moment as another thread. For SQLite it is like another process, since it has
 * connections of its own.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';

const { paths, arrivals } = workerData;
for (const [n, path] of paths.entries()) {
  Atomics.add(arrivals, 0, 1);
  while (Atomics.load(arrivals, 0) < 2 * (n + 1));
  openDatabase(path).close();
}
parentPort?.postMessage('opened');
