/** Stores the locks of the bot and of terminal commands in SQLite. */
import type { DatabaseSync } from 'node:sqlite';
import type { LockTable } from '../locks.ts';

export function createSqliteLockTable(database: DatabaseSync): LockTable {
  const taken = database.prepare(
    `INSERT INTO locks (name, owner, until) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING`,
  );
  const expired = database.prepare('DELETE FROM locks WHERE until <= ?');
  const released = database.prepare('DELETE FROM locks WHERE name = ? AND owner = ?');
  return {
    take: async (name, owner, ms) => {
      const now = Date.now();
      // Locks of ended processes stay until the next caller removes them.
      expired.run(now);
      return taken.run(name, owner, now + ms).changes === 1;
    },
    release: async (name, owner) => void released.run(name, owner),
  };
}
