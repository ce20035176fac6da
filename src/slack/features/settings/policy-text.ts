/** Sentences for an admin who sets an approval: mistakes in the form, and what came of saving it. */
import type { Policy } from '../../../requests/model/approvals/policy.ts';
import type { Kind } from '../../../requests/model/kinds.ts';
import type { KeepingFormer, PolicyProblems } from '../../../requests/use-cases/approvals/draft-policy.ts';
import { KIND_COPY, plainTitleOf } from '../../blocks/kind-copy.ts';
import { ago, escaped, mention, paragraphs } from '../../blocks/text.ts';
import { policyText } from '../../messages/sentences/settings-texts.ts';
import { label } from '../../messages/sentences/state-copy.ts';

const TOO_FEW_MEMBERS =
  'Not enough of its members can approve. Guests, bots and deactivated people do not count.';

const CHANNEL: Record<NonNullable<PolicyProblems['channel']>, string> = {
  missing: 'Choose the approvals channel.',
  fewer_than_quorum: TOO_FEW_MEMBERS,
  channel_not_visible: 'I cannot see this channel. Invite me there with /invite @Countermand.',
  channel_not_member: 'I am not a member of this channel. Invite me there with /invite @Countermand.',
  channel_not_private:
    'This channel is not private: anybody could join it and decide. Choose a private channel.',
  channel_shared: 'This channel is shared with another company. Choose one of your own.',
  channel_archived: 'This channel is archived. Choose another one.',
  channel_refused: 'I cannot post in this channel. Choose another one.',
  reactions_unreadable: 'I cannot read reactions in this channel. Choose another one.',
  approvers_unreadable: 'I cannot read the members of this channel. Choose another one.',
};

const GROUP: Record<NonNullable<PolicyProblems['group']>, string> = {
  missing: 'Choose the user group.',
  group_unreadable: 'This user group is gone or cannot be read. Choose another one.',
  fewer_than_quorum: TOO_FEW_MEMBERS,
};

const PEOPLE: Record<NonNullable<PolicyProblems['people']>, string> = {
  missing: 'Name at least one person.',
  fewer_than_quorum: 'Name at least as many people as must approve.',
  not_full_members: 'Guests, bots, deactivated people and people from another company cannot approve.',
};

const EMOJI = {
  not_a_name: 'This is not the name of an emoji.',
  same: 'Choose a different emoji from the one that approves.',
};

/** The sentences about problems, by the field at which they are shown. */
export const problemTexts = ({ group, people, channel, emojiYes, emojiNo }: PolicyProblems) => ({
  group: group && GROUP[group],
  people: people && PEOPLE[people],
  channel: channel && CHANNEL[channel],
  emojiYes: emojiYes && EMOJI[emojiYes],
  emojiNo: emojiNo && EMOJI[emojiNo],
});

export const POLICY_CONFLICT =
  'Another admin changed the settings after you opened this approval, so nothing was saved. Close all windows and open the settings again.';

export const POLICY_UNCHANGED = 'Nothing was changed: this approval was already set like this.';

/** Tells an admin that a policy is saved. @param isTight whether exactly as many people can approve as must */
export function savedPolicyTexts(kind: Kind, policy: Policy | undefined, isTight: boolean): string[] {
  const saved = `Saved. *${KIND_COPY[kind].title}*: ${policyText(policy)}.`;
  if (!policy || !isTight) return [saved];
  const { quorum } = policy;
  const who = quorum === 1 ? 'Only 1 person' : `Only ${quorum} people`;
  return [
    saved,
    `:warning: ${who} can approve, and ${quorum} must. ${quorum === 1 ? 'A request that they make cannot be approved, and neither can any while they are away.' : 'A request that one of them makes cannot be approved, and neither can any while one of them is away.'}`,
  ];
}

/** Names the open requests that keep the former policy. @param links to their cards, in the same order */
export function formerPolicyTexts(
  { records, others, atLeast }: KeepingFormer,
  links: readonly (string | undefined)[],
): string[] {
  if (records.length === 0) return [];
  const lines = records.map((record, n) => {
    const requested = `requested by ${mention(record.requester)}, ${ago(record.createdAt)}`;
    const thread = links[n] ? `<${links[n]}|Open its thread>` : `in <#${record.channel}>`;
    return `• ${escaped(plainTitleOf(record))} · ${label(record)} · ${requested} · ${thread}`;
  });
  const rest = others > 0 ? [`• and ${atLeast ? 'at least ' : ''}${others} more`] : [];
  return ['These open requests keep the former rule:', ...paragraphs([...lines, ...rest])];
}

export const FORMER_UNKNOWN =
  'Open requests keep the former rule. I could not list them now: see /countermand history.';
