/** Use case: somebody wants to know how a request stands. */
import { KIND_NAMES } from './kinds.ts';
import type { Directory, RequestStore } from './ports.ts';
import { type RequestRecord, subjectOf } from './record.ts';
import { type PersonProblem, personProblem } from './rules.ts';

export type LookUpDeps = { store: RequestStore; directory: Directory };

export type LookedUp =
  | { type: 'not_allowed'; problem: PersonProblem }
  | { type: 'none' }
  /** The reason is for the asker, admins and the members of the request's channel (design, "Who may"). */
  | { type: 'found'; record: RequestRecord; showsReason: boolean }
  /** Several requests for one order or offer, the newest first. */
  | { type: 'several'; records: RequestRecord[] };

const MOST_LISTED = 10;

/** @param query the id of a request, or of the order or offer that it was for */
export async function lookUp(
  deps: LookUpDeps,
  { workspace, user, query }: { workspace: string; user: string; query: string },
): Promise<LookedUp> {
  const person = await deps.directory.person(workspace, user);
  const problem = personProblem(person);
  if (problem) return { type: 'not_allowed', problem };
  const [record, ...more] = await find(deps.store, workspace, query);
  if (!record) return { type: 'none' };
  if (more.length > 0) return { type: 'several', records: [record, ...more] };
  const close = record.asker === user || person?.isAdmin === true;
  const showsReason = close || (await deps.directory.isChannelMember(workspace, record.channel, user));
  return { type: 'found', record, showsReason };
}

async function find(store: RequestStore, workspace: string, query: string): Promise<RequestRecord[]> {
  const byId = await store.get({ workspace, id: query.toLowerCase() });
  if (byId) return [byId.record];
  const subjects = new Set(KIND_NAMES.map((kind) => subjectOf(kind, query)));
  const found = await Promise.all(
    [...subjects].map((subject) => store.listBySubject(workspace, subject, MOST_LISTED)),
  );
  return found.flat();
}
