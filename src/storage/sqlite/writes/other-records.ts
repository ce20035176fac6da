/** Checks and creates records of other types within the transaction that writes a record. */
import type { StatementSync } from 'node:sqlite';
import {
  type Condition,
  type Further,
  RECORD_TYPES,
  type RecordType,
  type Removed,
} from '../../../outbox/record-store.ts';
import { encodeFurther } from '../../records/further.ts';
import type { Database } from '../database.ts';

export type OtherRecords = {
  /** Whether the conditions of a write are met. */
  areMet(workspace: string, conditions: readonly Condition[]): boolean;
  /**
   * Makes a write and, if it succeeds, creates its further records.
   *
   * @param write called within the transaction
   * @throws if any of it fails: then nothing of it is written, though the rest of the transaction may be
   */
  writeWith<T extends { type: string } | Removed>(
    about: { workspace: string; further: readonly Further[] },
    write: () => T,
  ): T;
};

/** The results of writes that were made. */
const MADE: ReadonlySet<string> = new Set(['created', 'updated', 'removed']);

export function createOtherRecords(database: Database): OtherRecords {
  const versions = ofEachType(
    database,
    (table) => `SELECT version FROM ${table} WHERE workspace = ? AND id = ?`,
  );
  const inserts = ofEachType(
    database,
    (table) => `INSERT INTO ${table} (workspace, id, version, subjects, at, due_at, record)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace, id) DO NOTHING`,
  );
  const begin = database.prepare('SAVEPOINT with_further');
  const end = database.prepare('RELEASE with_further');
  const undo = database.prepare('ROLLBACK TO with_further');

  function createAll(workspace: string, further: readonly Further[]): void {
    for (const each of further) {
      const { id, version, text, subjects, at, dueAt } = encodeFurther(each, workspace);
      inserts[each.type].run(workspace, id, version, subjects, at, dueAt ?? null, text);
    }
  }

  return {
    areMet: (workspace, conditions) =>
      conditions.every(
        ({ type, id, version, workspace: of = workspace }) =>
          versions[type].get(of, id)?.['version'] === version,
      ),
    writeWith({ workspace, further }, write) {
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
  sql: (table: RecordType) => string,
): Record<RecordType, StatementSync> {
  const statements = RECORD_TYPES.map((type) => [type, database.prepare(sql(type))]);
  return Object.fromEntries(statements);
}
