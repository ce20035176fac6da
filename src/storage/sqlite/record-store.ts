/**
 * Stores records in SQLite, a table for each type of record, with compare-and-set by version. Triggers (database.ts) list a
 * record under its subjects in the statement that writes it. A write is a step of the commit (`Database.write`), which locks the
 * file: what it reads is what it writes over, whatever other processes do. It depends on other records, of any type, and
 * creates further ones.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import {
  type Condition,
  type Cursor,
  type Entry,
  type Further,
  LISTED_SUBJECT,
  type Page,
  RECORD_TYPES,
  type RecordRef,
  type RecordStore,
  type RecordTypeName,
  type Stored,
} from '../../outbox/record-store.ts';
import { createReader, encodeFurther, newVersion, subjectList } from '../records.ts';
import { type Database, readTogether, type Statement } from './connection.ts';
import { recordStatements } from './database.ts';

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
  const prepared = prepareAll(database, recordStatements(table));
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

type Prepared = Record<keyof ReturnType<typeof recordStatements>, Statement>;

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

function prepareAll(database: Database, sql: ReturnType<typeof recordStatements>): Prepared {
  const prepared = Object.entries(sql).map(([name, text]) => [name, database.statement(text)]);
  return Object.fromEntries(prepared);
}

function openWrites<R extends Stored>(
  database: Database,
  prepared: Prepared,
  read: (row: Record<string, unknown>) => R,
): Pick<RecordStore<R>, 'create' | 'update' | 'remove'> {
  const others = openOtherRecords(database);
  const holderOf = ({ record: { workspace }, slot }: Entry<R>) =>
    slot === undefined ? undefined : prepared.bySlot.get(workspace, slot);
  return {
    create: (entry, conditions = [], further = []) =>
      others.writeWith(entry.record, further, () => {
        const { record, subjects, at, slot = null, dueAt = null } = entry;
        const { workspace, id } = record;
        const same = prepared.byId.get(workspace, id);
        if (same) return { type: 'exists', record: read(same) };
        if (!others.areMet(workspace, conditions)) return { type: 'unmet' };
        const holder = holderOf(entry);
        if (holder) return { type: 'slot_taken', by: read(holder) };
        const version = newVersion();
        const text = JSON.stringify({ ...record, version });
        prepared.insert.run(workspace, id, version, subjectList(subjects), at, slot, dueAt, text);
        return { type: 'created', version };
      }),
    update: (entry, expected, conditions = [], further = []) =>
      others.writeWith(entry.record, further, () => {
        const { record, subjects, slot = null, dueAt = null } = entry;
        const { workspace, id } = record;
        const stored = prepared.version.get(workspace, id);
        if (stored?.['version'] !== expected) return { type: 'conflict' };
        if (!others.areMet(workspace, conditions)) return { type: 'unmet' };
        // A slot that the record has is its own: the index is unique.
        if (stored['slot'] !== slot && holderOf(entry)) return { type: 'slot_taken' };
        const version = newVersion();
        const text = JSON.stringify({ ...record, version });
        prepared.replace.run(version, subjectList(subjects), slot, dueAt, text, workspace, id);
        return { type: 'updated', version };
      }),
    remove: (ref, expected) =>
      database.write(() => {
        if (expected !== undefined && prepared.version.get(ref.workspace, ref.id)?.['version'] !== expected)
          return 'conflict';
        prepared.remove.run(ref.workspace, ref.id);
        return 'removed';
      }),
  };
}

/** The results of a write that was made. */
const MADE: ReadonlySet<string> = new Set(['created', 'updated']);

/** The records on which a write is conditional, and those that it creates further. */
function openOtherRecords(database: Database) {
  const versions = ofEachType(database, 'version');
  const inserts = ofEachType(database, 'insertFurther');
  const begin = database.statement('SAVEPOINT with_further');
  const end = database.statement('RELEASE with_further');
  const undo = database.statement('ROLLBACK TO with_further');

  function createAll(workspace: string, further: readonly Further[]): void {
    for (const each of further) {
      const { id, version, text, subjects, at, dueAt } = encodeFurther(each, workspace);
      inserts[each.type].run(workspace, id, version, subjects, at, dueAt ?? null, text);
    }
  }

  function writeAll<T extends { type: string }>(
    workspace: string,
    further: readonly Further[],
    write: () => T,
  ): T {
    begin.run();
    try {
      const result = write();
      if (MADE.has(result.type)) createAll(workspace, further);
      end.run();
      return result;
    } catch (error) {
      // A full disk ends the transaction as a whole, with its savepoints.
      if (database.isTransaction) {
        undo.run();
        end.run();
      }
      throw error;
    }
  }

  return {
    areMet: (workspace: string, conditions: readonly Condition[]): boolean =>
      conditions.every(
        ({ type, id, version, workspace: of = workspace }) =>
          versions[type].get(of, id)?.['version'] === version,
      ),
    /**
     * Makes a write and, if it succeeds, creates its further records.
     *
     * @throws if any of it fails: then nothing of it is written, though the rest of the transaction may be
     */
    writeWith: <T extends { type: string }>(
      { workspace }: Pick<RecordRef, 'workspace'>,
      further: readonly Further[],
      write: () => T,
    ): Promise<T> =>
      database.write(() => (further.length === 0 ? write() : writeAll(workspace, further, write))),
  };
}

function ofEachType(database: Database, name: keyof Prepared): Record<RecordTypeName, Statement> {
  const statements = RECORD_TYPES.map((type) => [type, database.statement(recordStatements(type)[name])]);
  return Object.fromEntries(statements);
}
