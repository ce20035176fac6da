/**
 * Use case: an admin drafts the approval policy of a kind of request, and reads which open requests keep the former one.
 * Mistakes are reported at their fields.
 */
import { BUTTON } from '../../model/approval.ts';
import type { Kind } from '../../model/kinds.ts';
import { EMOJI_NAME, isSamePolicy, type Policy } from '../../model/policy.ts';
import type { RequestRecord } from '../../model/record.ts';
import type { Directory, RequestStore } from '../../ports/ports.ts';
import { unsentSubject } from '../../store/subjects.ts';
import { personProblem } from '../who-may.ts';
import { countUnder, type VisibleProblem } from './approvers.ts';

/** A policy as filled in. Fields of another choice of approvers keep what was filled in, and do not count. */
export type PolicyDraft = Omit<Policy, 'approvers' | 'setBy'> & {
  approvers: 'nobody' | Policy['approvers']['type'];
  group: string | undefined;
  people: readonly string[];
};

export type PolicyProblems = {
  group?: 'missing' | 'group_unreadable' | 'fewer_than_quorum';
  people?: 'missing' | 'fewer_than_quorum' | 'not_full_members';
  channel?: 'missing' | 'fewer_than_quorum' | Exclude<VisibleProblem, 'group_unreadable' | 'too_few'>;
  emojiYes?: 'not_a_name' | 'reserved';
  emojiNo?: 'not_a_name' | 'reserved' | 'same';
};

export type Drafted =
  /** `policy` undefined: no approval is needed. `isTight`: exactly as many people can approve as must. */
  | { type: 'policy'; policy: Policy | undefined; isTight: boolean }
  | { type: 'invalid'; problems: PolicyProblems };

/** Validates a draft. */
export async function readPolicy(
  directory: Directory,
  { workspace, by }: { workspace: string; by: string },
  draft: PolicyDraft,
): Promise<Drafted> {
  const problems = policyMistakes(draft);
  const approvers = approversOf(draft);
  if (Object.keys(problems).length > 0) return { type: 'invalid', problems };
  if (!approvers) return { type: 'policy', policy: undefined, isTight: false };
  const { approvers: _choice, group: _group, people: _people, channel, ...rest } = draft;
  const policy = { ...rest, ...(needsChannel(draft) && { channel }), approvers, setBy: by };
  return checked(directory, workspace, policy);
}

export const needsChannel = ({ approvers, shownIn }: Pick<PolicyDraft, 'approvers' | 'shownIn'>): boolean =>
  approvers === 'channel' || (approvers !== 'nobody' && shownIn === 'approvals_channel');

/** The approvers of a draft without mistakes; undefined: no approval is needed. */
function approversOf({ approvers, group, people }: PolicyDraft): Policy['approvers'] | undefined {
  switch (approvers) {
    case 'group':
      return group === undefined ? undefined : { type: 'group', group };
    case 'people':
      return { type: 'people', people: [...people] };
    case 'channel':
      return { type: 'channel' };
    case 'nobody':
      return undefined;
  }
}

/** Finds the mistakes in a draft that are detectable without asking Slack. */
export function policyMistakes(draft: PolicyDraft): PolicyProblems {
  const { approvers, group, people, emoji, channel, quorum } = draft;
  if (approvers === 'nobody') return {};
  const yes = emojiMistake(emoji.yes);
  const no = emoji.yes === emoji.no ? 'same' : emojiMistake(emoji.no);
  const areTooFew = approvers === 'people' && people.length > 0 && people.length < quorum;
  return {
    ...(needsChannel(draft) && channel === undefined ? { channel: 'missing' } : {}),
    ...(areTooFew ? { people: 'fewer_than_quorum' } : {}),
    ...(approvers === 'group' && group === undefined ? { group: 'missing' } : {}),
    ...(approvers === 'people' && people.length === 0 ? { people: 'missing' } : {}),
    ...(yes && { emojiYes: yes }),
    ...(no && { emojiNo: no }),
  };
}

/** A vote by an emoji that a workspace has named like the button would be taken for one by button. */
function emojiMistake(name: string): 'not_a_name' | 'reserved' | undefined {
  if (!EMOJI_NAME.test(name)) return 'not_a_name';
  return name === BUTTON ? 'reserved' : undefined;
}

/** Checks in Slack whether enough of the approvers exist and can approve. */
async function checked(directory: Directory, workspace: string, policy: Policy): Promise<Drafted> {
  const { approvers, quorum } = policy;
  if (approvers.type === 'people') {
    const named = await Promise.all(approvers.people.map((id) => directory.person(workspace, id)));
    // A guest, a bot or a person of another company could never approve.
    if (named.some((person) => personProblem(person) !== undefined))
      return { type: 'invalid', problems: { people: 'not_full_members' } };
  }
  const { problem, eligible } = await countUnder(directory, workspace, policy, { most: quorum + 1 });
  switch (problem) {
    case undefined:
      return { type: 'policy', policy, isTight: eligible === quorum };
    case 'too_few':
      return { type: 'invalid', problems: { [approvers.type]: 'fewer_than_quorum' } };
    case 'group_unreadable':
      return { type: 'invalid', problems: { group: problem } };
    default:
      return { type: 'invalid', problems: { channel: problem } };
  }
}

/** The newest requests that keep the former policy. `others`: the number of further ones; with `atLeast` there may be more. */
export type KeepingFormer = { records: RequestRecord[]; others: number; atLeast: boolean };

const MOST_REQUESTS_NAMED = 10;
const MOST_UNSENT_READ = 200;

/**
 * Finds the requests that are not sent yet and were made under another policy: they keep it, and need the approval, if any,
 * that it asks for. Only a request that is sent again needs approval under the policy in force.
 *
 * @param policy in force; undefined: no approval is needed
 */
export async function keepingFormerPolicy(
  { store }: { store: RequestStore },
  { workspace, kind, policy }: { workspace: string; kind: Kind; policy: Policy | undefined },
): Promise<KeepingFormer> {
  const { records: unsent } = await store.listBySubject(workspace, unsentSubject(kind), MOST_UNSENT_READ);
  const former = unsent.filter(({ approval }) => !isSamePolicy(approval?.policy, policy));
  return {
    records: former.slice(0, MOST_REQUESTS_NAMED),
    others: Math.max(0, former.length - MOST_REQUESTS_NAMED),
    atLeast: unsent.length === MOST_UNSENT_READ,
  };
}
