/**
 * Keeps records in memory; each operation is atomic. It passes the contract suite of the real stores
 * (test/simulate/storage/memory.test.ts).
 */
import {
  type Condition,
  type Creation,
  type Cursor,
  type Entry,
  type Further,
  LISTED_SUBJECT,
  type RecordRef,
  type RecordStore,
  type RecordTypeName,
  type Stored,
  type Updated,
} from '../../../src/outbox/record-store.ts';

export type MemoryRecords<R extends Stored> = RecordStore<R> & {
  /** All entries, for the checks. */
  entries(): IterableIterator<Entry<R>>;
  /** @returns a function that restores what is stored now */
  snapshot(): () => void;
  /** For the conditions of other types' writes. */
  versionOf: (ref: RecordRef) => number | undefined;
  /** For the further records of other types' writes. */
  createBeside: (entry: Further['entry']) => void;
};

/** The effect of a write on records of other types. `versionOf` undefined: there is no such record. */
export type OtherTypes = {
  versionOf: (type: RecordTypeName, ref: RecordRef) => number | undefined;
  createBeside: (further: Further) => void;
};

type Options<R extends Stored> = {
  /** Called with each entry that was written. */
  onWrite?: (entry: Entry<R>, isNew: boolean) => void;
  others?: OtherTypes;
};

const NO_OTHERS: OtherTypes = { versionOf: () => undefined, createBeside() {} };

/** The results of writes that were made. */
const MADE: ReadonlySet<string> = new Set(['created', 'updated']);

const keyOf = ({ workspace, id }: RecordRef) => JSON.stringify([workspace, id]);

/** @param clock epoch milliseconds */
export function createMemoryRecords<R extends Stored>(
  clock: () => number,
  { onWrite = () => {}, others = NO_OTHERS }: Options<R> = {},
): MemoryRecords<R> {
  const rows = new Map<string, Entry<R>>();
  const inWorkspace = (workspace: string) =>
    [...rows.values()].filter(({ record }) => record.workspace === workspace);
  const holderOf = ({ record, slot }: Entry<R>) =>
    slot === undefined
      ? undefined
      : [...rows.values()].find(
          (row) =>
            row.slot === slot && row.record.workspace === record.workspace && row.record.id !== record.id,
        );

  /** The last version that was drawn: a restored snapshot does not bring it back. */
  let drawn = 0;

  /** @returns the version that was written */
  function put(entry: Entry<R>, isNew: boolean): number {
    // Columns of SQLite take nothing else.
    if (![entry.at, entry.dueAt ?? 0].every(Number.isInteger))
      throw new Error(`a time is no whole number of milliseconds: ${entry.at}, ${entry.dueAt}`);
    drawn += 1;
    const subjects = entry.subjects.map((subject) => subject.toWellFormed());
    const row = { ...entry, subjects, record: frozen({ ...entry.record, version: drawn }) };
    rows.set(keyOf(entry.record), row);
    onWrite(row, isNew);
    return drawn;
  }

  const areMet = (workspace: string, conditions: readonly Condition[]) =>
    conditions.every(
      ({ type, id, version, workspace: of = workspace }) =>
        others.versionOf(type, { workspace: of, id }) === version,
    );

  function create(entry: Entry<R>, conditions: readonly Condition[]): Creation<R> {
    const same = rows.get(keyOf(entry.record));
    if (same) return { type: 'exists', record: same.record };
    if (!areMet(entry.record.workspace, conditions)) return { type: 'unmet' };
    const holder = holderOf(entry);
    if (holder) return { type: 'slot_taken', by: holder.record };
    return { type: 'created', version: put(entry, true) };
  }

  function update(entry: Entry<R>, expected: number, conditions: readonly Condition[]): Updated {
    const standing = rows.get(keyOf(entry.record));
    if (standing?.record.version !== expected) return { type: 'conflict' };
    if (!areMet(entry.record.workspace, conditions)) return { type: 'unmet' };
    if (holderOf(entry)) return { type: 'slot_taken' };
    return { type: 'updated', version: put({ ...entry, at: standing.at }, false) };
  }

  /** Makes a write, and creates its further records if it was made. */
  function writeWith<T extends { type: string }>(
    { workspace }: Pick<RecordRef, 'workspace'>,
    further: readonly Further[],
    write: () => T,
  ): T {
    if (further.some(({ entry }) => entry.record.workspace !== workspace))
      throw new Error('A further record belongs to another workspace.');
    const result = write();
    if (MADE.has(result.type)) for (const each of further) others.createBeside(each);
    return result;
  }

  return {
    entries: () => rows.values(),
    snapshot() {
      const kept = [...rows];
      return () => {
        rows.clear();
        for (const [key, row] of kept) rows.set(key, row);
      };
    },
    versionOf: (ref) => rows.get(keyOf(ref))?.record.version,
    now: async () => clock(),
    createBeside: (entry) => {
      if (!rows.has(keyOf(entry.record))) put({ ...entry, slot: undefined } as Entry<R>, true);
    },
    create: async (entry, conditions = [], further = []) =>
      writeWith(entry.record, further, () => create(entry, conditions)),
    read: async (ref) => rows.get(keyOf(ref))?.record,
    get: async (ref) => {
      const row = rows.get(keyOf(ref));
      return row && { record: row.record, now: clock() };
    },
    update: async (entry, expected, conditions = [], further = []) =>
      writeWith(entry.record, further, () => update(entry, expected, conditions)),
    async remove(ref, expected) {
      if (expected !== undefined && rows.get(keyOf(ref))?.record.version !== expected) return 'conflict';
      rows.delete(keyOf(ref));
      return 'removed';
    },
    async removeSome(workspace, limit) {
      const some = inWorkspace(workspace).slice(0, limit);
      for (const { record } of some) rows.delete(keyOf(record));
      return some.length;
    },
    count: async (workspace) => inWorkspace(workspace).length,
    workspaces: async ({ after = '', limit }) =>
      [...new Set([...rows.values()].map(({ record }) => record.workspace))]
        .sort()
        .filter((workspace) => workspace > after)
        .slice(0, limit),
    due: async (limit) => dueOf([...rows.values()], clock(), limit),
    async postpone(ref, ms) {
      const row = rows.get(keyOf(ref));
      if (row?.dueAt !== undefined)
        rows.set(keyOf(ref), { ...row, dueAt: Math.max(row.dueAt, clock() + ms) });
    },
    async listBySubject(workspace, subject, limit) {
      const about = inWorkspace(workspace).filter(({ subjects }) =>
        subjects.includes(subject.toWellFormed()),
      );
      return { records: newest(about).slice(0, limit), now: clock() };
    },
    async list(workspace, page) {
      const { subject, limit } = page;
      const isOnPage = ({ at, id }: Cursor) =>
        'after' in page
          ? compare({ at, id }, page.after) > 0
          : !page.before || compare({ at, id }, page.before) < 0;
      const listed = inWorkspace(workspace).filter(
        (row) =>
          (subject === undefined || row.subjects.includes(subject.toWellFormed())) &&
          isOnPage(positionOf(row)),
      );
      const sorted = newest(listed);
      return ('after' in page ? sorted.toReversed() : sorted).slice(0, limit);
    },
    async subjects(workspace, limit) {
      const all = inWorkspace(workspace).flatMap(({ subjects }) => subjects);
      return [...new Set(all)]
        .filter((subject) => subject.startsWith(LISTED_SUBJECT))
        .sort(byBytes)
        .slice(0, limit);
    },
  };
}

const positionOf = <R extends Stored>({ at, record }: Entry<R>): Cursor => ({ at, id: record.id });

/** Orders by time, then by the bytes of the id. */
const compare = (a: Cursor, b: Cursor): number => a.at - b.at || (a.id === b.id ? 0 : byBytes(a.id, b.id));

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const newest = <R extends Stored>(rows: Entry<R>[]): R[] =>
  rows.sort((a, b) => compare(positionOf(b), positionOf(a))).map(({ record }) => record);

/** Takes the workspaces in turn; within each, the record that is due longest comes first. */
function dueOf<R extends Stored>(rows: Entry<R>[], now: number, limit: number): RecordRef[] {
  const due = rows
    .flatMap(({ record, dueAt }) => (dueAt !== undefined && dueAt <= now ? [{ record, dueAt }] : []))
    .sort((a, b) => a.dueAt - b.dueAt);
  const turns = new Map<string, number>();
  const inTurn = due.map((each) => {
    const turn = turns.get(each.record.workspace) ?? 0;
    turns.set(each.record.workspace, turn + 1);
    return { ...each, turn };
  });
  return inTurn
    .sort((a, b) => a.turn - b.turn || a.dueAt - b.dueAt)
    .slice(0, limit)
    .map(({ record: { workspace, id } }) => ({ workspace, id }));
}

/** Freezes a stored value, so that only a write can change it. Parts that are frozen already are shared between versions. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
