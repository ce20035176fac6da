/**
 * Use case: a person reads the requests of their workspace, page by page, by state, person and day of their own time zone.
 * Each filter has a list of its own in the storage.
 */
import type { Cursor } from '../../outbox/record-store.ts';
import type { RequestRecord } from '../model/record.ts';
import type { HistoryGroup } from '../model/states.ts';
import type { RequestStore } from '../ports/ports.ts';
import { historySubject, UNFINISHED } from '../store/subjects.ts';
import { findRequests } from './look-up.ts';
import { type Row, rowsFor } from './possible-actions.ts';
import { beforeCutoff } from './retention.ts';
import { findMember, isSaid, mayAdminister, type NotAllowed, type ReadDeps, remembering } from './who-may.ts';

/** `day`: on which the request was made. A field that is absent lets all requests through. */
export type HistoryFilter = {
  group?: HistoryGroup | undefined;
  day?: Day | undefined;
  requester?: string | undefined;
};

/**
 * Requests past the retention time that are kept because they are unfinished. `more`: there are more than `count`. `days`: the
 * retention time.
 */
export type Overdue = { count: number; more: boolean; days: number };

/** `retentionMs`: the retention time of requests. */
export type HistoryDeps = ReadDeps & { retentionMs: number };

export type HistoryPage =
  | NotAllowed
  /**
   * `next`: the start of the next page; undefined if there is none. `isCut`: older requests for the id have no page.
   * `overdue`: for admins.
   */
  | {
      type: 'page';
      rows: Row[];
      next: Cursor | undefined;
      isCut?: boolean | undefined;
      calendar: Calendar;
      overdue?: Overdue;
    };

const DAY_MS = 24 * 60 * 60_000;

const PAGE = 10;

/** `id`: of a request, an order or an offer: if it is given, the filter does not count; '' or undefined: none. */
export type HistoryQuestion = {
  workspace: string;
  user: string;
  filter: HistoryFilter;
  id?: string | undefined;
  before?: Cursor | undefined;
};

export async function readHistory(deps: HistoryDeps, question: HistoryQuestion): Promise<HistoryPage> {
  const { store, directory, workspaces } = deps;
  const { workspace, user, id = '' } = question;
  const found = await findMember(directory, workspace, user);
  if (found.type === 'not_allowed') return found;
  const { person } = found;
  const now = await store.now();
  const calendar = calendarOf(person.timeZone, now);
  const cutoff = now - deps.retentionMs;
  const reading: Promise<Page> =
    id === '' ? readPage(store, question, { calendar, cutoff }) : findRequests(deps, workspace, id);
  const administrating = { directory: remembering(directory), settings: workspaces.settings };
  const [settings, isAdmin, page] = await Promise.all([
    workspaces.settings(workspace),
    isSaid(mayAdminister(administrating, workspace, person)),
    reading,
  ]);
  const reader = { workspace, person, isAdmin, settings };
  const [rows, overdue] = await Promise.all([
    rowsFor(directory, reader, page.records),
    isAdmin ? readOverdue(deps, workspace, cutoff) : undefined,
  ]);
  const { next, isMore: isCut } = page;
  return { type: 'page', rows, next, isCut, calendar, ...(overdue && { overdue }) };
}

/** `isMore`: there are older requests for the id that the person looks for. */
type Page = { records: RequestRecord[]; next?: Cursor | undefined; isMore?: boolean };

/** Reads one page of the list that fits the filter, and whether there is another page. */
async function readPage(
  store: RequestStore,
  { workspace, filter, before }: HistoryQuestion,
  { calendar, cutoff }: { calendar: Calendar; cutoff: number },
): Promise<Page> {
  const day = filter.day && boundsOf(filter.day, calendar);
  const starts = [
    before,
    day && beforeCutoff(day.to),
    filter.group === 'unfinished' ? beforeCutoff(cutoff) : undefined,
  ];
  const [start] = starts.filter((each) => each !== undefined).sort((a, b) => a.at - b.at);
  const subject = historySubject(filter);
  const found = await store.list(workspace, {
    limit: PAGE + 1,
    ...(start && { before: start }),
    ...(subject !== undefined && { subject }),
  });
  const fitting = found.filter(({ createdAt }) => !day || createdAt >= day.from);
  const records = fitting.slice(0, PAGE);
  const last = records.at(-1);
  const next = last && fitting.length > PAGE ? { at: last.createdAt, id: last.id } : undefined;
  return { records, next };
}

async function readOverdue(
  { store, retentionMs }: HistoryDeps,
  workspace: string,
  cutoff: number,
): Promise<Overdue> {
  const unfinished = { subject: UNFINISHED, before: beforeCutoff(cutoff), limit: PAGE + 1 };
  const { length } = await store.list(workspace, unfinished);
  return { count: Math.min(length, PAGE), more: length > PAGE, days: Math.round(retentionMs / DAY_MS) };
}

/** `date`: as YYYY-MM-DD; undefined: today's. */
export type Day = 'today' | 'yesterday' | { date: string | undefined };

/** The calendar of a person. `zone`: their time zone. `today`: the date there, as YYYY-MM-DD. */
type Calendar = { zone: string; today: string };

/** @param zone as Slack names it ("Europe/Berlin"); one that is unknown here, or missing, is UTC */
export function calendarOf(zone = 'UTC', now: number): Calendar {
  try {
    const there = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
    return { zone, today: there.toPlainDate().toString() };
  } catch (error) {
    if (error instanceof RangeError && zone !== 'UTC') return calendarOf('UTC', now);
    throw error;
  }
}

/** @returns epoch milliseconds: the first of the day, and the first after it. @throws RangeError if the date is none */
export function boundsOf(day: Day, { zone, today }: Calendar): { from: number; to: number } {
  const now = Temporal.PlainDate.from(today);
  const date = typeof day === 'object' ? Temporal.PlainDate.from(day.date ?? today) : now;
  const first = day === 'yesterday' ? now.subtract({ days: 1 }) : date;
  const startOf = (each: Temporal.PlainDate) => each.toZonedDateTime(zone).epochMilliseconds;
  return { from: startOf(first), to: startOf(first.add({ days: 1 })) };
}
