/** Sends a request again: at once, or after a new approval if it needs one. */

import { type Approval, newApproval, withPlaceOfCopies } from '../../model/approvals/approval.ts';
import type { Policy } from '../../model/approvals/policy.ts';
import { withNotification, withProblem } from '../../model/changes/notify.ts';
import { votedOn } from '../../model/facts/messages.ts';
import type { RequestRecord } from '../../model/record.ts';
import type { ManualAction } from '../../model/states.ts';
import { transition } from '../../model/transition.ts';
import type { Workspaces } from '../../ports/ports.ts';
import { type ApprovalDeps, approvalUnder } from './approval-needed.ts';

export type ResendDeps = ApprovalDeps & { workspaces: Pick<Workspaces, 'settings'> };

export const isResending = (action: ManualAction): boolean => action === 'retry' || action === 'not_received';

/**
 * @param now epoch milliseconds
 * @returns the record queued, or awaiting approval again; undefined if it can't be sent again in its state
 * @throws if the policy or Slack can't be read
 */
export async function resent(
  deps: ResendDeps,
  record: RequestRecord,
  { by, action, now }: { by: string; action: ManualAction; now: number },
): Promise<RequestRecord | undefined> {
  const { policies } = await deps.workspaces.settings(record.workspace);
  const policy = policyForResending(record.approval, policies?.[record.kind], now);
  if (!policy) return transition(record, { type: 'person', by, action }, now);
  const moved = transition(record, { type: 'approval_requested_again', by }, now);
  if (!moved) return undefined;
  const placed = withPlaceOfCopies(policy, record.approval);
  const { problem, ...wanted } = await approvalUnder(deps, placed, record);
  const approval = newApproval(wanted, now, record.approval);
  const next = withProblem({ ...moved, approval }, problem, now);
  // Slack does not notify people of a changed message.
  return votedOn(next).delivery.status === 'posted'
    ? withNotification(next, { type: 'approval_requested_again' }, now)
    : next;
}

/**
 * The policy to ask for approval under; undefined: none is needed. An approval stays valid for as long as the time for
 * approval. An older one is requested again, under the policy in force or, if there is none, its own policy. So is one
 * that was not needed when the request was made.
 */
function policyForResending(
  approval: Approval | undefined,
  inForce: Policy | undefined,
  now: number,
): Policy | undefined {
  if (!approval) return inForce;
  const isFresh =
    approval.decision?.choice === 'yes' && now - approval.since <= approval.policy.expiresAfterMs;
  return isFresh ? undefined : (inForce ?? approval.policy);
}
