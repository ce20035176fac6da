/** Finds the approvers under a policy, from Slack's current data, and the problem that keeps all of them from voting. */
import { type ApproversProblem, type Policy, usesChannel } from '../../model/approvals/policy.ts';
import type { PeopleDirectory } from '../../ports/ports.ts';
import { channelProblem } from '../who-may.ts';

/**
 * Finds what keeps everybody from voting under a policy.
 *
 * @param excluded people who can't approve the request
 * @param member whose membership is read, which shows whether the group is readable
 * @returns undefined if somebody may vote
 * @throws if Slack can't be asked
 */
export async function approversProblem(
  directory: PeopleDirectory,
  workspace: string,
  policy: Policy,
  excluded: readonly string[],
  member: string,
): Promise<ApproversProblem | undefined> {
  const { approvers } = policy;
  const [ofChannel, isIn] = await Promise.all([
    usesChannel(policy) ? approvalsChannelProblem(directory, workspace, policy.channel) : undefined,
    approvers.type === 'group' ? directory.isInGroup(workspace, approvers.group, member) : false,
  ]);
  return ofChannel ?? (isIn === undefined ? 'group_unreadable' : undefined) ?? tooFew(policy, excluded);
}

function tooFew({ approvers, quorum }: Policy, excluded: readonly string[]): 'too_few' | undefined {
  if (approvers.type !== 'people') return undefined;
  return approvers.people.filter((person) => !excluded.includes(person)).length < quorum
    ? 'too_few'
    : undefined;
}

/**
 * Checks a channel for approvals. It shows confidential requests, and its members may decide, so it must be private and not
 * shared with another company.
 *
 * @returns undefined if it can be the approvals channel
 */
export async function approvalsChannelProblem(
  directory: Pick<PeopleDirectory, 'channel'>,
  workspace: string,
  id: string | undefined,
): Promise<ApproversProblem | undefined> {
  const channel = id === undefined ? undefined : await directory.channel(workspace, id, 'private');
  const problem = channelProblem(channel) ?? (channel?.isPrivate ? undefined : 'not_private');
  return problem && `channel_${problem}`;
}

/**
 * The people who may be approvers under a policy; undefined: that can't be read.
 *
 * @param age see Directory.groupMembers
 * @throws if Slack can't be asked
 */
export async function membersOf(
  directory: Pick<PeopleDirectory, 'groupMembers' | 'channelMembers'>,
  workspace: string,
  { approvers, channel }: Policy,
  age: 'remembered' | 'now' = 'now',
): Promise<readonly string[] | undefined> {
  switch (approvers.type) {
    case 'people':
      return approvers.people;
    case 'group':
      return directory.groupMembers(workspace, approvers.group, age);
    case 'channel':
      return channel === undefined ? undefined : directory.channelMembers(workspace, channel);
  }
}
