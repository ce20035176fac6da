/** The form in which an admin decides whose approval a kind of request needs. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import {
  DEFAULT_EMOJI,
  PEOPLE_MAX,
  type Policy,
  QUORUM_MAX,
} from '../../../requests/model/approvals/policy.ts';
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import type { PolicyDraft, PolicyProblems } from '../../../requests/use-cases/approvals/draft-policy.ts';
import { channel, people, searched, select, ticks } from '../../blocks/fields.ts';
import { asJson, type FieldErrors, type FilledIn, form, withErrors } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { section } from '../../blocks/text.ts';
import type { UserGroup } from '../../directory/user-groups.ts';
import { emojiOption, groupOption } from './choices.ts';

export const POLICY_TITLE = 'Approval';

const APPROVERS = {
  nobody: 'Nobody: requests are sent at once',
  group: 'The members of a user group',
  people: 'People named here',
  channel: 'The members of the approvals channel',
} as const;

const SHOWN_IN = {
  approvals_channel: 'In the approvals channel, with a link back',
  where_requested: 'In the channel of the request',
} as const;

const HOUR = 3_600_000;
/** Milliseconds -> how that reads. */
export const EXPIRES: ReadonlyMap<number, string> = new Map([
  [HOUR / 4, '15 minutes'],
  [HOUR, '1 hour'],
  [4 * HOUR, '4 hours'],
  [8 * HOUR, '8 hours'],
  [24 * HOUR, '1 day'],
  [72 * HOUR, '3 days'],
  [168 * HOUR, '1 week'],
]);
const USUAL_EXPIRY = 8 * HOUR;

const OPTIONS = {
  reminds: 'Remind the approvers after half of the time',
  may_withdraw: 'The requester may withdraw the request (admins always may)',
} as const;

const QUORUMS = Object.fromEntries(Array.from({ length: QUORUM_MAX }, (_, i) => [`${i + 1}`, `${i + 1}`]));

const About = z.object({
  kind: z.enum(KIND_NAMES),
  /** The version of the settings that the form shows. */
  shown: z.number().optional(),
  /** That of the settings from which it was opened. */
  beneath: z.number().optional(),
});
export type AboutPolicy = z.infer<typeof About>;

const FORM = form(
  CALLBACKS.policy,
  {
    approvers: select('approvers', { label: 'Who approves', options: APPROVERS }),
    group: searched(ACTIONS.approverGroup, { label: 'User group', optional: true }),
    people: people('approver_people', { label: 'People', optional: true, max: PEOPLE_MAX }),
    channel: channel('approvals_channel', {
      label: 'Approvals channel',
      hint: 'The channel must be private and not shared, and I must be a member: type /invite @Countermand there first.',
      optional: true,
      include: ['private'],
    }),
    shownIn: select('shown_in', { label: 'Where approvers see requests', options: SHOWN_IN }),
    quorum: select('quorum', {
      label: 'How many must approve',
      hint: 'A single decline stops a request.',
      options: QUORUMS,
    }),
    // Slack has no picker of emoji for forms: the bot offers some, and whatever name is typed.
    emojiYes: searched(ACTIONS.emojiYes, { label: 'Emoji that approves' }),
    emojiNo: searched(ACTIONS.emojiNo, { label: 'Emoji that declines' }),
    expires: select('expire', { label: 'Requests expire after', options: Object.fromEntries(EXPIRES) }),
    options: ticks('policy_options', { label: 'Options', options: OPTIONS }),
  },
  asJson(About),
);

/**
 * @param draft what is filled in; undefined: what is usual
 * @param group that is chosen, by name
 * @param errors what was found out after the form was sent, by block
 */
export function policyModal(
  about: AboutPolicy,
  draft: PolicyDraft | undefined,
  { group, errors = {} }: { group?: UserGroup | undefined; errors?: Readonly<FieldErrors> } = {},
): types.ModalView {
  const { fields } = FORM;
  const { emoji = DEFAULT_EMOJI, reminds = true, mayWithdraw = true } = draft ?? {};
  const blocks = [
    section(
      `*${KIND_COPY[about.kind].title}*: a request can need approval before it is sent to the order service. Nobody can approve their own request.`,
    ),
    fields.approvers.block(draft?.approvers ?? 'nobody'),
    fields.group.block(group && groupOption(group)),
    fields.people.block(draft?.people),
    fields.channel.block(draft?.channel),
    fields.shownIn.block(draft?.shownIn ?? 'where_requested'),
    fields.quorum.block(`${draft?.quorum ?? 1}`),
    fields.emojiYes.block(emojiOption(emoji.yes)),
    fields.emojiNo.block(emojiOption(emoji.no)),
    fields.expires.block(`${draft?.expiresAfterMs ?? USUAL_EXPIRY}`),
    fields.options.block([
      ...(reminds ? (['reminds'] as const) : []),
      ...(mayWithdraw ? (['may_withdraw'] as const) : []),
    ]),
  ];
  return withErrors(FORM.view({ title: POLICY_TITLE, submit: 'Save', blocks }, about), errors);
}

/** A policy as its form shows it. */
export function draftOf({ approvers, ...rest }: Policy): PolicyDraft {
  return {
    ...rest,
    approvers: approvers.type,
    group: approvers.type === 'group' ? approvers.group : undefined,
    people: approvers.type === 'people' ? approvers.people : [],
  };
}

/** Reads the form. @throws if it is not this form: a fault */
export function readPolicyForm(view: FilledIn): { about: AboutPolicy; draft: PolicyDraft } {
  const { values, about } = FORM.read(view);
  const { approvers, group, people, channel, shownIn, options } = values;
  const draft = {
    approvers,
    group,
    people,
    ...(channel ? { channel } : {}),
    shownIn,
    quorum: Number(values.quorum),
    emoji: { yes: values.emojiYes ?? '', no: values.emojiNo ?? '' },
    expiresAfterMs: Number(values.expires),
    reminds: options.includes('reminds'),
    mayWithdraw: options.includes('may_withdraw'),
  };
  return { about, draft };
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

/** The mistakes in a policy, each at its field. */
export function policyErrors({ group, people, channel, emojiYes, emojiNo }: PolicyProblems): FieldErrors {
  return FORM.at({
    group: group && GROUP[group],
    people: people && PEOPLE[people],
    channel: channel && CHANNEL[channel],
    emojiYes: emojiYes && EMOJI[emojiYes],
    emojiNo: emojiNo && EMOJI[emojiNo],
  });
}

const EMOJI = {
  not_a_name: 'This is not the name of an emoji.',
  same: 'Choose a different emoji from the one that approves.',
};
