/**
 * Use case: a person reads their own page: their requests, the requests that wait for their decision and, for an admin, the
 * state of the workspace.
 */
import { type Cursor, FROM_THE_OLDEST } from '../../outbox/record-store.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import type { Kind } from '../model/kinds.ts';
import type { RequestRecord } from '../model/record.ts';
import type { InForce } from '../model/settings.ts';
import type { AuditStore, Person, RequestStore, Workspaces } from '../ports/ports.ts';
import { cursorOf, newestRequests, OWN_GROUPS, type OwnGroup, ownSubject, STUCK } from '../store/subjects.ts';
import {
  type AwaitedVotes,
  type AwaitedVotesPage,
  PAGE,
  READ_AT_ONCE,
  votesOf,
} from './approvals/awaited-votes.ts';
import { type Row, rowsFor } from './history.ts';
import { findMember, isSaid, mayAdminister, type NotAllowed, type ReadDeps, remembering } from './who-may.ts';

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
  waiting?: AwaitedVotesPage | undefined;
};

/** `stuck`: the oldest requests that don't get on, with what this admin may do. `moreStuck`: there are more. */
export type AdminsPart = {
  stuck: readonly Row[];
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
      waiting: AwaitedVotes;
      admin: AdminsPart | undefined;
    };

export type HomeDeps = ReadDeps & { auditEntries: AuditStore; workspaces: Pick<Workspaces, 'inForce'> };

/** The page has no room for more. */
const MOST_STUCK = 4;
const MOST_ACTS = 10;
/** The most requests that are read for one page, if few are of the kind that the person wants to see. The next page goes on. */
const MOST_OWN_READ = 200;

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
    votesOf(deps, question, question.waiting),
    isSaid(mayAdminister({ directory, settings }, workspace, reader.person)),
  ]);
  return {
    type: 'page',
    at,
    own,
    waiting,
    admin: isAdmin ? await readForAdmin(deps, workspace, reader.person) : undefined,
  };
}

async function readForAdmin(
  { store, directory, auditEntries, workspaces }: HomeDeps,
  workspace: string,
  person: Person,
): Promise<AdminsPart> {
  const oldest = { subject: STUCK, after: FROM_THE_OLDEST, limit: MOST_STUCK + 1 };
  const [stuck, acts, inForce] = await Promise.all([
    store.list(workspace, oldest),
    auditEntries.list(workspace, { limit: MOST_ACTS }),
    workspaces.inForce(workspace),
  ]);
  const admin = { workspace, person, isAdmin: true, settings: inForce.settings };
  return {
    stuck: await rowsFor(directory, admin, stuck.slice(0, MOST_STUCK)),
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
    last = { group, before: cursorOf(record) };
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
