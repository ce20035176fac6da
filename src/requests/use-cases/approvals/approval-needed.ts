/** Finds the approval that a request needs under a policy, and whether enough approvers are left for it. */
import {
  type Approval,
  type EarlierRequest,
  type NewApproval,
  newApproval,
  withCarriedVotes,
  withConfirmationOwed,
} from '../../model/approval.ts';
import type { Kind } from '../../model/kinds.ts';
import { withApprovalMessageFor, withPlaceOfCopies } from '../../model/new-record.ts';
import type { ApproversProblem, Policy } from '../../model/policy.ts';
import { type RequestRecord, slotOf, subjectOf, wantedAgainBy } from '../../model/record.ts';
import { approvalMessageOf, votedOn } from '../../model/record-messages.ts';
import { withNote, withProblem } from '../../model/record-notes.ts';
import type { ManualAction } from '../../model/states.ts';
import { summarize } from '../../model/summary.ts';
import { transition, withReply } from '../../model/transition.ts';
import type { Directory, PeopleDirectory, RequestStore, Settings } from '../../ports/ports.ts';
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

/**
 * Sends a request again: at once, or after a new approval if it needs one. Finds the other requests for the same order or
 * offer.
 */

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
 * Sends a request again, after a new approval if the policy in force needs one.
 *
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
  // Slack does not notify people of a changed message, so a note asks them. In the card's thread it says who wants it, too.
  const isStanding = votedOn(next).delivery.status === 'posted';
  const told = isStanding && !approvalMessageOf(next) ? next : withReply(next);
  return isStanding ? withNote(told, { type: 'approval_requested_again' }, now) : told;
}

/** Whether an approval may be used again, if its votes are confirmed: it is no older than the time for approval. */
const isFresh = ({ since, policy }: Approval, now: number): boolean => now - since <= policy.expiresAfterMs;

type Reading = Pick<RequestStore, 'listBySubject'>;

/** The number of other requests for the same target that are considered. */
const OTHERS_READ = 20;

/**
 * A newer request for the same target that was sent, if there is one.
 *
 * That there is none is no condition of the write. A request that is called between this read and the write might as well
 * be called right after the write: nothing in this record depends on the newer one, and it ends without the slot, which its
 * Retry has to take again.
 */
export async function newerCalled(store: Reading, record: RequestRecord): Promise<RequestRecord | undefined> {
  const { records } = await store.listBySubject(
    record.workspace,
    subjectOf(record.kind, record.target),
    OTHERS_READ,
  );
  return records.find(
    ({ id, createdAt, call }) => id !== record.id && createdAt >= record.createdAt && call.attempts > 0,
  );
}

/**
 * Finds the request that holds the slot, which a resend must take again; undefined if it has released the slot
 * meanwhile.
 */
export async function holderOf(store: Reading, record: RequestRecord): Promise<RequestRecord | undefined> {
  const slot = slotOf(record) ?? '';
  const { records: others } = await store.listBySubject(record.workspace, slot, OTHERS_READ);
  return others.find((other) => other.id !== record.id && slotOf(other) === slot);
}
