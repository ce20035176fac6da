/**
 * Writes records. A write is a step of the commit (`Database.write`), which locks the file: what it reads is what it writes
 * over, whatever other processes do. It depends on other records, of any type, and creates further ones.
 */
import {
  type Condition,
  type Entry,
  type Further,
  RECORD_TYPES,
  type RecordRef,
  type RecordStore,
  type RecordTypeName,
  type Stored,
} from '../../outbox/record-store.ts';
import { encodeFurther, newVersion, subjectList } from '../records.ts';
import type { Database, Statement } from './connection.ts';

type Prepared = Record<'insert' | 'replace' | 'remove' | 'version' | 'byId' | 'bySlot', Statement>;

export function openWrites<R extends Stored>(
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

function ofEachType(
  database: Database,
  sql: (table: RecordTypeName) => string,
): Record<RecordTypeName, Statement> {
  const statements = RECORD_TYPES.map((type) => [type, database.statement(sql(type))]);
  return Object.fromEntries(statements);
}
