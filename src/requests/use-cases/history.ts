/** Use case: somebody looks through the latest requests of their workspace. */

import type { Kind } from '../model/kinds.ts';
import type { Timings } from '../model/pending-effects.ts';
import type { RequestRecord } from '../model/record.ts';
import type { State } from '../model/states.ts';
import type { Directory, RequestStore } from '../ports/ports.ts';
import type { Cursor } from '../ports/record-store.ts';
import { beforeCutoff, isOverdue } from './retention.ts';
import { mayAdminister, type PersonProblem, personProblem } from './rules.ts';

/** `overdue`: kept, although its time is over, because it is still open; for admins, who have to see to it. */
export type HistoryFilter = { state?: State; kind?: Kind; asker?: string; overdue?: boolean };

/** How many requests are overdue; `more`: at least so many. `days`: how long others are kept. */
export type Overdue = { count: number; more: boolean; days: number };

export type HistoryDeps = {
  store: RequestStore;
  directory: Directory;
  timings: Timings;
  retentionMs: number;
};

export type HistoryPage =
  | { type: 'not_allowed'; problem: PersonProblem }
  /** `next`: where the page after this one begins; undefined where there is none. */
  | { type: 'page'; records: RequestRecord[]; next: Cursor | undefined; overdue?: Overdue };

const DAY_MS = 24 * 60 * 60_000;

const PAGE = 10;
const READ_AT_ONCE = 100;
/** A filter that fits nothing must not read for ever: the page then ends here, and can be turned. */
const MOST_READ = 2_000;

type Question = {
  workspace: string;
  user: string;
  filter: HistoryFilter;
  before?: Cursor | undefined;
};

export async function readHistory(deps: HistoryDeps, question: Question): Promise<HistoryPage> {
  const { workspace, user, filter, before } = question;
  const person = await deps.directory.person(workspace, user);
  const problem = personProblem(person);
  if (problem) return { type: 'not_allowed', problem };
  if (mayAdminister(person)) return readForAdmin(deps, question);
  const wanted = { workspace, before, most: PAGE, fits: (record: RequestRecord) => fits(record, filter) };
  return { type: 'page', ...(await search(deps.store, wanted)) };
}

async function readForAdmin(
  { store, timings, retentionMs }: HistoryDeps,
  { workspace, filter, before }: Question,
): Promise<HistoryPage> {
  const cutoff = (await store.now()) - retentionMs;
  const from = beforeCutoff(cutoff);
  const isOne = (record: RequestRecord) => isOverdue(record, cutoff, timings);
  const all = await search(store, { workspace, before: from, most: MOST_READ, fits: isOne });
  const page = await search(store, {
    workspace,
    before: filter.overdue ? older(before, from) : before,
    most: PAGE,
    fits: (record) => fits(record, filter) && (!filter.overdue || isOne(record)),
  });
  const days = Math.round(retentionMs / DAY_MS);
  return {
    type: 'page',
    ...page,
    overdue: { count: all.records.length, more: all.next !== undefined, days },
  };
}

/** `most`: how many are wanted. */
type Wanted = {
  workspace: string;
  before: Cursor | undefined;
  most: number;
  fits: (record: RequestRecord) => boolean;
};

/** @returns `next`: where it stopped, where there may be more */
async function search(
  store: RequestStore,
  { workspace, before: from, most, fits: isWanted }: Wanted,
): Promise<{ records: RequestRecord[]; next: Cursor | undefined }> {
  const records: RequestRecord[] = [];
  let before = from;
  for (let read = 0; read < MOST_READ; read += READ_AT_ONCE) {
    const page = await store.list(workspace, { limit: READ_AT_ONCE, ...(before ? { before } : {}) });
    for (const record of page) {
      if (records.length === most) return { records, next: before };
      before = { at: record.askedAt, id: record.id };
      if (isWanted(record)) records.push(record);
    }
    if (page.length < READ_AT_ONCE) return { records, next: undefined };
  }
  return { records, next: before };
}

const older = (one: Cursor | undefined, other: Cursor): Cursor => (one && one.at < other.at ? one : other);

function fits(record: RequestRecord, { state, kind, asker }: HistoryFilter): boolean {
  return (
    (state === undefined || record.state === state) &&
    (kind === undefined || record.kind === kind) &&
    (asker === undefined || record.asker === asker)
  );
}
