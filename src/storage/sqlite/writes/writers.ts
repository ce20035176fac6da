/** Writes records: each is one statement, which succeeds or fails as a whole. */
import type { StatementSync } from 'node:sqlite';
import type {
  Condition,
  Creation,
  Entry,
  RecordRef,
  Removed,
  Stored,
  Updated,
} from '../../../outbox/record-store.ts';
import { subjectList } from '../../records/subjects.ts';
import { newVersion } from '../../records/versions.ts';
import type { OtherRecords } from './other-records.ts';

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE (https://www.sqlite.org/rescode.html). */
const TAKEN_CODES: ReadonlySet<unknown> = new Set([1555, 2067]);

/** @returns the writes of a store, for the transaction that makes them */
export function writers<R extends Stored>(
  prepared: Record<'insert' | 'replace' | 'remove' | 'version' | 'byId' | 'bySlot', StatementSync>,
  read: (row: Record<string, unknown>) => R,
  { areMet }: Pick<OtherRecords, 'areMet'>,
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
    if (error instanceof Error && 'errcode' in error && TAKEN_CODES.has(error.errcode)) return undefined;
    throw error;
  }
}
