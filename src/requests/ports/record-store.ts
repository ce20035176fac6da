/** The port of a store of records with compare-and-set: each storage implements it once, for every kind of record. */

/** What names a record. Nothing is ever read without its workspace (invariant 6). */
export type RecordRef = { workspace: string; id: string };

export type Stored = RecordRef & { version: number };

/** A record with what the store indexes it by. */
export type Entry<R extends Stored> = {
  record: R;
  /**
   * What it is found by: it is listed under each of them. They change while the record lives: a request is found by its
   * order, and also by the Slack message that stands for it, which is known only after it was posted. None is allowed,
   * and one that is named twice counts once.
   */
  subjects: readonly string[];
  /** When it came to be, epoch milliseconds: lists have the newest first. An update does not change it. */
  at: number;
  /** What no second record of the workspace may hold while this one does. */
  slot: string | undefined;
  /** When something is owed next, epoch milliseconds. */
  dueAt: number | undefined;
};

export type Creation<R> = { type: 'created' } | { type: 'exists'; record: R } | { type: 'slot_taken'; by: R };

/** Where the next page of a list begins. */
export type Cursor = { at: number; id: string };

/** Every time is epoch milliseconds by the store's own clock. Whatever throws here is a fault, never a "no". */
export type RecordStore<R extends Stored> = {
  now(): Promise<number>;
  /** Writes a new record and takes its slot, or says what stands in the way. */
  create(entry: Entry<R>): Promise<Creation<R>>;
  get(ref: RecordRef): Promise<{ record: R; now: number } | undefined>;
  /**
   * Writes `entry` as version `expected` + 1, if version `expected` still stands and its slot is free or its own. Its
   * subjects take the place of those that it had: all of it is one step, and where it is not done nothing is changed.
   */
  update(entry: Entry<R>, expected: number): Promise<'updated' | 'conflict' | 'slot_taken'>;
  /**
   * Removes the record with everything that the store knows of it, under each of its subjects, in one step: if version
   * `expected` still stands or, where none is expected, whatever stands there.
   */
  remove(ref: RecordRef, expected?: number): Promise<'removed' | 'conflict'>;
  /** The same for up to `limit` records of a workspace, whether they can be read or not. @returns how many it were */
  removeSome(workspace: string, limit: number): Promise<number>;
  /** How many records a workspace has. */
  count(workspace: string): Promise<number>;
  /**
   * Up to `limit` records that owe something now: the workspaces in turn, each with those that have waited longest first,
   * so that the backlog of one of them hides nothing of the others.
   */
  due(limit: number): Promise<RecordRef[]>;
  /**
   * Puts off what a record owes: where it can't be read, or can't be advanced, others must not wait behind it. What is due
   * later is not brought forward: it may have been settled just before the storage failed.
   */
  postpone(ref: RecordRef, ms: number): Promise<void>;
  /** The newest records under one subject, by (`at`, `id`). */
  listBySubject(workspace: string, subject: string, limit: number): Promise<R[]>;
  /** Records of a workspace that hold a slot, in no order. */
  listHolding(workspace: string, limit: number): Promise<R[]>;
  /** The records of a workspace, the newest first, from after `before` on. */
  list(workspace: string, page: { before?: Cursor; limit: number }): Promise<R[]>;
};
