/**
 * Finds the approval that a request needs under a policy, and sends a request again: at once, or after a new approval if it
 * needs one.
 */
import {
  type Approval,
  type EarlierRequest,
  type NewApproval,
  newApproval,
  votedSince,
  withCarriedVotes,
  withConfirmationOwed,
} from '../../model/approval.ts';
import { FORGOTTEN } from '../../model/audit-entry.ts';
import { withApprovalMessageFor, withPlaceOfCopies } from '../../model/new-record.ts';
import type { ApproversProblem, Policy } from '../../model/policy.ts';
import { type RequestRecord, wantedAgainBy } from '../../model/record.ts';
import { approvalMessageOf, votedOn } from '../../model/record-messages.ts';
import { withCount, withNote, withProblem } from '../../model/record-notes.ts';
import type { Settings } from '../../model/settings.ts';
import { type ManualAction, STATES } from '../../model/states.ts';
import { summarize } from '../../model/summary.ts';
import { transition, withReply } from '../../model/transition.ts';
import type { Directory, PeopleDirectory, RequestStore } from '../../ports/ports.ts';
import { type Aimed, newestOthers } from '../same-target.ts';
import { quorumProblem } from './approvers.ts';

/** The number of earlier requests for the same target that approvers see. */
const EARLIER_SHOWN = 3;

type ApprovalDeps = { store: RequestStore; directory: Directory };

/**
 * Finds the approval that a request needs under a policy, with the earlier requests that its approvers should know.
 *
 * @param wanted `again`: the person who wants the request sent again
 * @throws if Slack can't be read: then the request is not created (promise 10)
 */
export async function approvalUnder(
  { store, directory }: ApprovalDeps,
  policy: Policy,
  wanted: Aimed & { requester: string; again?: string },
): Promise<NewApproval> {
  const { workspace, requester, again = requester } = wanted;
  const [problem, earlier] = await Promise.all([
    quorumProblem(directory, workspace, policy, [requester, again]),
    newestOthers(store, wanted, EARLIER_SHOWN),
  ]);
  return { policy, problem, earlier: earlier.map(toEarlier) };
}

/** Finds what keeps the approvers of a request from approving it, apart from those who made it or want it sent again. */
export async function problemOfOthers(
  directory: PeopleDirectory,
  record: RequestRecord,
  policy: Policy,
): Promise<ApproversProblem | undefined> {
  const excluded = [record.requester, wantedAgainBy(record) ?? record.requester];
  return quorumProblem(directory, record.workspace, policy, excluded);
}

/**
 * Counts the approvers of a request again, while it awaits approval. While enough approvals are being confirmed they are counted
 * only if too few are shown: the confirmation looks at all approvers itself.
 *
 * @returns the same record if nothing has changed
 * @throws if Slack can't be read
 */
export async function withApproversCounted(
  directory: PeopleDirectory,
  record: RequestRecord,
  now: number,
): Promise<RequestRecord> {
  const { state, approval } = record;
  if (!approval || !STATES[state].votes) return record;
  if (approval.confirmation && approval.problem !== 'too_few') return record;
  return withCount(record, await problemOfOthers(directory, record, approval.policy), now);
}

export function toEarlier(record: RequestRecord): EarlierRequest {
  const { id, kind, target, requester, createdAt } = record;
  return { id, kind, target, requester, createdAt, ...summarize(record) };
}

/** `moment`: of the click, microseconds by Slack's clock; undefined if Slack did not tell. `settings`: those in force. */
type Resending = {
  by: string;
  action: ManualAction;
  now: number;
  moment?: number | undefined;
  settings: Settings;
};

/**
 * Sends a request again, after a new approval if the policy in force needs one.
 *
 * @returns the record queued, or awaiting approval again; undefined if it can't be sent again in its state;
 *   `too_few_approvers`: nobody is asked, because the approval could never be given
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
  const carried = former && isReusable(former, now) && withCarriedVotes(approval, former);
  const asked = withApprovalMessageFor({ ...moved, approval }, former?.policy, now);
  if (carried && votedOn(asked).delivery.status === 'posted')
    return withReply({ ...asked, approval: withConfirmationOwed(carried, now) });
  if (problem === 'too_few') return 'too_few_approvers';
  const next = withProblem(asked, problem, now);
  // Slack does not notify people of a changed message, so a note asks them. In the card's thread it says who wants it, too.
  const isStanding = votedOn(next).delivery.status === 'posted';
  const told = isStanding && !approvalMessageOf(next) ? next : withReply(next);
  return isStanding ? withNote(told, { type: 'approval_requested_again' }, now) : told;
}

/**
 * Whether the votes of a former round may be carried into a new one, to be confirmed: they are no older than the time for
 * approval, and Slack can be asked about each voter.
 */
const isReusable = (approval: Approval, now: number): boolean =>
  now - votedSince(approval) <= approval.policy.expiresAfterMs &&
  approval.votes.every(({ by }) => by !== FORGOTTEN);
