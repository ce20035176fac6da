/** Who may vote, as it stands in Slack at this moment. */

import type { Approval, ApproversProblem, VoterProblem } from '../../model/approvals/approval.ts';
import { type Policy, usesChannel } from '../../model/approvals/policy.ts';
import type { RequestRecord } from '../../model/record.ts';
import type { PeopleDirectory } from '../../ports/ports.ts';
import { channelProblem, personProblem } from '../rules.ts';

/**
 * Why nobody could vote under a policy; undefined: somebody may.
 *
 * @param asker who can't approve it; undefined where that is not known yet
 * @param member whose membership is asked for, which tells whether the group can be read
 * @throws where Slack can't be asked
 */
export async function approversProblem(
  directory: PeopleDirectory,
  workspace: string,
  policy: Policy,
  asker: string | undefined,
  member: string = asker ?? '',
): Promise<ApproversProblem | undefined> {
  const { approvers } = policy;
  const [ofChannel, isIn] = await Promise.all([
    usesChannel(policy) ? approvalsChannelProblem(directory, workspace, policy.channel) : undefined,
    approvers.type === 'group' ? directory.isInGroup(workspace, approvers.group, member) : false,
  ]);
  return ofChannel ?? (isIn === undefined ? 'group_unreadable' : undefined) ?? tooFew(policy, asker);
}

function tooFew({ approvers, quorum }: Policy, asker: string | undefined): 'too_few' | undefined {
  if (approvers.type !== 'people') return undefined;
  return approvers.people.filter((person) => person !== asker).length < quorum ? 'too_few' : undefined;
}

/** The approvals channel shows what is decided on, and its members may decide: it is private, and the company's own. */
export async function approvalsChannelProblem(
  directory: Pick<PeopleDirectory, 'channel'>,
  workspace: string,
  id: string | undefined,
): Promise<ApproversProblem | undefined> {
  const channel = id === undefined ? undefined : await directory.channel(workspace, id, 'private');
  const problem = channelProblem(channel) ?? (channel?.isPrivate ? undefined : 'not_private');
  return problem && `channel_${problem}`;
}

/** Why the vote of a person does not count; undefined: it does. @throws where Slack can't be asked */
export async function voterProblem(
  directory: PeopleDirectory,
  record: RequestRecord,
  { policy }: Approval,
  by: string,
): Promise<VoterProblem | undefined> {
  const { workspace, asker } = record;
  const [person, unresolved, isOne] = await Promise.all([
    directory.person(workspace, by),
    approversProblem(directory, workspace, policy, asker, by),
    isApprover(directory, workspace, policy, by),
  ]);
  const ofPerson = personProblem(person) ?? (hasAsked(record, by) ? 'own_request' : undefined);
  return ofPerson ?? unresolved ?? (isOne ? undefined : 'not_approver');
}

/** Whoever had it sent again has asked for it, too. */
function hasAsked({ asker, steps }: RequestRecord, by: string): boolean {
  const again = steps.findLast(({ cause }) => cause.type === 'asked_again')?.cause;
  return by === asker || (again?.type === 'asked_again' && again.by === by);
}

/** Whether a person is named by a policy; what can't be read names nobody. @throws where Slack can't be asked */
export async function isApprover(
  directory: PeopleDirectory,
  workspace: string,
  { approvers, channel }: Policy,
  user: string,
): Promise<boolean> {
  switch (approvers.type) {
    case 'people':
      return approvers.people.includes(user);
    case 'group':
      return (await directory.isInGroup(workspace, approvers.group, user)) === true;
    case 'channel':
      return channel !== undefined && directory.isChannelMember(workspace, channel, user);
  }
}
