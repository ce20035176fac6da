/** Locks in SQLite: between the bot and terminal commands on the same file. */
import type { LockTable } from '../locks.ts';
import type { Database } from './database.ts';

export function createSqliteLockTable(database: Database): LockTable {
  const taken = database.prepare(
    `INSERT INTO locks (name, owner, until) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING`,
  );
  const expired = database.prepare('DELETE FROM locks WHERE until <= ?');
  const released = database.prepare('DELETE FROM locks WHERE name = ? AND owner = ?');
  return {
    take: (name, owner, ms) =>
      database.write(() => {
        const now = Date.now();
        // Those of processes that ended stay until somebody comes by.
        expired.run(now);
        return taken.run(name, owner, now + ms).changes === 1;
      }),
    release: (name, owner) => database.write(() => void released.run(name, owner)),
  };
}
