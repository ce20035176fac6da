/** Decides whose vote on a request counts. */
import type { Approval } from '../../model/approvals/approval.ts';
import type { Policy, VoterProblem } from '../../model/approvals/policy.ts';
import { type RequestRecord, wantedAgainBy } from '../../model/record.ts';
import type { PeopleDirectory } from '../../ports/ports.ts';
import { isApprover, personProblem } from '../who-may.ts';
import { approversProblem } from './approvers.ts';

/** @returns the reason why a person's vote does not count; undefined: it does @throws if Slack can't be asked */
export async function voterProblem(
  directory: PeopleDirectory,
  record: RequestRecord,
  approval: Approval,
  by: string,
): Promise<VoterProblem | undefined> {
  const { workspace, requester } = record;
  const { policy } = approval;
  const [person, unresolved, isOne] = await Promise.all([
    directory.person(workspace, by),
    approversProblem(directory, workspace, policy, [requester], by),
    isApprover(directory, workspace, policy, by),
  ]);
  const ofPerson = personProblem(person) ?? ownRequest(record, approval, by);
  return ofPerson ?? unresolved ?? (isOne ? undefined : 'not_approver');
}

/** Whether a person is the requester, or wants the request sent again without having approved it before. */
export function ownRequest(
  record: RequestRecord,
  { votes, carried }: Approval,
  by: string,
): 'own_request' | 'own_retry' | undefined {
  if (by === record.requester) return 'own_request';
  const hadApproved = votes.some(
    (vote) => vote.by === by && vote.addedAt <= (carried ?? 0) && vote.addedAt > vote.removedAt,
  );
  return by === wantedAgainBy(record) && !hadApproved ? 'own_retry' : undefined;
}

/** The policy of a request, naming only the approvers who may decide; all of them if none of them may. */
export function policyFor(record: RequestRecord, approval: Approval): Policy {
  const { policy } = approval;
  if (policy.approvers.type !== 'people') return policy;
  const people = policy.approvers.people.filter((by) => !ownRequest(record, approval, by));
  return people.length === 0 ? policy : { ...policy, approvers: { type: 'people', people } };
}
