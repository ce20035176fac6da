/** Finds a request for a person, with the roles that they have in it. */
import type { RecordRef } from '../../outbox/record-store.ts';
import { TERMINAL } from '../model/audit-entry.ts';
import type { RequestRecord } from '../model/record.ts';
import type { Directory, RequestStore, Workspaces } from '../ports/ports.ts';
import {
  isApprover,
  mayAdminister,
  type PersonProblem,
  personProblem,
  type Role,
  type RoleAction,
  rolesFor,
  rolesOf,
} from './who-may.ts';

type Deps = { store: RequestStore; directory: Directory; workspaces: Pick<Workspaces, 'settings'> };

/** A request, and the roles of a person in it. */
export type Actor = { record: RequestRecord; roles: ReadonlySet<Role> };

export type FoundWithRoles =
  | ({ type: 'found' } & Actor)
  | { type: 'not_found' }
  | { type: 'not_allowed'; problem: PersonProblem };

/** The operator at the terminal stands for an admin, and never for an approver. */
const OPERATOR: ReadonlySet<Role> = new Set(['admins']);

/**
 * Finds a request, and the roles of a person in it.
 *
 * @param who `by`: a person, or `TERMINAL`
 * @throws if the storage or Slack can't be read
 */
export async function findWithRoles(
  { store, directory, workspaces }: Deps,
  { workspace, id, by }: RecordRef & { by: string },
): Promise<FoundWithRoles> {
  const isOperator = by === TERMINAL;
  const [found, person] = await Promise.all([
    store.get({ workspace, id }),
    isOperator ? undefined : directory.person(workspace, by),
  ]);
  if (!found) return { type: 'not_found' };
  const { record } = found;
  if (isOperator) return { type: 'found', record, roles: OPERATOR };
  const problem = personProblem(person);
  if (problem) return { type: 'not_allowed', problem };
  const [isOne, isAdmin] = await Promise.all([
    record.approval ? isApprover(directory, workspace, record.approval.policy, by) : false,
    mayAdminister({ directory, settings: workspaces.settings }, workspace, person),
  ]);
  return { type: 'found', record, roles: rolesOf(record, { id: by, isAdmin, isApprover: isOne }) };
}

/** @param state of the request; that in which a person saw it, to tell whether they might have done it then */
export const mayDo = ({ record, roles }: Actor, action: RoleAction, state: string = record.state): boolean =>
  rolesFor({ ...record, state }, action).some((role) => roles.has(role));
