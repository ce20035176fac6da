/** Sends a request again: at once, or after a new approval if it needs one. */

import {
  type Approval,
  newApproval,
  withCarriedVotes,
  withConfirmationOwed,
} from '../../model/approvals/approval.ts';
import { withApprovalMessageFor, withPlaceOfCopies } from '../../model/new-record.ts';
import type { RequestRecord } from '../../model/record.ts';
import { approvalMessageOf, votedOn } from '../../model/record-messages.ts';
import { withNote, withProblem } from '../../model/record-notes.ts';
import type { ManualAction } from '../../model/states.ts';
import { transition, withReply } from '../../model/transition.ts';
import type { Settings } from '../../ports/ports.ts';
import { type ApprovalDeps, approvalUnder } from './approval-needed.ts';

/**
 * `now`: epoch milliseconds. `moment`: of the click, microseconds by Slack's clock; undefined if Slack did not tell.
 * `settings`: those in force.
 */
type Resending = {
  by: string;
  action: ManualAction;
  now: number;
  moment?: number | undefined;
  settings: Settings;
};

/**
 * @returns the record queued, or awaiting approval again; undefined if it can't be sent again in its state;
 *   `too_few_approvers`: nobody is asked, because the approval could never be given
 * @throws if Slack can't be read
 */
export async function resent(
  deps: ApprovalDeps,
  record: RequestRecord,
  { by, action, now, moment, settings }: Resending,
): Promise<RequestRecord | 'too_few_approvers' | undefined> {
  const { approval: former } = record;
  const policy = settings.policies?.[record.kind] ?? former?.policy;
  if (!policy) return transition(record, { type: 'person', by, action }, now);
  const moved = transition(record, { type: 'approval_requested_again', by }, now);
  if (!moved) return undefined;
  const placed = withPlaceOfCopies(policy, record);
  const { problem, ...wanted } = await approvalUnder(deps, placed, { ...record, again: by });
  const approval = newApproval(wanted, now, former && { former, moment });
  const carried = former && isFresh(former, now) && withCarriedVotes(approval, former);
  const asked = withApprovalMessageFor({ ...moved, approval }, former?.policy, now);
  if (carried && votedOn(asked).delivery.status === 'posted')
    return withReply({ ...asked, approval: withConfirmationOwed(carried, now) });
  if (problem === 'too_few') return 'too_few_approvers';
  const next = withProblem(asked, problem, now);
  // Slack does not notify people of a changed message. In the thread of the card, that note says who wants it.
  const isStanding = votedOn(next).delivery.status === 'posted';
  const told = isStanding && !approvalMessageOf(next) ? next : withReply(next);
  return isStanding ? withNote(told, { type: 'approval_requested_again' }, now) : told;
}

/** An approval stays valid for as long as the time for approval, if its votes are confirmed again. */
const isFresh = ({ since, policy }: Approval, now: number): boolean => now - since <= policy.expiresAfterMs;
