/**
 * Use case: a person reads their own page: their requests, those that wait for their decision and, for an admin, the state
 * of things.
 */

import { type Cursor, FROM_THE_OLDEST } from '../../outbox/record-store.ts';
import type { AuditEntry } from '../model/audit/audit-entry.ts';
import type { Kind } from '../model/kinds.ts';
import type { RequestRecord } from '../model/record.ts';
import type { AuditStore, Directory, InForce, RequestStore, Workspaces } from '../ports/ports.ts';
import { OWN_GROUPS, type OwnGroup, ownSubject, STUCK } from '../store/entry.ts';
import { mayAdminister, type PersonProblem, personProblem } from './rules.ts';
import { type Waiting, waitingFor } from './waiting-for.ts';

/** Selects those of a person's own requests that they want to see; undefined: all. */
export type HomeFilter = { group?: OwnGroup | undefined; kind?: Kind | undefined };

/** A place in the list of a person's own requests. */
export type OwnPlace = { group: OwnGroup; before: Cursor };

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
  | { type: 'not_allowed'; problem: PersonProblem }
  | {
      type: 'page';
      /** Epoch milliseconds by the store's clock. */
      at: number;
      own: { records: RequestRecord[]; next: OwnPlace | undefined };
      waiting: Waiting;
      admin: AdminsPart | undefined;
    };

export type HomeDeps = {
  store: RequestStore;
  auditEntries: AuditStore;
  directory: Directory;
  workspaces: Pick<Workspaces, 'settings' | 'inForce'>;
};

const OWN_PAGE = 10;
const WAITING_PAGE = 10;
const MOST_STUCK = 5;
const MOST_ACTS = 10;

/**
 * Reads what one person may see, and nothing else. It costs the same however many requests the workspace has.
 *
 * @throws if Slack or the storage can't be asked
 */
export async function readHome(deps: HomeDeps, question: HomeQuestion): Promise<Home> {
  const { store, directory, workspaces } = deps;
  const { workspace, user } = question;
  const person = await directory.person(workspace, user);
  const problem = personProblem(person);
  if (problem) return { type: 'not_allowed', problem };
  const { settings } = workspaces;
  const [at, own, waiting, isAdmin] = await Promise.all([
    store.now(),
    readOwn(store, question),
    waitingFor(deps, { workspace, user, after: question.waiting, most: WAITING_PAGE }),
    mayAdminister({ directory, settings }, workspace, person),
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
  return { stuck: stuck.slice(0, MOST_STUCK), moreStuck: stuck.length > MOST_STUCK, acts, inForce };
}

const READ_AT_ONCE = 20;
/** A kind of which somebody has few requests must not be looked for forever: the page ends here, and the next one goes on. */
const MOST_OWN_READ = 200;

async function readOwn(
  store: Pick<RequestStore, 'list'>,
  question: HomeQuestion,
): Promise<{ records: RequestRecord[]; next: OwnPlace | undefined }> {
  const { kind } = question.filter;
  const records: RequestRecord[] = [];
  let last = question.own;
  let read = 0;
  for await (const { record, group } of ownRequests(store, question)) {
    if (records.length === OWN_PAGE || read === MOST_OWN_READ) return { records, next: last };
    last = { group, before: { at: record.createdAt, id: record.id } };
    read += 1;
    if (kind === undefined || record.kind === kind) records.push(record);
  }
  return { records, next: undefined };
}

/** Lists group after group, each with its newest first: the unknown outcomes, the open requests, those that have ended. */
async function* ownRequests(
  store: Pick<RequestStore, 'list'>,
  { workspace, user, filter, own: from }: HomeQuestion,
): AsyncGenerator<{ record: RequestRecord; group: OwnGroup }, void> {
  const groups = filter.group === undefined ? OWN_GROUPS : [filter.group];
  for (const group of from ? groups.slice(groups.indexOf(from.group)) : groups) {
    let before = from?.group === group ? from.before : undefined;
    for (let isAll = false; !isAll; ) {
      const wanted = { subject: ownSubject(user, group), limit: READ_AT_ONCE, ...(before && { before }) };
      const page = await store.list(workspace, wanted);
      for (const record of page) yield { record, group };
      before = page.map(({ createdAt, id }) => ({ at: createdAt, id })).at(-1);
      isAll = page.length < READ_AT_ONCE;
    }
  }
}
