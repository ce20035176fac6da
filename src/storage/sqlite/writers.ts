/** Writes a record by one statement, and reads and creates the other records of the same write. */
import {
  type Condition,
  type Creation,
  type Entry,
  type Further,
  RECORD_TYPES,
  type RecordRef,
  type RecordTypeName,
  type Removed,
  type Stored,
  type Updated,
} from '../../outbox/record-store.ts';
import { encodeFurther, newVersion, subjectList } from '../records.ts';
import { type Database, errcodeOf, type Statement } from './connection.ts';

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE (https://www.sqlite.org/rescode.html). */
const TAKEN_CODES: ReadonlySet<unknown> = new Set([1555, 2067]);

/** @returns the writes of a store, for the transaction that makes them */
export function writers<R extends Stored>(
  prepared: Record<'insert' | 'replace' | 'remove' | 'version' | 'byId' | 'bySlot', Statement>,
  read: (row: Record<string, unknown>) => R,
  { areMet }: Pick<OtherRecords, 'areMet'>,
) {
  function existing({ record: { workspace, id } }: Entry<R>): Creation<R> | undefined {
    const same = prepared.byId.get(workspace, id);
    return same && { type: 'exists', record: read(same) };
  }

  function holderOf({ record: { workspace }, slot }: Entry<R>): Creation<R> | undefined {
    const holder = slot === undefined ? undefined : prepared.bySlot.get(workspace, slot);
    return holder && { type: 'slot_taken', by: read(holder) };
  }

  function create(entry: Entry<R>, conditions: readonly Condition[]): Creation<R> {
    if (!areMet(entry.record.workspace, conditions)) return existing(entry) ?? { type: 'unmet' };
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
    const inserted = ifFree(() => prepared.insert.run(...row, JSON.stringify({ ...record, version })));
    if (inserted) return { type: 'created', version };
    // The conflicting row may be gone by now, if another process uses the same file.
    return existing(entry) ?? holderOf(entry) ?? create(entry, conditions);
  }

  function update(entry: Entry<R>, expected: number, conditions: readonly Condition[]): Updated {
    const { record, subjects, slot, dueAt } = entry;
    const { workspace, id } = record;
    if (!areMet(workspace, conditions)) return { type: isCurrent(record, expected) ? 'unmet' : 'conflict' };
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

  const isCurrent = ({ workspace, id }: RecordRef, expected: number) =>
    prepared.version.get(workspace, id)?.['version'] === expected;

  function remove(ref: RecordRef, expected: number | undefined, conditions: readonly Condition[]): Removed {
    const { workspace, id } = ref;
    if (expected !== undefined && !isCurrent(ref, expected)) return 'conflict';
    if (!areMet(workspace, conditions)) return 'unmet';
    prepared.remove.run(workspace, id);
    return 'removed';
  }

  return { create, update, remove };
}

/** Returns the result of `write`, or undefined if its id or slot is taken. */
function ifFree<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (TAKEN_CODES.has(errcodeOf(error))) return undefined;
    throw error;
  }
}

type OtherRecords = ReturnType<typeof openOtherRecords>;

/** The results of a write that was made. */
const MADE: ReadonlySet<string> = new Set(['created', 'updated', 'removed']);

/** The records, of any type, on which a write is conditional, and those that it creates further. */
export function openOtherRecords(database: Database) {
  const versions = ofEachType(
    database,
    (table) => `SELECT version FROM ${table} WHERE workspace = ? AND id = ?`,
  );
  const inserts = ofEachType(
    database,
    (table) => `INSERT INTO ${table} (workspace, id, version, subjects, at, due_at, record)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace, id) DO NOTHING`,
  );
  const begin = database.statement('SAVEPOINT with_further');
  const end = database.statement('RELEASE with_further');
  const undo = database.statement('ROLLBACK TO with_further');

  function createAll(workspace: string, further: readonly Further[]): void {
    for (const each of further) {
      const { id, version, text, subjects, at, dueAt } = encodeFurther(each, workspace);
      inserts[each.type].run(workspace, id, version, subjects, at, dueAt ?? null, text);
    }
  }

  return {
    /** Whether the conditions of a write are met. */
    areMet: (workspace: string, conditions: readonly Condition[]): boolean =>
      conditions.every(
        ({ type, id, version, workspace: of = workspace }) =>
          versions[type].get(of, id)?.['version'] === version,
      ),
    /**
     * Makes a write and, if it succeeds, creates its further records.
     *
     * @param write called within the transaction
     * @throws if any of it fails: then nothing of it is written, though the rest of the transaction may be
     */
    writeWith<T extends { type: string } | Removed>(
      { workspace, further }: { workspace: string; further: readonly Further[] },
      write: () => T,
    ): T {
      if (further.length === 0) return write();
      begin.run();
      try {
        const result = write();
        if (MADE.has(typeof result === 'string' ? result : result.type)) createAll(workspace, further);
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
    },
  };
}

function ofEachType(
  database: Database,
  sql: (table: RecordTypeName) => string,
): Record<RecordTypeName, Statement> {
  const statements = RECORD_TYPES.map((type) => [type, database.statement(sql(type))]);
  return Object.fromEntries(statements);
}
