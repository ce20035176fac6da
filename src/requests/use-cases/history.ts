/**
 * Use case: a person reads the requests of their workspace, page by page, by state, person and day of their own time zone, and
 * what they may do with each. Each filter has a list of its own in the storage.
 */
import type { Cursor } from '../../outbox/record-store.ts';
import type { Policy } from '../model/policy.ts';
import type { RequestRecord } from '../model/record.ts';
import type { Settings } from '../model/settings.ts';
import type { HistoryGroup } from '../model/states.ts';
import type { Directory, Person, RequestStore } from '../ports/ports.ts';
import { historySubject } from '../store/subjects.ts';
import { findRequests } from './look-up.ts';
import { offeredActions, offersAgain, recordableActions } from './possible-actions.ts';
import { beforeCutoff } from './retention.ts';
import {
  findMember,
  isApprover,
  isSaid,
  mayAdminister,
  type NotAllowed,
  outsideOfGroup,
  type ReadDeps,
  type RoleAction,
  remembering,
  rolesFor,
  rolesOf,
} from './who-may.ts';

/** `day`: on which the request was made. A field that is absent lets all requests through. */
export type HistoryFilter = {
  group?: HistoryGroup | undefined;
  day?: Day | undefined;
  requester?: string | undefined;
};

export const ROW_ACTIONS = ['record', 'withdraw', 'retry', 'request_again'] as const;
export type RowAction = (typeof ROW_ACTIONS)[number];

export type Row = { record: RequestRecord; actions: readonly RowAction[] };

export type HistoryPage =
  | NotAllowed
  /** `next`: the start of the next page; undefined if there is none. `isCut`: older requests for the id have no page. */
  | {
      type: 'page';
      rows: Row[];
      next: Cursor | undefined;
      isCut?: boolean | undefined;
      calendar: Calendar;
    };

const PAGE = 10;

/** `id`: of a request, an order or an offer: if it is given, the filter does not count; '' or undefined: none. */
export type HistoryQuestion = {
  workspace: string;
  user: string;
  filter: HistoryFilter;
  id?: string | undefined;
  before?: Cursor | undefined;
};

export async function readHistory(deps: ReadDeps, question: HistoryQuestion): Promise<HistoryPage> {
  const { store, directory, workspaces } = deps;
  const { workspace, user, id = '' } = question;
  const found = await findMember(directory, workspace, user);
  if (found.type === 'not_allowed') return found;
  const { person } = found;
  const calendar = calendarOf(person.timeZone, await store.now());
  const reading: Promise<Page> =
    id === '' ? readPage(store, question, calendar) : findRequests(deps, workspace, id);
  const administrating = { directory: remembering(directory), settings: workspaces.settings };
  const [settings, isAdmin, page] = await Promise.all([
    workspaces.settings(workspace),
    isSaid(mayAdminister(administrating, workspace, person)),
    reading,
  ]);
  const reader = { workspace, person, isAdmin, settings };
  const rows = await rowsFor(directory, reader, page.records);
  const { next, isMore: isCut } = page;
  return { type: 'page', rows, next, isCut, calendar };
}

/** `isMore`: there are older requests for the id that the person looks for. */
type Page = { records: RequestRecord[]; next?: Cursor | undefined; isMore?: boolean };

/** Reads one page of the list that fits the filter, and whether there is another page. */
async function readPage(
  store: RequestStore,
  { workspace, filter, before }: HistoryQuestion,
  calendar: Calendar,
): Promise<Page> {
  // After midnight, the day of the older pages is still that of the request after which they begin.
  const isRelative = typeof filter.day === 'string';
  const chosen = before && isRelative ? { date: calendarOf(calendar.zone, before.at).today } : filter.day;
  const day = chosen && boundsOf(chosen, calendar);
  const starts = [before, day && beforeCutoff(day.to)].filter((each) => each !== undefined);
  const [start] = starts.sort((a, b) => a.at - b.at);
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

/** A person who reads a list. */
type Reader = { workspace: string; person: Person; isAdmin: boolean; settings: Settings };

/**
 * Lists requests with what a person may do with each. The right is checked again when they do it. Slack is asked once for each
 * rule that names approvers, and once for the group that may request.
 */
export async function rowsFor(
  asking: Directory,
  reader: Reader,
  records: readonly RequestRecord[],
): Promise<Row[]> {
  const directory = remembering(asking);
  const { workspace, person, isAdmin, settings } = reader;
  const asked = new Map<string, Promise<boolean>>();
  const once = (name: string, ask: () => Promise<boolean>) => asked.getOrInsertComputed(name, ask);
  const approves = (policy: Policy) =>
    once(JSON.stringify([policy.approvers, policy.channel]), () =>
      isSaid(isApprover(directory, workspace, policy, person.id)),
    );
  const isRequester = async () =>
    (await outsideOfGroup(directory, { workspace, requester: person.id, settings })) === undefined;
  const may = async (record: RequestRecord, action: RowAction) => {
    if (action === 'retry' || action === 'request_again') return once('request', () => isSaid(isRequester()));
    const acts: readonly RoleAction[] = action === 'record' ? recordableActions(record) : [action];
    const roles = acts.flatMap((act) => rolesFor(record, act));
    const own = rolesOf(record, { id: person.id, isAdmin, isApprover: false });
    if (roles.some((role) => own.has(role))) return true;
    return roles.includes('approvers') && record.approval !== undefined && approves(record.approval.policy);
  };
  return Promise.all(
    records.map(async (record) => {
      const actions = offered(record);
      const isTheirs = await Promise.all(actions.map((action) => may(record, action)));
      return { record, actions: actions.filter((_, i) => isTheirs[i]) };
    }),
  );
}

function offered(record: RequestRecord): RowAction[] {
  const onCard = offeredActions(record);
  return [
    'record',
    ...(['withdraw', 'retry'] as const).filter((action) => onCard.includes(action)),
    ...(offersAgain(record) ? ['request_again' as const] : []),
  ];
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
