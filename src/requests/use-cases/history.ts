/** Use case: a person reads the latest requests of their workspace. */

import type { Cursor } from '../../outbox/record-store.ts';
import type { Kind } from '../model/kinds.ts';
import type { Timings } from '../model/pending-effects.ts';
import type { RequestRecord } from '../model/record.ts';
import type { State } from '../model/states.ts';
import type { Directory, RequestStore, Workspaces } from '../ports/ports.ts';
import { historySubject, UNFINISHED } from '../store/entry.ts';
import { beforeCutoff, isOverdue } from './retention.ts';
import { mayAdminister, type PersonProblem, personProblem } from './rules.ts';

/** `overdue`: kept past its retention time because it is still open; shown to admins, who must resolve it. */
export type HistoryFilter = { state?: State; kind?: Kind; requester?: string; overdue?: boolean };

/** The number of overdue requests; `more`: there are at least so many. `days`: the retention time. */
export type Overdue = { count: number; more: boolean; days: number };

export type HistoryDeps = {
  store: RequestStore;
  directory: Directory;
  workspaces: Pick<Workspaces, 'settings'>;
  timings: Timings;
  retentionMs: number;
};

export type HistoryPage =
  | { type: 'not_allowed'; problem: PersonProblem }
  /** `next`: the start of the next page; undefined if there is none. */
  | { type: 'page'; records: RequestRecord[]; next: Cursor | undefined; overdue?: Overdue };

const DAY_MS = 24 * 60 * 60_000;

const PAGE = 10;
/** Records are parsed without a pause: so few take about as long as any other click. */
const READ_AT_ONCE = 20;
/** Filters that rarely meet must not read forever: the page ends here, and the next page goes on. */
const MOST_READ = 500;

type Question = {
  workspace: string;
  user: string;
  filter: HistoryFilter;
  before?: Cursor | undefined;
};

export async function readHistory(deps: HistoryDeps, question: Question): Promise<HistoryPage> {
  const { workspace, user, filter, before } = question;
  const { directory, workspaces } = deps;
  const person = await directory.person(workspace, user);
  const problem = personProblem(person);
  if (problem) return { type: 'not_allowed', problem };
  if (await mayAdminister({ directory, settings: workspaces.settings }, workspace, person))
    return readForAdmin(deps, question);
  const wanted = { workspace, before, most: PAGE, subject: subjectOfFilter(filter) };
  return { type: 'page', ...(await search(deps.store, { ...wanted, fits: (each) => fits(each, filter) })) };
}

async function readForAdmin(
  { store, timings, retentionMs }: HistoryDeps,
  { workspace, filter, before }: Question,
): Promise<HistoryPage> {
  const cutoff = (await store.now()) - retentionMs;
  const from = beforeCutoff(cutoff);
  const isOne = (record: RequestRecord) => isOverdue(record, cutoff, timings);
  const unfinished = { workspace, before: from, most: MOST_READ, subject: UNFINISHED };
  const all = await search(store, { ...unfinished, fits: isOne });
  const page = await search(store, {
    workspace,
    before: filter.overdue ? older(before, from) : before,
    most: PAGE,
    subject: filter.overdue ? UNFINISHED : subjectOfFilter(filter),
    fits: (record) => fits(record, filter) && (!filter.overdue || isOne(record)),
  });
  const days = Math.round(retentionMs / DAY_MS);
  return {
    type: 'page',
    ...page,
    overdue: { count: all.records.length, more: all.next !== undefined, days },
  };
}

/** `most`: the largest number of results. */
type Wanted = {
  workspace: string;
  before: Cursor | undefined;
  most: number;
  /** The list to read; undefined: of all requests. */
  subject: string | undefined;
  fits: (record: RequestRecord) => boolean;
};

/** @returns `next`: where the search stopped, if there may be more */
async function search(
  store: RequestStore,
  { workspace, before: from, most, subject, fits: isWanted }: Wanted,
): Promise<{ records: RequestRecord[]; next: Cursor | undefined }> {
  const records: RequestRecord[] = [];
  let before = from;
  for (let read = 0; read < MOST_READ; read += READ_AT_ONCE) {
    const page = await store.list(workspace, {
      limit: READ_AT_ONCE,
      ...(before && { before }),
      ...(subject !== undefined && { subject }),
    });
    for (const record of page) {
      if (records.length === most) return { records, next: before };
      before = { at: record.createdAt, id: record.id };
      if (isWanted(record)) records.push(record);
    }
    if (page.length < READ_AT_ONCE) return { records, next: undefined };
  }
  return { records, next: before };
}

/** Returns the shortest list that holds all that a filter lets through, as far as can be told. */
function subjectOfFilter({ requester, state, kind }: HistoryFilter): string | undefined {
  if (requester !== undefined) return historySubject('requester', requester);
  if (state !== undefined) return historySubject('state', state);
  return kind === undefined ? undefined : historySubject('kind', kind);
}

const older = (one: Cursor | undefined, other: Cursor): Cursor => (one && one.at < other.at ? one : other);

function fits(record: RequestRecord, { state, kind, requester }: HistoryFilter): boolean {
  return (
    (state === undefined || record.state === state) &&
    (kind === undefined || record.kind === kind) &&
    (requester === undefined || record.requester === requester)
  );
}
