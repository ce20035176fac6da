/** Sets of members in SQLite. Both ways of looking, by key and by member, are covered by an index (schema.ts). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MemberIndex } from '../../workspaces/member-index.ts';
import { type Database, LIMIT } from './database.ts';

/** @param name of the index; all of them share a table */
export function createSqliteMemberIndex(database: Database, name: string): MemberIndex {
  const added = database.prepare('INSERT OR IGNORE INTO members (name, key, member) VALUES (?, ?, ?)');
  const removed = database.prepare('DELETE FROM members WHERE name = ? AND key = ? AND member = ?');
  const keysOf = database.prepare('SELECT key FROM members WHERE name = ? AND member = ?');
  // No id is empty, so all ids come after the empty text.
  const page = database.prepare(
    `SELECT member FROM members WHERE name = ? AND key = ? AND member > ? ORDER BY member ${LIMIT}`,
  );
  const counted = database.prepare('SELECT count(*) AS count FROM members WHERE name = ? AND key = ?');

  const add = (member: string, keys: readonly string[]) => {
    for (const key of keys) added.run(name, key, member);
  };

  return {
    add: (member, keys) => database.write(() => add(member, keys)),
    keep: (member, keys) =>
      database.write(() => {
        add(member, keys);
        for (const row of keysOf.all(name, member)) {
          const key = String(row['key']);
          if (!keys.includes(key)) removed.run(name, key, member);
        }
      }),
    async members(key, { after, limit }) {
      // SQLite answers synchronously, so yield to other work between two pages.
      if (after !== undefined) await nextTurn();
      return page.all(name, key, after ?? '', limit).map(({ member }) => String(member));
    },
    count: async (key) => Number(counted.get(name, key)?.['count']),
  };
}
