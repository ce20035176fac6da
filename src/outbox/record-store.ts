/**
 * The port for record stores with compare-and-set: each storage implements it once, for every type of record. Lists are read
 * page by page, because a workspace may have more records than fit into memory.
 */
import { z } from 'zod';

/** Whether a stored record can't be read: it is damaged, or a newer version has written it in another shape. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof z.ZodError || error instanceof SyntaxError;

/** Stands in place of a workspace for records that belong to none, or to all. No id of a workspace is a star. */
export const NO_WORKSPACE = '*';

/** The version of a record until the store has drawn one. */
export const NOT_STORED = 0;

/** Identifies a record. Nothing is ever read without its workspace (promise 6). */
export type RecordRef = { workspace: string; id: string };

/** Names a record among those of one type. */
export const nameOfRecord = ({ workspace, id }: RecordRef): string => `${workspace}/${id}`;

/** `version`: drawn by the store at each write. No record ever has it again, even if a failover has undone the write. */
export type Stored = RecordRef & { version: number };

/** The types of records. Ids are unique within a workspace and a type. */
export const RECORD_TYPES = [
  'requests',
  'notices',
  'uninstalls',
  'settings',
  'unsigned_events',
  'recent_requests',
  'connections',
  'tokens',
  'audit_entries',
  'installations',
  'organizations',
  'used_states',
  'tasks',
] as const;
export type RecordTypeName = (typeof RECORD_TYPES)[number];

/** The id of the one record of type `settings` that a workspace has: what admins set, and nothing else. */
export const SETTINGS_ID = 'settings';

/**
 * Makes a write conditional on another record: it still has this version or, if `version` is undefined, does not exist.
 * It is checked in the same atomic step as the write. `workspace`: that of the other record, if it differs: none
 * (NO_WORKSPACE), or the organization of this workspace.
 */
export type Condition = {
  type: RecordTypeName;
  id: string;
  version: number | undefined;
  workspace?: string;
};

/** The beginning of the subjects that can be listed themselves (`subjects`). A workspace has few of them at a time. */
export const LISTED_SUBJECT = 'listed:';

/** A record with the keys that the store indexes it by. */
export type Entry<R extends Stored> = {
  record: R;
  /**
   * The subjects under which the record is listed. They change during its life: a request is found by its order, and
   * also by its message in Slack, which is known only after it was posted. The list may be empty, and duplicates count
   * once.
   */
  subjects: readonly string[];
  /** The time of creation: lists are sorted by it, the newest first. An update does not change it. */
  at: number;
  /** The key that no second record of the workspace may hold at the same time. */
  slot: string | undefined;
  /** The time at which the next effect is due. */
  dueAt: number | undefined;
};

/**
 * A further record of any type, created in the same atomic step as a write to its workspace. If its id exists already, that
 * record stays as it is and the write is made all the same: a repeated act creates it once. A further record takes no slot.
 */
export type Further = { type: RecordTypeName; entry: Omit<Entry<Stored>, 'slot'> };

/** `unmet`: a condition of the write does not hold, and nothing was written. */
export type Creation<R> =
  | { type: 'created'; version: number }
  | { type: 'exists'; record: R }
  | { type: 'unmet' }
  | { type: 'slot_taken'; by: R };

/** The result of an update, or the first thing that prevents it. `unmet`: as for a creation. */
export type Updated = { type: 'updated'; version: number } | { type: 'conflict' | 'unmet' | 'slot_taken' };

/** A place in a list, before or after which a page begins. */
export type Cursor = { at: number; id: string };

/** A place before every record, for a page that begins with the oldest one. */
export const FROM_THE_OLDEST: Cursor = { at: 0, id: '' };

/** The part of a list that is read: the newest records, or those before or after a place. */
export type Page = { subject?: string; limit: number } & ({ before?: Cursor } | { after: Cursor });

/**
 * Stores records of one type. All times are epoch milliseconds by the store's own clock. Whatever throws here is a
 * fault, never a "no". A creation or update may depend on other records (`conditions`) and create further ones: all of
 * it is one atomic step, and what prevents the write prevents the further records, too.
 */
export type RecordStore<R extends Stored> = {
  now(): Promise<number>;
  /** Writes a new record and takes its slot, or returns the first thing that prevents it, in the order of `Creation`. */
  create(
    entry: Entry<R>,
    conditions?: readonly Condition[],
    further?: readonly Further[],
  ): Promise<Creation<R>>;
  /** Reads a record. `now`: the time of the read. */
  get(ref: RecordRef): Promise<{ record: R; now: number } | undefined>;
  /** Reads a record without the time: on Redis that is one command in place of a script. */
  read(ref: RecordRef): Promise<R | undefined>;
  /**
   * Writes `entry` under a new version, if version `expected` is current, the conditions are met, and its slot is free or
   * its own. Its subjects replace the former ones.
   */
  update(
    entry: Entry<R>,
    expected: number,
    conditions?: readonly Condition[],
    further?: readonly Further[],
  ): Promise<Updated>;
  /**
   * Removes the record and all its index entries in one step: if version `expected` is current or, without `expected`,
   * whatever the version.
   */
  remove(ref: RecordRef, expected?: number): Promise<'removed' | 'conflict'>;
  /** Removes up to `limit` records of a workspace, readable or not. @returns the number of removed records */
  removeSome(workspace: string, limit: number): Promise<number>;
  count(workspace: string): Promise<number>;
  /** Lists the workspaces with records after `after`, each once, in an order that does not change. */
  workspaces(page: { after: string | undefined; limit: number }): Promise<string[]>;
  /**
   * Returns up to `limit` records with due effects. Workspaces take turns, each with its longest-waiting records first,
   * so that one workspace's backlog hides nothing of the others.
   */
  due(limit: number): Promise<RecordRef[]>;
  /**
   * Postpones a due record that can't be read or advanced, so that others need not wait behind it. A later due time
   * stays as it is: the record may have been updated just before the storage failed.
   */
  postpone(ref: RecordRef, ms: number): Promise<void>;
  /** Lists the newest records of a subject, by (`at`, `id`). `now`: the time of the read. */
  listBySubject(workspace: string, subject: string, limit: number): Promise<{ records: R[]; now: number }>;
  /**
   * Lists the records of a workspace, or of one of its subjects: the newest first, those before `before`, or the oldest
   * first, those after `after`. Other work has its turn before each page.
   */
  list(workspace: string, page: Page): Promise<R[]>;
  /**
   * Lists the subjects that the records of a workspace have now, of those that begin with LISTED_SUBJECT, in the order of
   * their bytes.
   */
  subjects(workspace: string, limit: number): Promise<string[]>;
};

/** The number of records, or of workspaces, that are read at once. */
const PAGE = 200;

/**
 * Lists the records of a workspace, or of one of its subjects, the newest first.
 *
 * @param at the time by which the record is listed
 * @param atOnce the number of records that are read at once
 */
export async function* newestFirst<R extends Stored>(
  { list }: Pick<RecordStore<R>, 'list'>,
  {
    workspace,
    subject,
    before: from,
  }: { workspace: string; subject?: string | undefined; before?: Cursor | undefined },
  at: (record: R) => number,
  atOnce = PAGE,
): AsyncGenerator<R, void> {
  const about = subject === undefined ? {} : { subject };
  let before = from;
  for (;;) {
    const page = await list(workspace, { ...about, limit: atOnce, ...(before && { before }) });
    for (const record of page) {
      yield record;
      before = { at: at(record), id: record.id };
    }
    if (page.length < atOnce) return;
  }
}

/** The time of creation of records that are listed by their ids alone. */
const LISTED_AT = 0;

/** The entry of a record that is found by its id alone, and is never due. */
export const byId = <R extends Stored>(record: R): Entry<R> => ({
  record,
  subjects: [],
  at: LISTED_AT,
  slot: undefined,
  dueAt: undefined,
});

/** `conflict`: somebody else has written. `unmet`: a condition does not hold. Nothing was written then. */
export type Written = { type: 'written'; version: number } | { type: 'conflict' | 'unmet' };

/** Writes a record under the version that was read, or anew if that is NOT_STORED. */
export async function writeRecord<R extends Stored>(
  store: Pick<RecordStore<R>, 'create' | 'update'>,
  entry: Entry<R>,
  conditions: readonly Condition[] = [],
  further: readonly Further[] = [],
): Promise<Written> {
  const { version } = entry.record;
  const written = await (version === NOT_STORED
    ? store.create(entry, conditions, further)
    : store.update(entry, version, conditions, further));
  if ('version' in written) return { type: 'written', version: written.version };
  return { type: written.type === 'unmet' ? 'unmet' : 'conflict' };
}

/** Lists the records that were created at LISTED_AT. */
export const listById = <R extends Stored>(
  store: Pick<RecordStore<R>, 'list'>,
  workspace: string,
  subject?: string,
): AsyncGenerator<R, void> => newestFirst(store, { workspace, subject }, () => LISTED_AT);

/** Lists the workspaces that have records, each once. */
export async function* listWorkspaces<R extends Stored>({
  workspaces,
}: Pick<RecordStore<R>, 'workspaces'>): AsyncGenerator<string, void> {
  let after: string | undefined;
  for (;;) {
    const page = await workspaces({ after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1);
  }
}
