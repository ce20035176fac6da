/** Whether enough people can approve under a policy, as it stands in Slack at this moment. */

import type { ApproversProblem } from '../../model/approvals/approval.ts';
import type { Policy } from '../../model/approvals/policy.ts';
import type { Directory } from '../../ports/ports.ts';
import { personProblem } from '../rules.ts';
import { approversProblem } from './approvers.ts';

/** `tight`: exactly as many as must approve, so that none of them may be missing, or make the request. */
export type Eligibility =
  | { type: 'enough' | 'tight' }
  | { type: 'too_few'; eligible: number }
  | { type: 'unresolved'; problem: ApproversProblem };

/**
 * Members are read until one more than must approve are known to be able to.
 *
 * @param asker who can't approve it; undefined where that is not known yet
 * @throws where Slack can't be asked
 */
export async function eligibility(
  directory: Directory,
  workspace: string,
  policy: Policy,
  asker?: string,
): Promise<Eligibility> {
  const [problem, members] = await Promise.all([
    approversProblem(directory, workspace, policy, asker),
    membersOf(directory, workspace, policy),
  ]);
  if (problem && problem !== 'too_few') return { type: 'unresolved', problem };
  if (!members) return { type: 'unresolved', problem: UNREAD[policy.approvers.type] };
  const others = members.filter((member) => member !== asker);
  const eligible = await countEligible(directory, workspace, others, policy.quorum + 1);
  if (eligible < policy.quorum) return { type: 'too_few', eligible };
  return { type: eligible === policy.quorum ? 'tight' : 'enough' };
}

const UNREAD: Record<Policy['approvers']['type'], ApproversProblem> = {
  group: 'group_unreadable',
  people: 'approvers_unreadable',
  channel: 'channel_not_visible',
};

async function membersOf(
  directory: Directory,
  workspace: string,
  { approvers, channel }: Policy,
): Promise<readonly string[] | undefined> {
  switch (approvers.type) {
    case 'people':
      return approvers.people;
    case 'group':
      return directory.groupMembers(workspace, approvers.group);
    case 'channel':
      return channel === undefined ? undefined : directory.channelMembers(workspace, channel);
  }
}

/** Slack tells of a hundred people a minute. A group that begins with more than this who can't approve needs another one. */
const MOST_READ = 60;

/** As many are read at a time as are still missing. */
async function countEligible(
  directory: Directory,
  workspace: string,
  members: readonly string[],
  wanted: number,
): Promise<number> {
  let eligible = 0;
  for (let read = 0; read < Math.min(members.length, MOST_READ) && eligible < wanted; ) {
    const next = members.slice(read, read + wanted - eligible);
    const people = await Promise.all(next.map((member) => directory.person(workspace, member)));
    eligible += people.filter((person) => personProblem(person) === undefined).length;
    read += next.length;
  }
  return eligible;
}
