/**
 * Use case: a person reads their own page: their requests, the requests that wait for their decision and, for an admin, the
 * state of the workspace.
 */
import { type Cursor, FROM_THE_OLDEST } from '../../outbox/record-store.ts';
import { counted } from '../model/approval.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import type { Kind } from '../model/kinds.ts';
import type { RequestRecord } from '../model/record.ts';
import type { InForce } from '../model/settings.ts';
import type { AuditStore, Directory, RequestStore, Workspaces } from '../ports/ports.ts';
import {
  type ApproversRule,
  approverSubject,
  newestRequests,
  OWN_GROUPS,
  type OwnGroup,
  ownSubject,
  readRule,
  ruleSubject,
  STUCK,
} from '../store/subjects.ts';
import { ownRequest } from './approvals/approvers.ts';
import {
  findMember,
  isApprovingMember,
  isSaid,
  mayAdminister,
  type NotAllowed,
  type ReadDeps,
  remembering,
} from './who-may.ts';

/** Selects those of a person's own requests that they want to see; undefined: all. */
type HomeFilter = { group?: OwnGroup | undefined; kind?: Kind | undefined };

/** A place in the list of a person's own requests. */
type OwnPlace = { group: OwnGroup; before: Cursor };

/** `own`, `waiting`: where the pages that the person reads begin; undefined: with the first requests. */
export type HomeQuestion = {
  workspace: string;
  user: string;
  filter: HomeFilter;
  own?: OwnPlace | undefined;
  waiting?: Cursor | undefined;
};

/** `stuck`: the oldest requests that don't get on. `moreStuck`: there are more. */
export type AdminsPart = {
  stuck: readonly RequestRecord[];
  moreStuck: boolean;
  acts: readonly AuditEntry[];
  inForce: InForce;
};

export type Home =
  | NotAllowed
  | {
      type: 'page';
      at: number;
      own: { records: RequestRecord[]; next: OwnPlace | undefined };
      waiting: Waiting;
      admin: AdminsPart | undefined;
    };

export type HomeDeps = ReadDeps & { auditEntries: AuditStore; workspaces: Pick<Workspaces, 'inForce'> };

const PAGE = 10;
const MOST_STUCK = 5;
const MOST_ACTS = 10;
/** Records read at once: parsing so many takes no longer than any other click. */
const READ_AT_ONCE = 20;
/** The most requests that are read for one page, if few are of the kind that the person wants to see. The next page goes on. */
const MOST_OWN_READ = 200;
/**
 * The number of user groups and channels that are looked at. A group costs one of Slack's reads a minute, and a channel one for
 * each reader who is not in it.
 */
const MOST_RULES = 10;
/** The most requests that are read for one page, if the person can decide few of them. The next page goes on. */
const MOST_WAITING_READ = 200;

/** Reads what one person may see, and nothing else. It costs the same however many requests the workspace has. */
export async function readHome(ports: HomeDeps, question: HomeQuestion): Promise<Home> {
  const deps = { ...ports, directory: remembering(ports.directory) };
  const { store, directory, workspaces } = deps;
  const { workspace, user } = question;
  const reader = await findMember(directory, workspace, user);
  if (reader.type === 'not_allowed') return reader;
  const { settings } = workspaces;
  const [at, own, waiting, isAdmin] = await Promise.all([
    store.now(),
    readOwn(store, question),
    waitingFor(deps, question),
    isSaid(mayAdminister({ directory, settings }, workspace, reader.person)),
  ]);
  return { type: 'page', at, own, waiting, admin: isAdmin ? await readForAdmin(deps, workspace) : undefined };
}

async function readForAdmin(
  { store, auditEntries, workspaces }: HomeDeps,
  workspace: string,
): Promise<AdminsPart> {
  const oldest = { subject: STUCK, after: FROM_THE_OLDEST, limit: MOST_STUCK + 1 };
  const [stuck, acts, inForce] = await Promise.all([
    store.list(workspace, oldest),
    auditEntries.list(workspace, { limit: MOST_ACTS }),
    workspaces.inForce(workspace),
  ]);
  return {
    stuck: stuck.slice(0, MOST_STUCK),
    moreStuck: stuck.length > MOST_STUCK,
    // Entries that only the audit stream still needs: nothing was done, or the data are removed.
    acts: acts.filter(({ isToBeRemoved }) => !isToBeRemoved),
    inForce,
  };
}

async function readOwn(
  store: RequestStore,
  question: HomeQuestion,
): Promise<{ records: RequestRecord[]; next: OwnPlace | undefined }> {
  const { kind } = question.filter;
  const records: RequestRecord[] = [];
  let last = question.own;
  let read = 0;
  for await (const { record, group } of ownRequests(store, question)) {
    if (records.length === PAGE || read === MOST_OWN_READ) return { records, next: last };
    last = { group, before: placeOf(record) };
    read += 1;
    if (kind === undefined || record.kind === kind) records.push(record);
  }
  return { records, next: undefined };
}

/** Lists group after group, each with its newest first: the unknown outcomes, the open requests, those that have ended. */
async function* ownRequests(
  store: RequestStore,
  { workspace, user, filter, own: from }: HomeQuestion,
): AsyncGenerator<{ record: RequestRecord; group: OwnGroup }, void> {
  const groups = filter.group === undefined ? OWN_GROUPS : [filter.group];
  for (const group of from ? groups.slice(groups.indexOf(from.group)) : groups) {
    const before = from?.group === group ? from.before : undefined;
    const wanted = { workspace, subject: ownSubject(user, group), before };
    const own = newestRequests(store, wanted, READ_AT_ONCE);
    for await (const record of own) yield { record, group };
  }
}

/**
 * `leftOut`: requests may be missing, because there are more rules than were looked at, or because Slack could not say whether a
 * rule names this person. `next`: the start of the next page, if there may be one.
 */
export type Waiting = { records: RequestRecord[]; next: Cursor | undefined; leftOut: boolean };

/**
 * Reads the requests on which a person may vote and has not voted, the oldest first. Their right is checked again with the
 * vote.
 */
async function waitingFor(
  { store, directory }: HomeDeps,
  { workspace, user, waiting: after = FROM_THE_OLDEST }: HomeQuestion,
): Promise<Waiting> {
  const subjects = await store.subjects(workspace, MOST_RULES + 1);
  const rules = subjects.slice(0, MOST_RULES).flatMap((subject) => readRule(subject) ?? []);
  const isIn = await Promise.all(
    rules.map((rule) => isOneOf(directory, workspace, rule, user).catch(() => undefined)),
  );
  const theirs = [approverSubject(user), ...rules.filter((_, i) => isIn[i]).map(ruleSubject)];
  const found = await readOldest({ store, workspace, user, theirs }, after);
  return { ...found, leftOut: subjects.length > MOST_RULES || isIn.includes(undefined) };
}

async function isOneOf(
  directory: Directory,
  workspace: string,
  { type, id }: ApproversRule,
  user: string,
): Promise<boolean> {
  if (type === 'channel') return isApprovingMember(directory, workspace, id, user);
  return (await directory.isInGroup(workspace, id, user)) === true;
}

/** Whether a request waits for the vote of an approver: they have not voted, and may, because it is not their own. */
function awaitsVoteOf(record: RequestRecord, user: string): boolean {
  const { approval } = record;
  if (!approval || ownRequest(record, approval, user)) return false;
  return !counted(approval).some(({ by }) => by === user);
}

/** `theirs`: the subjects under which the requests that a person may vote on are listed. */
type Lists = { store: RequestStore; workspace: string; user: string; theirs: readonly string[] };

/** Reads several lists as one, the oldest request first. A request may be in more than one list. */
async function readOldest(
  lists: Lists,
  from: Cursor,
): Promise<{ records: RequestRecord[]; next: Cursor | undefined }> {
  const records: RequestRecord[] = [];
  let after = from;
  for (let read = 0; read < MOST_WAITING_READ; read += READ_AT_ONCE) {
    const { known, isAll } = await readNext(lists, after);
    for (const record of known) {
      if (records.length === PAGE) return { records, next: after };
      after = placeOf(record);
      if (awaitsVoteOf(record, lists.user)) records.push(record);
    }
    if (isAll) return { records, next: undefined };
  }
  return { records, next: after };
}

/**
 * Reads the next page of each list.
 *
 * @returns `known`: the requests up to the first end of a page that is not the last of its list. Beyond that end, the list may
 *   have requests that are not read yet. `isAll`: each page is the last of its list
 */
async function readNext(
  { store, workspace, theirs }: Lists,
  after: Cursor,
): Promise<{ known: RequestRecord[]; isAll: boolean }> {
  const pages = await Promise.all(
    theirs.map((subject) => store.list(workspace, { subject, after, limit: READ_AT_ONCE })),
  );
  const goingOn = pages.filter(({ length }) => length === READ_AT_ONCE).flatMap((page) => page.at(-1) ?? []);
  const [end] = goingOn.sort(byPlace);
  const all = new Map(pages.flat().map((record) => [record.id, record]));
  const known = [...all.values()].filter((record) => !end || byPlace(record, end) <= 0).sort(byPlace);
  return { known, isAll: end === undefined };
}

const placeOf = ({ createdAt, id }: RequestRecord): Cursor => ({ at: createdAt, id });

/** The ids of requests are ASCII, whose order is that of the bytes. */
const byPlace = (a: RequestRecord, b: RequestRecord): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
