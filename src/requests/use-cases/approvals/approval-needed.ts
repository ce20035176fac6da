/** Finds the approval that a request needs under a policy, and whether enough approvers are left for it. */
import type { NewApproval } from '../../model/approvals/approval.ts';
import type { ApproversProblem, Policy } from '../../model/approvals/policy.ts';
import type { Kind } from '../../model/kinds.ts';
import { type RequestRecord, subjectOf, wantedAgainBy } from '../../model/record.ts';
import { withProblem } from '../../model/record-notes.ts';
import type { EarlierRequest } from '../../model/request-status.ts';
import { summarize } from '../../model/summary.ts';
import type { Directory, PeopleDirectory, RequestStore } from '../../ports/ports.ts';
import { type Eligibility, eligibility } from './approvers.ts';

/** The number of earlier requests for the same target that approvers see. */
const EARLIER_SHOWN = 3;

export type ApprovalDeps = { store: RequestStore; directory: Directory };

/** `again`: the person who wants the request sent again. */
type Wanted = {
  workspace: string;
  id: string;
  kind: Kind;
  target: string;
  requester: string;
  again?: string;
};

/**
 * Finds the approval that a request needs under a policy, with the earlier requests that its approvers should know.
 *
 * @throws if Slack can't be read: then the request is not created (promise 10)
 */
export async function approvalUnder(
  { store, directory }: ApprovalDeps,
  policy: Policy,
  { workspace, id, kind, target, requester, again = requester }: Wanted,
): Promise<NewApproval> {
  const [found, { records: others }] = await Promise.all([
    eligibility(directory, workspace, policy, [requester, again]),
    store.listBySubject(workspace, subjectOf(kind, target), EARLIER_SHOWN + 1),
  ]);
  const earlier = others.filter((other) => other.id !== id).slice(0, EARLIER_SHOWN);
  return { policy, problem: problemOf(found), earlier: earlier.map(toEarlier) };
}

/**
 * Finds what keeps the approvers of a request from approving it, apart from those who made it or want it sent again.
 *
 * @throws if Slack can't be read
 */
export async function problemOfOthers(
  directory: PeopleDirectory,
  record: RequestRecord,
  policy: Policy,
): Promise<ApproversProblem | undefined> {
  const excluded = [record.requester, wantedAgainBy(record) ?? record.requester];
  return problemOf(await eligibility(directory, record.workspace, policy, excluded));
}

/**
 * Counts the approvers of a request again, if there were too few of them.
 *
 * @throws if Slack can't be read
 */
export async function withApproversRecounted(
  directory: PeopleDirectory,
  record: RequestRecord,
  now: number,
): Promise<RequestRecord> {
  const { approval } = record;
  if (approval?.problem !== 'too_few') return record;
  return withProblem(record, await problemOfOthers(directory, record, approval.policy), now);
}

function problemOf(found: Eligibility): ApproversProblem | undefined {
  if (found.type === 'unresolved') return found.problem;
  return found.type === 'too_few' ? found.type : undefined;
}

/** Whether too few people could meet the policy for this requester; false: enough can, or it can't be determined now. */
export async function policyOutOfReach(
  directory: Directory,
  policy: Policy,
  { workspace, requester }: Pick<Wanted, 'workspace' | 'requester'>,
): Promise<boolean> {
  return (await eligibility(directory, workspace, policy, [requester])).type === 'too_few';
}

export function toEarlier(record: RequestRecord): EarlierRequest {
  const { id, kind, target, requester, createdAt } = record;
  return { id, kind, target, requester, createdAt, ...summarize(record) };
}
