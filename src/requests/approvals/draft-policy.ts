/** Use case: an admin decides whose approval a kind of request needs. What can't work is told at its field. */
import type { Directory } from '../ports.ts';
import { personProblem } from '../rules.ts';
import type { ApproversProblem } from './approval.ts';
import { approversProblem } from './approvers.ts';
import { EMOJI_NAME, type Policy, usesChannel } from './policy.ts';

/** A policy as it was filled in: what does not belong to the choice of approvers may be filled in all the same. */
export type PolicyDraft = Omit<Policy, 'approvers' | 'setBy'> & {
  approvers: 'nobody' | Policy['approvers']['type'];
  group: string | undefined;
  people: readonly string[];
};

export type PolicyProblems = {
  group?: 'missing' | 'unused' | 'group_unreadable';
  people?: 'missing' | 'unused' | 'fewer_than_quorum' | 'not_full_members';
  channel?: 'missing' | Exclude<ApproversProblem, 'group_unreadable' | 'too_few'>;
  emojiYes?: 'not_a_name';
  emojiNo?: 'not_a_name' | 'same';
};

export type Drafted =
  /** `policy` undefined: no approval is needed. */
  { type: 'policy'; policy: Policy | undefined } | { type: 'invalid'; problems: PolicyProblems };

/**
 * @param standing what it is to take the place of
 * @throws where Slack can't be asked
 */
export async function readPolicy(
  directory: Directory,
  { workspace, by, standing }: { workspace: string; by: string; standing: Policy | undefined },
  draft: PolicyDraft,
): Promise<Drafted> {
  const approvers = approversOf(draft);
  if (approvers === 'nobody') {
    const problems = unused(draft, standing);
    if (Object.keys(problems).length > 0) return { type: 'invalid', problems };
    return { type: 'policy', policy: undefined };
  }
  const { approvers: _choice, group: _group, people: _people, ...rest } = draft;
  const policy = approvers && { ...rest, approvers, setBy: by };
  const problems = {
    ...mistakes(draft),
    ...(policy ? await unresolved(directory, workspace, policy) : {}),
  };
  const isValid = policy && Object.keys(problems).length === 0;
  return isValid ? { type: 'policy', policy } : { type: 'invalid', problems };
}

function approversOf({ approvers, group, people }: PolicyDraft): Policy['approvers'] | 'nobody' | undefined {
  switch (approvers) {
    case 'nobody':
      return 'nobody';
    case 'group':
      return group === undefined ? undefined : { type: 'group', group };
    case 'people':
      return people.length === 0 ? undefined : { type: 'people', people: [...people] };
    case 'channel':
      return { type: 'channel' };
  }
}

/** Whoever has just named approvers, and left the choice at nobody, would believe that they are asked. */
function unused({ group, people }: PolicyDraft, standing: Policy | undefined): PolicyProblems {
  const before = standing?.approvers;
  const oldGroup = before?.type === 'group' ? before.group : undefined;
  const oldPeople = before?.type === 'people' ? before.people : [];
  const hasNewPeople = people.some((id) => !oldPeople.includes(id));
  return {
    ...(group !== undefined && group !== oldGroup ? { group: 'unused' } : {}),
    ...(hasNewPeople ? { people: 'unused' } : {}),
  };
}

function mistakes({ approvers, group, people, emoji }: PolicyDraft): PolicyProblems {
  return {
    ...(approvers === 'group' && group === undefined ? { group: 'missing' } : {}),
    ...(approvers === 'people' && people.length === 0 ? { people: 'missing' } : {}),
    ...(EMOJI_NAME.test(emoji.yes) ? {} : { emojiYes: 'not_a_name' }),
    ...(EMOJI_NAME.test(emoji.no) ? {} : { emojiNo: 'not_a_name' }),
    ...(emoji.yes === emoji.no ? { emojiNo: 'same' } : {}),
  };
}

async function unresolved(directory: Directory, workspace: string, policy: Policy): Promise<PolicyProblems> {
  const { approvers } = policy;
  if (approvers.type === 'people' && (await hasOthers(directory, workspace, approvers.people)))
    return { people: 'not_full_members' };
  if (usesChannel(policy) && policy.channel === undefined) return { channel: 'missing' };
  const problem = await approversProblem(directory, workspace, policy, undefined);
  if (!problem) return {};
  if (problem === 'too_few') return { people: 'fewer_than_quorum' };
  return problem === 'group_unreadable' ? { group: problem } : { channel: problem };
}

/** Whether somebody among them could never approve: a guest, a bot, or somebody of another company. */
async function hasOthers(
  directory: Directory,
  workspace: string,
  people: readonly string[],
): Promise<boolean> {
  const found = await Promise.all(people.map((id) => directory.person(workspace, id)));
  return found.some((person) => personProblem(person) !== undefined);
}
