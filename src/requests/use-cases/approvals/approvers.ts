/**
 * Decides whose vote on a request counts. Finds the approvers under a policy, from Slack's current data, and whether enough of
 * them can approve.
 */
import { type Approval, isStanding } from '../../model/approval.ts';
import { type ApproversProblem, type Policy, usesChannel, type VoterProblem } from '../../model/policy.ts';
import { type RequestRecord, wantedAgainBy } from '../../model/record.ts';
import type { PeopleDirectory } from '../../ports/ports.ts';
import { channelProblem, isApprover, personProblem } from '../who-may.ts';

/**
 * Finds why a person's vote does not count. For a person who may never vote, no group or channel is read: they must not use up
 * what Slack lets the bot read.
 *
 * @returns undefined if the vote counts
 */
export async function voterProblem(
  directory: PeopleDirectory,
  record: RequestRecord,
  approval: Approval,
  by: string,
): Promise<VoterProblem | undefined> {
  const { workspace } = record;
  const { policy } = approval;
  const ofPerson = personProblem(await directory.person(workspace, by)) ?? ownRequest(record, approval, by);
  if (ofPerson) return ofPerson;
  const { approvers } = policy;
  const [ofChannel, isOne] = await Promise.all([
    usesChannel(policy) ? approvalsChannelProblem(directory, workspace, policy.channel) : undefined,
    approvers.type === 'group'
      ? directory.isInGroup(workspace, approvers.group, by)
      : isApprover(directory, workspace, policy, by),
  ]);
  if (ofChannel) return ofChannel;
  if (isOne === undefined) return 'group_unreadable';
  return isOne ? undefined : 'not_approver';
}

/**
 * Tells why somebody may not vote on a request of their own: they made it, or they want it sent again and have no former approval
 * that still counts.
 *
 * @returns undefined if the request is somebody else's
 */
export function ownRequest(
  record: RequestRecord,
  { votes, carried }: Approval,
  by: string,
): 'own_request' | 'own_retry' | undefined {
  if (by === record.requester) return 'own_request';
  const hadApproved = votes.some(
    (vote) => vote.by === by && vote.addedAt <= (carried ?? 0) && isStanding(vote),
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

/** Problems of the approvers that Slack's current data can show; only an answer to a post or a read shows the others. */
export type VisibleProblem = Exclude<
  ApproversProblem,
  'channel_refused' | 'reactions_unreadable' | 'approvers_unreadable'
>;

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
): Promise<VisibleProblem | undefined> {
  const channel = id === undefined ? undefined : await directory.channel(workspace, id, 'private');
  const problem = channelProblem(channel) ?? (channel?.isPrivate ? undefined : 'not_private');
  return problem && `channel_${problem}`;
}

/**
 * The people who may be approvers under a policy; undefined: that can't be read.
 *
 * @param age see Directory.groupMembers
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

/**
 * Finds what keeps enough people from approving. It reads people until as many can approve as must: somebody waits for this.
 *
 * @param excluded people who can't approve the request: who made it, and who wants it sent again
 */
export async function quorumProblem(
  directory: PeopleDirectory,
  workspace: string,
  policy: Policy,
  excluded: readonly string[],
): Promise<VisibleProblem | undefined> {
  return (await countUnder(directory, workspace, policy, { excluded, most: policy.quorum })).problem;
}

/** Counts the people who can approve. `problem`: why they are too few, or can't vote. */
export async function countUnder(
  directory: PeopleDirectory,
  workspace: string,
  policy: Policy,
  counting: Counting,
): Promise<{ problem: VisibleProblem | undefined; eligible: number | undefined }> {
  const [eligible, ofChannel] = await Promise.all([
    countEligible(directory, workspace, policy, counting),
    usesChannel(policy) ? approvalsChannelProblem(directory, workspace, policy.channel) : undefined,
  ]);
  const isByChannel = policy.approvers.type === 'channel';
  const unread = isByChannel ? 'channel_not_visible' : 'group_unreadable';
  const ofPeople = eligible === undefined ? unread : undefined;
  const tooFew = eligible !== undefined && eligible < policy.quorum ? 'too_few' : undefined;
  // Too few people stay too few once the channel is fixed, unless its members are meant.
  const problem = isByChannel ? (ofChannel ?? ofPeople ?? tooFew) : (tooFew ?? ofChannel ?? ofPeople);
  return { problem, eligible };
}

/**
 * The number of members of whom Slack is asked: it lets the bot read about a hundred people a minute. If too few of these can
 * approve, the group should be replaced.
 */
const MOST_MEMBERS_READ = 60;

/** `excluded`: people who can't approve the request. `most`: the count stops at this number, the quorum or more. */
type Counting = { excluded?: readonly string[]; most: number };

/**
 * Counts the people who can approve, whether or not they see the approvals channel at present. If too few of the members that
 * Slack listed within the last minute can, the members of now are counted.
 *
 * @returns undefined: Slack does not show who the approvers are
 */
export async function countEligible(
  directory: PeopleDirectory,
  workspace: string,
  policy: Policy,
  { excluded = [], most }: Counting,
): Promise<number | undefined> {
  const countAmong = (members: readonly string[]) =>
    countFullMembers(
      directory,
      workspace,
      members.filter((each) => !excluded.includes(each)),
      most,
    );
  const known = await membersOf(directory, workspace, policy, 'remembered');
  const eligible = known && (await countAmong(known));
  if (policy.approvers.type !== 'group' || (eligible ?? 0) >= policy.quorum) return eligible;
  const current = await membersOf(directory, workspace, policy);
  return String(current) === String(known) ? eligible : current && countAmong(current);
}

/** Counts full members, up to the wanted number. It reads as many people at a time as are still missing. */
async function countFullMembers(
  directory: PeopleDirectory,
  workspace: string,
  members: readonly string[],
  wanted: number,
): Promise<number> {
  const others = members.slice(0, MOST_MEMBERS_READ);
  let eligible = 0;
  for (let read = 0; read < others.length && eligible < wanted; ) {
    const next = others.slice(read, read + wanted - eligible);
    const people = await Promise.all(next.map((member) => directory.person(workspace, member)));
    eligible += people.filter((person) => personProblem(person) === undefined).length;
    read += next.length;
  }
  return eligible;
}
