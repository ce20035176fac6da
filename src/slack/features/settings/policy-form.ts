/** Reads the form of a policy, and says what is wrong with it, each at its field. */
import { z } from 'zod';
import { QUORUM_MAX } from '../../../requests/model/approvals/policy.ts';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import type { PolicyDraft, PolicyProblems } from '../../../requests/use-cases/approvals/draft-policy.ts';
import type { Shown } from '../../../workspaces/settings.ts';
import { ACTIONS, BLOCKS } from '../../blocks/ids.ts';
import { APPROVERS, EXPIRES, POLICY_OPTIONS, SHOWN_IN } from './policy-choices.ts';

/**
 * The form of the policy for a kind of request. `shown`: the version of the settings that it showed; `beneath`: that of
 * the settings from which it was opened.
 */
export type PolicyFormOf = { kind: Kind; shown: Shown; beneath: Shown };

const keys = <K extends string>(of: Record<K, string>) => Object.keys(of) as [K, ...K[]];
const chosen = <S extends z.ZodType>(value: S) => z.object({ selected_option: z.object({ value }) });

const Group = z.object({ selected_option: z.object({ value: z.string() }).nullish() });
const People = z.object({ selected_users: z.array(z.string()).nullish() });
const Channel = z.object({ selected_conversation: z.string().nullish() });
const Options = z.object({
  selected_options: z.array(z.object({ value: z.enum(keys(POLICY_OPTIONS)) })).nullish(),
});
const Expiry = z.coerce.number().refine((ms) => EXPIRES.has(ms));

const State = z.object({
  [BLOCKS.approvers]: z.object({ [BLOCKS.approvers]: chosen(z.enum(keys(APPROVERS))) }),
  [BLOCKS.approverGroup]: z.object({ [ACTIONS.approverGroup]: Group }),
  [BLOCKS.approverPeople]: z.object({ [BLOCKS.approverPeople]: People }),
  [BLOCKS.approvalsChannel]: z.object({ [BLOCKS.approvalsChannel]: Channel }),
  [BLOCKS.shownIn]: z.object({ [BLOCKS.shownIn]: chosen(z.enum(keys(SHOWN_IN))) }),
  [BLOCKS.quorum]: z.object({ [BLOCKS.quorum]: chosen(z.coerce.number().int().min(1).max(QUORUM_MAX)) }),
  [BLOCKS.emojiYes]: z.object({ [ACTIONS.emojiYes]: chosen(z.string()) }),
  [BLOCKS.emojiNo]: z.object({ [ACTIONS.emojiNo]: chosen(z.string()) }),
  [BLOCKS.expire]: z.object({ [BLOCKS.expire]: chosen(Expiry) }),
  [BLOCKS.policyOptions]: z.object({ [BLOCKS.policyOptions]: Options }),
});

const Metadata = z.object({
  kind: z.enum(KIND_NAMES),
  shown: z.number().optional(),
  beneath: z.number().optional(),
});

/** @throws if it is no metadata of this modal: a fault */
export function readPolicyMetadata(text: string): PolicyFormOf {
  const { kind, shown, beneath } = Metadata.parse(JSON.parse(text));
  return { kind, shown, beneath };
}

/** Reads the input. @throws if the state is not that of this modal: a fault */
export function readPolicyModal(values: unknown): PolicyDraft {
  const state = State.parse(values);
  const options = state.policy_options.policy_options.selected_options?.map(({ value }) => value) ?? [];
  const channel = state.approvals_channel.approvals_channel.selected_conversation;
  return {
    approvers: state.approvers.approvers.selected_option.value,
    group: state.approver_group.approver_group.selected_option?.value,
    people: state.approver_people.approver_people.selected_users ?? [],
    ...(channel ? { channel } : {}),
    shownIn: state.shown_in.shown_in.selected_option.value,
    quorum: state.quorum.quorum.selected_option.value,
    emoji: {
      yes: state.emoji_yes.emoji_yes.selected_option.value,
      no: state.emoji_no.emoji_no.selected_option.value,
    },
    expiresAfterMs: state.expire.expire.selected_option.value,
    reminds: options.includes('reminds'),
    mayWithdraw: options.includes('may_withdraw'),
  };
}

const CHANNEL: Record<NonNullable<PolicyProblems['channel']>, string> = {
  missing: 'Choose the approvals channel.',
  fewer_than_quorum:
    'Not enough of its members can approve. Guests, bots and deactivated people do not count.',
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
  unused: '“Nobody” is chosen above. Choose “The members of a user group” there, or leave this empty.',
  group_unreadable: 'This user group is gone or cannot be read. Choose another one.',
  fewer_than_quorum:
    'Not enough of its members can approve. Guests, bots and deactivated people do not count.',
};

const PEOPLE: Record<NonNullable<PolicyProblems['people']>, string> = {
  missing: 'Name at least one person.',
  unused: '“Nobody” is chosen above. Choose “People named here” there, or leave this empty.',
  fewer_than_quorum: 'Name at least as many people as must approve.',
  not_full_members: 'Guests, bots, deactivated people and people from another company cannot approve.',
};

export const POLICY_CONFLICT =
  'Another admin changed the settings after you opened this approval, so nothing was saved. Close all windows and open the settings again.';

export const POLICY_UNCHANGED = 'Nothing was changed: this approval was already set like this.';

/** The errors of the form, each at the block that it belongs to. */
export function policyErrors({ group, people, channel, emojiYes, emojiNo }: PolicyProblems) {
  return {
    ...(group && {
      [BLOCKS.approverGroup]: GROUP[group],
    }),
    ...(people && { [BLOCKS.approverPeople]: PEOPLE[people] }),
    ...(channel && { [BLOCKS.approvalsChannel]: CHANNEL[channel] }),
    ...(emojiYes && { [BLOCKS.emojiYes]: 'This is not the name of an emoji.' }),
    ...(emojiNo && {
      [BLOCKS.emojiNo]:
        emojiNo === 'same'
          ? 'Choose a different emoji from the one that approves.'
          : 'This is not the name of an emoji.',
    }),
  };
}
