/** The approval that a request needs, by the policy in force, with all that its approvers should know. */

import type { Kind } from '../kinds.ts';
import type { Directory, RequestStore, Workspaces } from '../ports.ts';
import { type RequestRecord, subjectOf } from '../record.ts';
import { standingOf } from '../standing.ts';
import type { Earlier, NewApproval } from './approval.ts';
import { approversProblem } from './approvers.ts';
import type { Policy } from './policy.ts';

/** How many earlier requests for the same target the approvers are shown. */
const EARLIER_SHOWN = 3;

export type ApprovalDeps = { store: RequestStore; directory: Directory; workspaces: Workspaces };

type Wanted = { workspace: string; id: string; kind: Kind; target: string; asker: string };

/**
 * @returns undefined where the kind of request needs none
 * @throws where the policy can't be read, or Slack can't be asked: then nothing is asked (invariant 10)
 */
export async function approvalNeeded(deps: ApprovalDeps, wanted: Wanted): Promise<NewApproval | undefined> {
  const { policies } = await deps.workspaces.settings(wanted.workspace);
  const policy = policies?.[wanted.kind];
  return policy && approvalUnder(deps, policy, wanted);
}

/** The same under a given policy. */
export async function approvalUnder(
  { store, directory }: ApprovalDeps,
  policy: Policy,
  { workspace, id, kind, target, asker }: Wanted,
): Promise<NewApproval> {
  const [problem, others] = await Promise.all([
    approversProblem(directory, workspace, policy, asker),
    store.listBySubject(workspace, subjectOf(kind, target), EARLIER_SHOWN + 1),
  ]);
  const earlier = others.filter((other) => other.id !== id).slice(0, EARLIER_SHOWN);
  return { policy, problem, earlier: earlier.map(toEarlier) };
}

export function toEarlier(record: RequestRecord): Earlier {
  const { id, kind, target, asker, askedAt } = record;
  return { id, kind, target, asker, askedAt, ...standingOf(record) };
}
