/**
 * Records in SQLite, a table for each type of them, with compare-and-set by their version. Each write is one statement,
 * which succeeds or fails as a whole beside the others of its commit: triggers of schema.ts list the record under its
 * subjects within it. Its conditions are read right before it, in the same transaction.
 */
import type { StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import {
  type Condition,
  type Creation,
  type Cursor,
  type Entry,
  RECORD_TYPES,
  type RecordRef,
  type RecordStore,
  type RecordType,
  type Stored,
  type Updated,
} from '../../requests/ports/record-store.ts';
import { shareOf } from '../due.ts';
import { subjectList } from '../subjects.ts';
import { newVersion } from '../versions.ts';
import { type Database, LIMIT } from './database.ts';

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE (https://www.sqlite.org/rescode.html). */
const TAKEN_CODES: ReadonlySet<unknown> = new Set([1555, 2067]);

const statements = (table: RecordType) => ({
  insert: `INSERT INTO ${table} (workspace, id, version, subjects, at, slot, due_at, record)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  replace: `UPDATE ${table} SET version = ?, subjects = ?, slot = ?, due_at = ?, record = ?
    WHERE workspace = ? AND id = ? AND version = ?`,
  remove: `DELETE FROM ${table} WHERE workspace = ? AND id = ?`,
  removeVersion: `DELETE FROM ${table} WHERE workspace = ? AND id = ? AND version = ?`,
  removeSome: `DELETE FROM ${table} WHERE workspace = ?1 AND id IN
    (SELECT id FROM ${table} WHERE workspace = ?1 LIMIT ?2)`,
  count: `SELECT count(*) AS count FROM ${table} WHERE workspace = ?`,
  workspaces: `SELECT DISTINCT workspace FROM ${table} WHERE workspace > ? ORDER BY workspace ${LIMIT}`,
  version: `SELECT version FROM ${table} WHERE workspace = ? AND id = ?`,
  byId: `SELECT record FROM ${table} WHERE workspace = ? AND id = ?`,
  bySlot: `SELECT record FROM ${table} WHERE workspace = ? AND slot = ?`,
  bySubject: `SELECT record FROM ${table}_subjects AS listed JOIN ${table} USING (workspace, id)
    WHERE workspace = ? AND subject = ? ORDER BY listed.at DESC, listed.id DESC ${LIMIT}`,
  holding: `SELECT record FROM ${table} WHERE workspace = ? AND slot IS NOT NULL ${LIMIT}`,
  pageOfSubject: `SELECT record FROM ${table}_subjects AS listed JOIN ${table} USING (workspace, id)
    WHERE workspace = ? AND subject = ? AND (listed.at, listed.id) < (?, ?)
    ORDER BY listed.at DESC, listed.id DESC ${LIMIT}`,
  page: `SELECT record FROM ${table} WHERE workspace = ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC ${LIMIT}`,
  waiting: `SELECT workspace FROM ${table}_waiting WHERE since <= ? ORDER BY since ${LIMIT}`,
  due: `SELECT id, due_at FROM ${table} WHERE workspace = ? AND due_at <= ? ORDER BY due_at ${LIMIT}`,
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
  table: RecordType,
  schema: z.ZodType<R>,
  clock: () => number = Date.now,
): RecordStore<R> {
  const prepared = prepareAll(database, statements(table));
  const read = (row: Record<string, unknown>): R => schema.parse(JSON.parse(String(row['record'])));
  const { create, update, remove } = writers(prepared, read, createConditions(database));
  return {
    now: async () => clock(),
    create: (entry, conditions = []) => database.write(() => create(entry, conditions)),
    get: async ({ workspace, id }) => {
      const row = prepared.byId.get(workspace, id);
      return row && { record: read(row), now: clock() };
    },
    update: (entry, expected, conditions = []) => database.write(() => update(entry, expected, conditions)),
    remove: (ref, expected) => database.write(() => remove(ref, expected)),
    removeSome: (workspace, limit) =>
      database.write(() => Number(prepared.removeSome.run(workspace, limit).changes)),
    count: async (workspace) => Number(prepared.count.get(workspace)?.['count']),
    // No workspace is empty, so all of them come after the empty text.
    workspaces: async ({ after = '', limit }) =>
      prepared.workspaces.all(after, limit).map(({ workspace }) => String(workspace)),
    due: async (limit) => inTurn(prepared, clock(), limit),
    postpone: ({ workspace, id }, ms) =>
      database.write(() => void prepared.postpone.run(clock() + ms, workspace, id)),
    listBySubject: async (workspace, subject, limit) => ({
      records: prepared.bySubject.all(workspace, subject, limit).map(read),
      now: clock(),
    }),
    listHolding: async (workspace, limit) => prepared.holding.all(workspace, limit).map(read),
    async list(workspace, { subject, before: { at, id } = FROM_THE_NEWEST, limit }) {
      // SQLite answers at once: without a pause, page after page would be read before anybody else is served.
      await nextTurn();
      const rows =
        subject === undefined
          ? prepared.page.all(workspace, at, id, limit)
          : prepared.pageOfSubject.all(workspace, subject.toWellFormed(), at, id, limit);
      return rows.map(read);
    },
  };
}

type Prepared = Record<keyof ReturnType<typeof statements>, StatementSync>;

/**
 * Reads due records of the workspaces that have waited longest: a backlog of one workspace costs no more than `limit` of its
 * records, and what is not due yet costs nothing.
 */
function inTurn(prepared: Prepared, now: number, limit: number): RecordRef[] {
  const waiting = prepared.waiting.all(now, limit).map((row) => String(row['workspace']));
  const share = shareOf(limit, waiting.length);
  const due = waiting.flatMap((workspace) =>
    prepared.due.all(workspace, now, share).map((row, turn) => ({
      ref: { workspace, id: String(row['id']) },
      turn,
      since: Number(row['due_at']),
    })),
  );
  const sorted = due.sort((a, b) => a.turn - b.turn || a.since - b.since);
  return sorted.slice(0, limit).map(({ ref }) => ref);
}

type AreMet = (workspace: string, conditions: readonly Condition[]) => boolean;

/** Returns whether conditions are met, for the transaction that writes. */
function createConditions(database: Database): AreMet {
  const versions = RECORD_TYPES.map((type) => [type, database.prepare(statements(type).version)]);
  const select: Record<RecordType, StatementSync> = Object.fromEntries(versions);
  return (workspace, conditions) =>
    conditions.every(
      ({ type, id, version, workspace: of = workspace }) => select[type].get(of, id)?.['version'] === version,
    );
}

function writers<R extends Stored>(
  prepared: Prepared,
  read: (row: Record<string, unknown>) => R,
  areMet: AreMet,
) {
  function standing({ record: { workspace, id } }: Entry<R>): Creation<R> | undefined {
    const same = prepared.byId.get(workspace, id);
    return same && { type: 'exists', record: read(same) };
  }

  function holderOf({ record: { workspace }, slot }: Entry<R>): Creation<R> | undefined {
    const holder = slot === undefined ? undefined : prepared.bySlot.get(workspace, slot);
    return holder && { type: 'slot_taken', by: read(holder) };
  }

  function create(entry: Entry<R>, conditions: readonly Condition[]): Creation<R> {
    if (!areMet(entry.record.workspace, conditions)) return standing(entry) ?? { type: 'unmet' };
    const { record, subjects, at, slot, dueAt } = entry;
    const version = newVersion();
    const row = [
      record.workspace,
      record.id,
      version,
      subjectList(subjects),
      at,
      slot ?? null,
      dueAt ?? null,
    ] as const;
    const free = ifFree(() => prepared.insert.run(...row, JSON.stringify({ ...record, version })));
    if (free) return { type: 'created', version };
    // The conflicting row may be gone by now, if another process uses the same file.
    return standing(entry) ?? holderOf(entry) ?? create(entry, conditions);
  }

  function update(entry: Entry<R>, expected: number, conditions: readonly Condition[]): Updated {
    const { record, subjects, slot, dueAt } = entry;
    const { workspace, id } = record;
    if (!areMet(workspace, conditions)) {
      const isCurrent = prepared.version.get(workspace, id)?.['version'] === expected;
      return { type: isCurrent ? 'unmet' : 'conflict' };
    }
    const version = newVersion();
    const written = JSON.stringify({ ...record, version });
    const row = [
      version,
      subjectList(subjects),
      slot ?? null,
      dueAt ?? null,
      written,
      workspace,
      id,
      expected,
    ] as const;
    const result = ifFree(() => prepared.replace.run(...row));
    if (!result) return { type: 'slot_taken' };
    return result.changes === 1 ? { type: 'updated', version } : { type: 'conflict' };
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
