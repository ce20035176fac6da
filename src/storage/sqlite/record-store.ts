/**
 * Stores records in SQLite, a table for each type of record, with compare-and-set by version (writers.ts). Triggers
 * (database.ts) list a record under its subjects in the statement that writes it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import {
  type Cursor,
  LISTED_SUBJECT,
  type Page,
  type RecordRef,
  type RecordStore,
  type RecordTypeName,
  type Stored,
} from '../../outbox/record-store.ts';
import { createReader } from '../records.ts';
import { type Database, LIMIT, readTogether, type Statement } from './connection.ts';
import { openWrites } from './writers.ts';

const statements = (table: RecordTypeName) => ({
  insert: `INSERT INTO ${table} (workspace, id, version, subjects, at, slot, due_at, record)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  replace: `UPDATE ${table} SET version = ?, subjects = ?, slot = ?, due_at = ?, record = ?
    WHERE workspace = ? AND id = ?`,
  remove: `DELETE FROM ${table} WHERE workspace = ? AND id = ?`,
  removeSome: `DELETE FROM ${table} WHERE workspace = ?1 AND id IN
    (SELECT id FROM ${table} WHERE workspace = ?1 ${LIMIT}2)`,
  count: `SELECT count(*) AS count FROM ${table} WHERE workspace = ?`,
  // One look into the index for each workspace, however many records it has.
  workspaces: `WITH RECURSIVE listed (workspace) AS (
      SELECT min(workspace) FROM ${table} WHERE workspace > ?1 UNION ALL
      SELECT (SELECT min(workspace) FROM ${table} WHERE workspace > listed.workspace)
        FROM listed WHERE workspace IS NOT NULL
    ) SELECT workspace FROM listed WHERE workspace IS NOT NULL ${LIMIT}2`,
  version: `SELECT version, slot FROM ${table} WHERE workspace = ? AND id = ?`,
  byId: `SELECT record FROM ${table} WHERE workspace = ? AND id = ?`,
  bySlot: `SELECT record FROM ${table} WHERE workspace = ? AND slot = ?`,
  newestOfSubject: `SELECT record FROM ${table}_subjects AS listed JOIN ${table} USING (workspace, id)
    WHERE workspace = ? AND subject = ? AND (listed.at, listed.id) < (?, ?)
    ORDER BY listed.at DESC, listed.id DESC ${LIMIT}`,
  oldestOfSubject: `SELECT record FROM ${table}_subjects AS listed JOIN ${table} USING (workspace, id)
    WHERE workspace = ? AND subject = ? AND (listed.at, listed.id) > (?, ?)
    ORDER BY listed.at, listed.id ${LIMIT}`,
  newest: `SELECT record FROM ${table} WHERE workspace = ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC ${LIMIT}`,
  oldest: `SELECT record FROM ${table} WHERE workspace = ? AND (at, id) > (?, ?) ORDER BY at, id ${LIMIT}`,
  // One look into the index for each subject, however many records have it.
  subjects: `WITH RECURSIVE listed (subject) AS (
      SELECT ?2 UNION ALL
      SELECT (SELECT min(subject) FROM ${table}_subjects
        WHERE workspace = ?1 AND subject > listed.subject AND subject < ?3) FROM listed WHERE subject IS NOT NULL
    ) SELECT subject FROM listed WHERE subject > ?2 ${LIMIT}4`,
  waiting: `SELECT workspace FROM ${table}_waiting WHERE since <= ? ORDER BY since ${LIMIT}`,
  due: `SELECT id, due_at FROM ${table} WHERE workspace = ? AND due_at <= ? ORDER BY due_at ${LIMIT}`,
  postpone: `UPDATE ${table} SET due_at = MAX(due_at, ?) WHERE workspace = ? AND id = ? AND due_at IS NOT NULL`,
});

/** A place after every record, for a page that begins with the newest one. */
const FROM_THE_NEWEST: Cursor = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** The first text after all subjects that begin with LISTED_SUBJECT. */
const AFTER_LISTED = LISTED_SUBJECT.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));

/** @param clock epoch milliseconds: the store's clock is the machine's */
export function createSqliteRecordStore<R extends Stored>(
  database: Database,
  table: RecordTypeName,
  schema: z.ZodType<R>,
  clock: () => number = Date.now,
): RecordStore<R> {
  const prepared = prepareAll(database, statements(table));
  const readText = createReader(table, schema);
  const readRow = (row: Record<string, unknown>): R => readText(String(row['record']));
  const rowOf = readTogether((workspace: string, id: string) => prepared.byId.get(workspace, id));
  return {
    now: async () => clock(),
    get: async ({ workspace, id }) => {
      const row = await rowOf(workspace, id);
      return row && { record: readRow(row), now: clock() };
    },
    read: async ({ workspace, id }) => {
      const row = await rowOf(workspace, id);
      return row && readRow(row);
    },
    ...openWrites(database, prepared, readRow),
    removeSome: (workspace, limit) =>
      database.write(() => Number(prepared.removeSome.run(workspace, limit).changes)),
    count: async (workspace) => Number(prepared.count.get(workspace)?.['count']),
    // No workspace is empty, so all of them come after the empty text.
    workspaces: async ({ after = '', limit }) =>
      prepared.workspaces.all(after, limit).map(({ workspace }) => String(workspace)),
    due: async (limit) => dueFairly(prepared, clock(), limit),
    postpone: ({ workspace, id }, ms) =>
      database.write(() => void prepared.postpone.run(clock() + ms, workspace, id)),
    listBySubject: async (workspace, subject, limit) => ({
      records: pageOf(prepared, workspace, { subject, limit }).map(readRow),
      now: clock(),
    }),
    async list(workspace, page) {
      // SQLite answers at once: without a pause, page after page would be read before anybody else is served.
      await nextTurn();
      return pageOf(prepared, workspace, page).map(readRow);
    },
    subjects: async (workspace, limit) =>
      prepared.subjects
        .all(workspace, LISTED_SUBJECT, AFTER_LISTED, limit)
        .map(({ subject }) => String(subject)),
  };
}

type Prepared = Record<keyof ReturnType<typeof statements>, Statement>;

function pageOf(
  { newest, newestOfSubject, oldest, oldestOfSubject }: Prepared,
  workspace: string,
  wanted: Page,
) {
  const isFromOldest = 'after' in wanted;
  const { at, id } = isFromOldest ? wanted.after : (wanted.before ?? FROM_THE_NEWEST);
  const { subject, limit } = wanted;
  if (subject === undefined) return (isFromOldest ? oldest : newest).all(workspace, at, id, limit);
  const ofSubject = isFromOldest ? oldestOfSubject : newestOfSubject;
  return ofSubject.all(workspace, subject.toWellFormed(), at, id, limit);
}

/**
 * Reads due records of the workspaces that have waited longest: a backlog of one workspace costs no more than `limit` of its
 * records, and what is not due yet costs nothing.
 */
function dueFairly(prepared: Prepared, now: number, limit: number): RecordRef[] {
  const waiting = prepared.waiting.all(now, limit).map((row) => String(row['workspace']));
  // Enough to choose `limit` records in turn: every other workspace has at least one.
  const share = Math.max(1, limit - waiting.length + 1);
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

function prepareAll(database: Database, sql: ReturnType<typeof statements>): Prepared {
  const prepared = Object.entries(sql).map(([name, text]) => [name, database.statement(text)]);
  return Object.fromEntries(prepared);
}
