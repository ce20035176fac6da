/** Counts whether enough people can approve under a policy, from Slack's current data. */

import type { Policy } from '../../model/approvals/policy.ts';
import type { ApproversProblem } from '../../model/approvals/problems.ts';
import type { PeopleDirectory } from '../../ports/ports.ts';
import { personProblem } from '../rules.ts';
import { approversProblem, membersOf } from './approvers.ts';

/** `tight`: exactly as many as must approve, so that none of them may be absent or make the request. */
export type Eligibility =
  | { type: 'enough' | 'tight' }
  | { type: 'too_few'; eligible: number }
  | { type: 'unresolved'; problem: ApproversProblem };

/**
 * Tells whether enough people can approve, and nothing prevents them.
 *
 * @param excluded people who can't approve the request: who made it, and who wants it sent again
 * @throws if Slack can't be asked
 */
export async function eligibility(
  directory: PeopleDirectory,
  workspace: string,
  policy: Policy,
  excluded: readonly string[] = [],
): Promise<Eligibility> {
  const [problem, eligible] = await Promise.all([
    approversProblem(directory, workspace, policy, excluded),
    countEligible(directory, workspace, policy, excluded),
  ]);
  if (problem && problem !== 'too_few') return { type: 'unresolved', problem };
  if (eligible === undefined) return { type: 'unresolved', problem: UNREAD[policy.approvers.type] };
  if (eligible < policy.quorum) return { type: 'too_few', eligible };
  return { type: eligible === policy.quorum ? 'tight' : 'enough' };
}

const UNREAD: Record<Policy['approvers']['type'], ApproversProblem> = {
  group: 'group_unreadable',
  people: 'approvers_unreadable',
  channel: 'channel_not_visible',
};

/**
 * Slack returns a hundred people a minute. A group whose first members, this many, can't approve should be replaced.
 */
const MOST_READ = 60;

/**
 * Counts the people who can approve, whether or not they see the approvals channel at present. It reads as many at a time
 * as are still missing, until one more than the quorum is found.
 *
 * @param excluded as above
 * @returns undefined: Slack does not show who the approvers are
 * @throws if Slack can't be asked
 */
export async function countEligible(
  directory: PeopleDirectory,
  workspace: string,
  policy: Policy,
  excluded: readonly string[] = [],
): Promise<number | undefined> {
  const members = await membersOf(directory, workspace, policy);
  if (!members) return undefined;
  const others = members.filter((member) => !excluded.includes(member)).slice(0, MOST_READ);
  const wanted = policy.quorum + 1;
  let eligible = 0;
  for (let read = 0; read < others.length && eligible < wanted; ) {
    const next = others.slice(read, read + wanted - eligible);
    const people = await Promise.all(next.map((member) => directory.person(workspace, member)));
    eligible += people.filter((person) => personProblem(person) === undefined).length;
    read += next.length;
  }
  return eligible;
}
