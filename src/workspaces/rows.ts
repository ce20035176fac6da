/** Rows in keyv, each listed under keys of an index, so that no path has to scan all of them. */
import type Keyv from 'keyv';
import type { z } from 'zod';
import type { Lease, Locks, Patience } from '../requests/ports/locks.ts';
import type { MemberIndex } from './member-index.ts';
import { perObject } from './per-object.ts';

export type IndexedStore = { values: Keyv; index: MemberIndex };

/** keyv has no compare-and-set: whoever changes a row reads it and writes it while nobody else does. */
export type Alone = <T>(id: string, act: (lease: Lease) => Promise<T>) => Promise<T>;

export type Rows<Row> = {
  /** @throws where the row can't be read */
  get(id: string): Promise<Row | undefined>;
  has(id: string): Promise<boolean>;
  /** Takes the place of the row, whether it can be read or not. */
  put(id: string, row: Row): Promise<void>;
  /**
   * Reads and writes a row while nobody else does. Where `decide` gives back the same row, nothing is written; where it
   * gives none, the row is removed.
   *
   * @returns whether anything was changed
   * @throws LockedError; where the row can't be read
   */
  change(id: string, decide: (row: Row | undefined) => Row | undefined): Promise<boolean>;
  /** Removes a row and all that lists it, whether it can be read or not. */
  forget(id: string): Promise<void>;
  /** All ids or, given a key, at least those of the rows that have it: a write that was cut short lists too many. */
  ids(key?: string): AsyncGenerator<string, void>;
  /** The rows that have a key. `unreadable`: a row that may have it. */
  having(key: string): AsyncGenerator<{ id: string; unreadable: boolean }, void>;
  count(): Promise<number>;
};

/** Longer than a few answers of the storage take; whoever waits outlasts one that ended meanwhile. */
const PATIENCE: Patience = { heldMs: 10_000, waitMs: 12_000 };

/** @param name of the kind of row */
export const lockedRow =
  (locks: Locks, name: string, patience = PATIENCE): Alone =>
  (id, act) =>
    locks.hold(`${name} ${id}`, patience, act);

const EVERY_ROW = 'all';
/** After so many rows, others get their turn. */
const PAGE = 100;

/**
 * @param store keyv throws where the storage is away; what it holds is parsed again on the way in
 * @param keysOf under which a row can be found
 */
export function createRows<Row>(
  { values, index }: IndexedStore,
  { schema, keysOf, alone }: { schema: z.ZodType<Row>; keysOf: (row: Row) => string[]; alone: Alone },
): Rows<Row> {
  const allKeysOf = (row: Row) => [EVERY_ROW, ...keysOf(row)];
  const optional = schema.optional();
  // Found by the object that keyv gives, which is the same one for as long as the row reads the same.
  const parse = perObject((value: object) => schema.parse(value));
  const get = async (id: string) => {
    const value: unknown = await values.get(id);
    return typeof value === 'object' && value !== null ? parse(value) : optional.parse(value);
  };

  /** Only within `alone`. The index never lists too little: keys are added before the row is written, and others removed after. */
  async function write(id: string, row: Row, lease: Lease): Promise<void> {
    await index.add(id, allKeysOf(row));
    lease.check();
    await values.set(id, row);
    lease.check();
    await index.keep(id, allKeysOf(row));
  }

  /** Only within `alone`. */
  async function remove(id: string, lease: Lease): Promise<void> {
    lease.check();
    await values.delete(id);
    lease.check();
    await index.keep(id, []);
  }

  async function* ids(key = EVERY_ROW) {
    let after: string | undefined;
    for (;;) {
      const page = await index.members(key, { after, limit: PAGE });
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1);
    }
  }

  return {
    get,
    has: async (id) => (await values.get(id)) !== undefined,
    put: (id, row) => alone(id, (lease) => write(id, row, lease)),
    change: (id, decide) =>
      alone(id, async (lease) => {
        const row = await get(id);
        const next = decide(row);
        if (next === undefined) await remove(id, lease);
        else if (next !== row) await write(id, next, lease);
        return next !== row;
      }),
    forget: (id) => alone(id, (lease) => remove(id, lease)),
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
