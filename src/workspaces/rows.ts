/** Stores rows in keyv with index keys, so that no path scans all of them. */
import type Keyv from 'keyv';
import type { z } from 'zod';
import type { Lease, LockOptions, Locks } from '../requests/ports/locks.ts';
import type { MemberIndex } from './member-index.ts';
import { perObject } from './per-object.ts';

export type IndexedStore = { values: Keyv; index: MemberIndex };

/** Locks a row while it is read and written, because keyv has no compare-and-set. */
export type WithRowLock = <T>(id: string, work: (lease: Lease) => Promise<T>) => Promise<T>;

export type Rows<Row> = {
  /** @throws if the row can't be read */
  get(id: string): Promise<Row | undefined>;
  has(id: string): Promise<boolean>;
  /** Replaces the row, readable or not. */
  put(id: string, row: Row): Promise<void>;
  /**
   * Changes a row under its lock. If `decide` returns the same row, nothing is written; if it returns none, the row is
   * removed.
   *
   * @returns whether anything was changed
   * @throws LockedError; also if the row can't be read
   */
  change(id: string, decide: (row: Row | undefined) => Row | undefined): Promise<boolean>;
  /** Removes a row and its index entries, readable or not. */
  forget(id: string): Promise<void>;
  /**
   * Lists all ids or, given a key, at least those of the rows with that key: an interrupted write may list too many.
   */
  ids(key?: string): AsyncGenerator<string, void>;
  /** Lists the rows with a key. `unreadable`: the row may have it. */
  having(key: string): AsyncGenerator<{ id: string; unreadable: boolean }, void>;
  count(): Promise<number>;
};

/** Longer than a few answers of the storage take. A waiting caller outlasts the lock of a process that ended. */
const LOCK_OPTIONS: LockOptions = { ttlMs: 10_000, timeoutMs: 12_000 };

/** @param name the kind of row */
export const lockedRow =
  (locks: Locks, name: string, options = LOCK_OPTIONS): WithRowLock =>
  (id, work) =>
    locks.withLock(`${name} ${id}`, options, work);

const EVERY_ROW = 'all';
/** Yields to other work after so many rows. */
const PAGE = 100;

/**
 * @param store its keyv throws if the storage is unavailable; its values are parsed again on reading
 * @param keysOf the index keys of a row
 */
export function createRows<Row>(
  { values, index }: IndexedStore,
  {
    schema,
    keysOf,
    withLock,
  }: { schema: z.ZodType<Row>; keysOf: (row: Row) => string[]; withLock: WithRowLock },
): Rows<Row> {
  const allKeysOf = (row: Row) => [EVERY_ROW, ...keysOf(row)];
  const optional = schema.optional();
  // Found by the object that keyv gives, which is the same one for as long as the row reads the same.
  const parse = perObject((value: object) => schema.parse(value));
  const get = async (id: string) => {
    const value: unknown = await values.get(id);
    return typeof value === 'object' && value !== null ? parse(value) : optional.parse(value);
  };

  const { write, remove } = createRowWriter({ values, index }, allKeysOf);
  const ids = (key = EVERY_ROW) => listMembers(index, key);

  return {
    get,
    has: async (id) => (await values.get(id)) !== undefined,
    put: (id, row) => withLock(id, (lease) => write(id, row, lease)),
    change: (id, decide) =>
      withLock(id, async (lease) => {
        const row = await get(id);
        const next = decide(row);
        if (next === undefined) await remove(id, lease);
        else if (next !== row) await write(id, next, lease);
        return next !== row;
      }),
    forget: (id) => withLock(id, (lease) => remove(id, lease)),
    ids,
    async *having(key) {
      for await (const id of ids(key)) {
        const { success, data: row } = optional.safeParse(await values.get(id));
        if (!success || (row !== undefined && keysOf(row).includes(key))) yield { id, unreadable: !success };
      }
    },
    count: () => index.count(EVERY_ROW),
  };
}

/** Writes rows and their index entries. Only for the holder of a row's lock. */
function createRowWriter<Row>({ values, index }: IndexedStore, keysOf: (row: Row) => string[]) {
  return {
    /** The index never lists too little: keys are added before the row is written, and others are removed after it. */
    async write(id: string, row: Row, lease: Lease): Promise<void> {
      await index.add(id, keysOf(row));
      await lease.write(() => values.set(id, row));
      await lease.write(() => index.keep(id, keysOf(row)));
    },
    async remove(id: string, lease: Lease): Promise<void> {
      await lease.write(() => values.delete(id));
      await lease.write(() => index.keep(id, []));
    },
  };
}

async function* listMembers(index: MemberIndex, key: string): AsyncGenerator<string, void> {
  let after: string | undefined;
  for (;;) {
    const page = await index.members(key, { after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1);
  }
}
