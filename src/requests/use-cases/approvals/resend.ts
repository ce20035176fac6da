/** Sending a request again: at once, or with the approval that it needs anew. */

import { type Approval, newApproval } from '../../model/approvals/approval.ts';
import type { Policy } from '../../model/approvals/policy.ts';
import type { PersonAct } from '../../model/cause.ts';
import { withNote, withProblem } from '../../model/notification.ts';
import { type RequestRecord, votedOn } from '../../model/record.ts';
import { transition } from '../../model/transition.ts';
import { type ApprovalDeps, approvalUnder } from './approval-needed.ts';

export const isResending = (act: PersonAct): boolean => act === 'retry' || act === 'not_received';

/**
 * @param now epoch milliseconds
 * @returns the record queued, or awaiting approval again; undefined where it can't be sent again as it stands
 * @throws where the policy can't be read, or Slack can't be asked
 */
export async function resent(
  deps: ApprovalDeps,
  record: RequestRecord,
  { by, act, now }: { by: string; act: PersonAct; now: number },
): Promise<RequestRecord | undefined> {
  const { policies } = await deps.workspaces.settings(record.workspace);
  const policy = policyForResending(record.approval, policies?.[record.kind], now);
  if (!policy) return transition(record, { type: 'person', by, act }, now);
  const moved = transition(record, { type: 'asked_again', by }, now);
  if (!moved) return undefined;
  const { problem, ...wanted } = await approvalUnder(deps, policy, record);
  const approval = newApproval(wanted, now, record.approval);
  const next = withProblem({ ...moved, approval }, problem, now);
  // That a message changes notifies nobody.
  return votedOn(next).delivery.status === 'posted' ? withNote(next, { type: 'asked_again' }, now) : next;
}

/**
 * An approval is good for as long as it was waited for. An older one is asked for again, under the policy in force or,
 * where there is none any more, under its own; and so is one that was not needed when the request was made.
 */
function policyForResending(
  approval: Approval | undefined,
  inForce: Policy | undefined,
  now: number,
): Policy | undefined {
  if (!approval) return inForce;
  const isFresh = approval.decision?.choice === 'yes' && now - approval.since <= approval.policy.lapseMs;
  return isFresh ? undefined : (inForce ?? approval.policy);
}
