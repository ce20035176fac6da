/** Who may vote, as it stands in Slack at this moment. */

import type { Directory } from '../ports.ts';
import type { RequestRecord } from '../record.ts';
import { channelProblem, personProblem } from '../rules.ts';
import type { Approval, ApproversProblem, VoterProblem } from './approval.ts';
import { type Policy, usesChannel } from './policy.ts';

/**
 * Why nobody could vote under a policy; undefined: somebody may.
 *
 * @param somebody any member, to find out whether the user group can be read
 * @throws where Slack can't be asked
 */
export async function approversProblem(
  directory: Directory,
  workspace: string,
  policy: Policy,
  somebody: string,
): Promise<ApproversProblem | undefined> {
  const { approvers } = policy;
  const [ofChannel, isIn] = await Promise.all([
    usesChannel(policy) ? approvalsChannelProblem(directory, workspace, policy.channel) : undefined,
    approvers.type === 'group' ? directory.isInGroup(workspace, approvers.group, somebody) : false,
  ]);
  return ofChannel ?? (isIn === undefined ? 'group_unreadable' : undefined);
}

/** The approvals channel shows what is decided on, and its members may decide: it is private, and the company's own. */
export async function approvalsChannelProblem(
  directory: Directory,
  workspace: string,
  id: string | undefined,
): Promise<ApproversProblem | undefined> {
  const channel = id === undefined ? undefined : await directory.channel(workspace, id, 'private');
  const problem = channelProblem(channel) ?? (channel?.isPrivate ? undefined : 'not_private');
  return problem && `channel_${problem}`;
}

/** Why the vote of a person does not count; undefined: it does. @throws where Slack can't be asked */
export async function voterProblem(
  directory: Directory,
  { workspace, asker }: RequestRecord,
  { policy }: Approval,
  by: string,
): Promise<VoterProblem | undefined> {
  const [person, unresolved, isOne] = await Promise.all([
    directory.person(workspace, by),
    approversProblem(directory, workspace, policy, by),
    isApprover(directory, workspace, policy, by),
  ]);
  const ofPerson = personProblem(person) ?? (by === asker ? 'own_request' : undefined);
  return ofPerson ?? unresolved ?? (isOne ? undefined : 'not_approver');
}

/** Whether a person is named by a policy; what can't be read names nobody. @throws where Slack can't be asked */
export async function isApprover(
  directory: Directory,
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
