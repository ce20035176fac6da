/**
 * Records in SQLite, a table for each kind of them, with compare-and-set by their version. Each write is one statement,
 * which succeeds or fails as a whole beside the others of its commit: triggers of schema.ts list the record under its
 * subjects within it.
 */
import type { StatementSync } from 'node:sqlite';
import type { z } from 'zod';
import type {
  Creation,
  Cursor,
  Entry,
  RecordRef,
  RecordStore,
  Stored,
} from '../../requests/ports/record-store.ts';
import { DUE_LOOKED_AT } from '../due.ts';
import { subjectList } from '../subjects.ts';
import { type Database, LIMIT } from './database.ts';

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE (https://www.sqlite.org/rescode.html). */
const TAKEN_CODES: ReadonlySet<unknown> = new Set([1555, 2067]);

/** The tables of schema.ts. */
export type Table = 'requests' | 'workspace_notifications' | 'uninstalls';

const statements = (table: Table) => ({
  insert: `INSERT INTO ${table} (workspace, id, version, subjects, at, slot, due_at, record)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  replace: `UPDATE ${table} SET version = ?, subjects = ?, slot = ?, due_at = ?, record = ?
    WHERE workspace = ? AND id = ? AND version = ?`,
  remove: `DELETE FROM ${table} WHERE workspace = ? AND id = ?`,
  removeVersion: `DELETE FROM ${table} WHERE workspace = ? AND id = ? AND version = ?`,
  removeSome: `DELETE FROM ${table} WHERE workspace = ?1 AND id IN
    (SELECT id FROM ${table} WHERE workspace = ?1 LIMIT ?2)`,
  count: `SELECT count(*) AS count FROM ${table} WHERE workspace = ?`,
  byId: `SELECT record FROM ${table} WHERE workspace = ? AND id = ?`,
  bySlot: `SELECT record FROM ${table} WHERE workspace = ? AND slot = ?`,
  bySubject: `SELECT record FROM ${table}_subjects AS listed JOIN ${table} USING (workspace, id)
    WHERE workspace = ? AND subject = ? ORDER BY listed.at DESC, listed.id DESC ${LIMIT}`,
  holding: `SELECT record FROM ${table} WHERE workspace = ? AND slot IS NOT NULL ${LIMIT}`,
  page: `SELECT record FROM ${table} WHERE workspace = ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC ${LIMIT}`,
  due: `SELECT workspace, id FROM (
      SELECT workspace, id, due_at, row_number() OVER (PARTITION BY workspace ORDER BY due_at) AS turn
      FROM (SELECT workspace, id, due_at FROM ${table} WHERE due_at <= ? ORDER BY due_at LIMIT ${DUE_LOOKED_AT}))
    ORDER BY turn, due_at ${LIMIT}`,
  postpone: `UPDATE ${table} SET due_at = MAX(due_at, ?) WHERE workspace = ? AND id = ? AND due_at IS NOT NULL`,
});

/** Sorts after every record. */
const FROM_THE_NEWEST: Cursor = { at: Number.MAX_SAFE_INTEGER, id: '' };

/**
 * @param schema parses what is read, because another version may have written it
 * @param clock epoch milliseconds: the store's clock is the machine's
 */
export function createSqliteRecordStore<R extends Stored>(
  database: Database,
  table: Table,
  schema: z.ZodType<R>,
  clock: () => number = Date.now,
): RecordStore<R> {
  const prepared = prepareAll(database, statements(table));
  const read = (row: Record<string, unknown>): R => schema.parse(JSON.parse(String(row['record'])));
  const { create, update, remove } = writers(prepared, read);
  return {
    now: async () => clock(),
    create: (entry) => database.write(() => create(entry)),
    get: async ({ workspace, id }) => {
      const row = prepared.byId.get(workspace, id);
      return row && { record: read(row), now: clock() };
    },
    update: (entry, expected) => database.write(() => update(entry, expected)),
    remove: (ref, expected) => database.write(() => remove(ref, expected)),
    removeSome: (workspace, limit) =>
      database.write(() => Number(prepared.removeSome.run(workspace, limit).changes)),
    count: async (workspace) => Number(prepared.count.get(workspace)?.['count']),
    due: async (limit) => prepared.due.all(clock(), limit).map((row) => ({ ...row }) as RecordRef),
    postpone: ({ workspace, id }, ms) =>
      database.write(() => void prepared.postpone.run(clock() + ms, workspace, id)),
    listBySubject: async (workspace, subject, limit) => ({
      records: prepared.bySubject.all(workspace, subject, limit).map(read),
      now: clock(),
    }),
    listHolding: async (workspace, limit) => prepared.holding.all(workspace, limit).map(read),
    list: async (workspace, { before = FROM_THE_NEWEST, limit }) =>
      prepared.page.all(workspace, before.at, before.id, limit).map(read),
  };
}

type Prepared = Record<keyof ReturnType<typeof statements>, StatementSync>;

function writers<R extends Stored>(prepared: Prepared, read: (row: Record<string, unknown>) => R) {
  function conflictOf({ record: { workspace, id }, slot }: Entry<R>): Creation<R> | undefined {
    const same = prepared.byId.get(workspace, id);
    if (same) return { type: 'exists', record: read(same) };
    const holder = slot === undefined ? undefined : prepared.bySlot.get(workspace, slot);
    return holder && { type: 'slot_taken', by: read(holder) };
  }

  function create(entry: Entry<R>): Creation<R> {
    const { record, subjects, at, slot, dueAt } = entry;
    const row = [
      record.workspace,
      record.id,
      record.version,
      subjectList(subjects),
      at,
      slot ?? null,
      dueAt ?? null,
    ] as const;
    const free = ifFree(() => prepared.insert.run(...row, JSON.stringify(record)));
    if (free) return { type: 'created' };
    // The conflicting row may be gone by now, if another process uses the same file.
    return conflictOf(entry) ?? create(entry);
  }

  function update({ record, subjects, slot, dueAt }: Entry<R>, expected: number) {
    const version = expected + 1;
    const written = JSON.stringify({ ...record, version });
    const row = [
      version,
      subjectList(subjects),
      slot ?? null,
      dueAt ?? null,
      written,
      record.workspace,
      record.id,
      expected,
    ] as const;
    const result = ifFree(() => prepared.replace.run(...row));
    if (!result) return 'slot_taken' as const;
    return result.changes === 1 ? ('updated' as const) : ('conflict' as const);
  }

  function remove({ workspace, id }: RecordRef, expected: number | undefined) {
    if (expected === undefined) prepared.remove.run(workspace, id);
    else if (prepared.removeVersion.run(workspace, id, expected).changes === 0) return 'conflict' as const;
    return 'removed' as const;
  }

  return { create, update, remove };
}

function prepareAll(database: Database, sql: ReturnType<typeof statements>): Prepared {
  const prepared = Object.entries(sql).map(([name, text]) => [name, database.prepare(text)]);
  return Object.fromEntries(prepared);
}

/** Returns the result of `write`, or undefined if its id or slot is taken. */
function ifFree<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && TAKEN_CODES.has(error.errcode)) return undefined;
    throw error;
  }
}
