/** The form in which an admin decides whose approval a kind of request needs. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import { DEFAULT_EMOJI, PEOPLE_MAX, Policy, QUORUM_MAX } from '../../../requests/model/policy.ts';
import {
  needsChannel,
  type PolicyDraft,
  type PolicyProblems,
} from '../../../requests/use-cases/approvals/draft-policy.ts';
import { channel, people, searched, select, sometimes, ticks } from '../../blocks/fields.ts';
import { asJson, type FieldErrors, type FilledIn, form, withErrors } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { section } from '../../blocks/text.ts';
import type { UserGroup } from '../../directory/read-people.ts';
import { isShown } from '../../listeners/listener.ts';
import { CHANNEL } from '../../messages/sentences/form-texts.ts';
import { KIND_COPY } from '../../messages/sentences/request-words.ts';
import { EXPIRES } from '../../messages/sentences/settings-texts.ts';
import { emojiOption, groupOption } from './choices.ts';
import { ABOUT_BENEATH } from './settings-form.ts';

export const POLICY_TITLE = 'Approval';

const APPROVERS = {
  nobody: 'Nobody: requests are sent at once',
  group: 'The members of a user group',
  people: 'People named here',
  channel: 'The members of a private channel',
} as const;

const SHOWN_IN = {
  approvals_channel: 'In the approvals channel, with a link back',
  where_requested: 'In the channel of the request',
} as const;

const OPTIONS = {
  reminds: 'Remind the approvers after half of the time',
  may_withdraw: 'The requester may withdraw the request (admins always may)',
} as const;

const QUORUMS = Object.fromEntries(Array.from({ length: QUORUM_MAX }, (_, i) => [`${i + 1}`, `${i + 1}`]));

/**
 * Everything that was filled in: a field that the form does not show now is filled in with it once a choice brings the field
 * back.
 */
const Kept = Policy.omit({ approvers: true, setBy: true }).extend({
  group: z.string().optional(),
  people: z.array(z.string()),
  emoji: z.object({ yes: z.string(), no: z.string() }),
});

const About = z.object({
  kind: z.enum(KIND_NAMES),
  /** The version of the settings that the form shows. */
  shown: z.number().optional(),
  ...ABOUT_BENEATH,
  kept: Kept.optional(),
});
export type AboutPolicy = z.infer<typeof About>;

const FORM = form(
  CALLBACKS.policy,
  {
    approvers: select(ACTIONS.approvers, {
      label: 'Who approves',
      hint: 'A requester never approves their own request.',
      options: APPROVERS,
      dispatches: true,
    }),
    group: sometimes(searched(ACTIONS.approverGroup, { label: 'User group' })),
    people: sometimes(people('approver_people', { label: 'People', max: PEOPLE_MAX })),
    shownIn: sometimes(
      select(ACTIONS.shownIn, {
        label: 'Where approvers see requests',
        hint: 'Approvers who are not in that channel are not notified: they see requests only on their Home tab.',
        options: SHOWN_IN,
        dispatches: true,
      }),
    ),
    channel: sometimes(
      channel('approvals_channel', {
        label: 'Approvals channel',
        hint: 'The channel must be private and not shared, and I must be a member: type /invite @Countermand there first.',
        include: ['private'],
      }),
    ),
    quorum: sometimes(
      select('quorum', {
        label: 'How many must approve',
        hint: 'A single decline stops a request.',
        options: QUORUMS,
      }),
    ),
    // Slack has no picker of emoji for forms: the bot offers some, and whatever name is typed.
    emojiYes: sometimes(searched(ACTIONS.emojiYes, { label: 'Emoji that approves' })),
    emojiNo: sometimes(searched(ACTIONS.emojiNo, { label: 'Emoji that declines' })),
    expires: sometimes(
      select('expire', { label: 'Requests expire after', options: Object.fromEntries(EXPIRES) }),
    ),
    options: sometimes(ticks('policy_options', { label: 'Options', options: OPTIONS })),
  },
  asJson(About),
);

/**
 * The form before anything was set: nobody approves. If somebody is to approve, the other fields are filled in with these values.
 */
const USUAL: PolicyDraft = {
  approvers: 'nobody',
  group: undefined,
  people: [],
  shownIn: 'where_requested',
  quorum: 1,
  emoji: DEFAULT_EMOJI,
  expiresAfterMs: 8 * 3_600_000,
  reminds: true,
  mayWithdraw: true,
};

type FieldName = keyof typeof FORM.fields;

/** The fields that the form shows: those that the chosen approvers need, and no others. */
const fieldsFor = (draft: PolicyDraft): FieldName[] => [
  'approvers',
  ...(draft.approvers === 'group' || draft.approvers === 'people' ? [draft.approvers] : []),
  ...(draft.approvers === 'nobody' ? [] : votingFields(draft)),
];

const votingFields = (draft: PolicyDraft): FieldName[] => [
  'shownIn',
  ...(needsChannel(draft) ? (['channel'] as const) : []),
  'quorum',
  'emojiYes',
  'emojiNo',
  'expires',
  'options',
];

/** The fields that a policy can't do without. The others have a usual value. */
const REQUIRED: ReadonlySet<FieldName> = new Set(['group', 'people', 'channel', 'quorum']);

/** @param errors the mistakes that were found after the submission was acknowledged, by block */
export function policyModal(
  { kind, shown, beneath, hash }: AboutPolicy,
  draft: PolicyDraft = USUAL,
  { group, errors = {} }: { group?: UserGroup | undefined; errors?: Readonly<FieldErrors> } = {},
): types.ModalView {
  const { fields } = FORM;
  const { approvers, ...kept } = draft;
  const { people, emoji } = kept;
  const drawn: Record<FieldName, types.InputBlock> = {
    approvers: fields.approvers.block(approvers),
    group: fields.group.block(group && groupOption(group)),
    people: fields.people.block(people),
    shownIn: shownInBlock(draft),
    channel: fields.channel.block(kept.channel),
    quorum: fields.quorum.block(`${kept.quorum}`),
    emojiYes: fields.emojiYes.block(emoji.yes === '' ? undefined : emojiOption(emoji.yes)),
    emojiNo: fields.emojiNo.block(emoji.no === '' ? undefined : emojiOption(emoji.no)),
    expires: fields.expires.block(`${kept.expiresAfterMs}`),
    options: fields.options.block([
      ...(kept.reminds ? (['reminds'] as const) : []),
      ...(kept.mayWithdraw ? (['may_withdraw'] as const) : []),
    ]),
  };
  const blocks = [
    section(`*${KIND_COPY[kind].title}*: what must happen before a request is sent to the order service?`),
    ...fieldsFor(draft).map((name) => drawn[name]),
  ];
  const about = { kind, shown, beneath, hash, kept: { ...kept, people: [...people] } };
  return withErrors(FORM.view({ title: POLICY_TITLE, submit: 'Save', blocks }, about), errors);
}

/** Leaves out the hint about approvers who are not in the channel, if the members of the approvals channel are the approvers. */
function shownInBlock({ approvers, shownIn }: PolicyDraft): types.InputBlock {
  const block = FORM.fields.shownIn.block(shownIn);
  const { hint: _, ...unexplained } = block;
  return approvers === 'channel' && shownIn === 'approvals_channel' ? unexplained : block;
}

export function draftOf({ approvers, ...rest }: Policy): PolicyDraft {
  return {
    ...rest,
    approvers: approvers.type,
    group: approvers.type === 'group' ? approvers.group : undefined,
    people: approvers.type === 'people' ? approvers.people : [],
  };
}

/**
 * Reads the form, submitted or while it is filled in.
 *
 * @returns `isWhole`: whether the form shows what the chosen approvers need; after a choice, only once it is drawn anew
 * @throws if it is not this form: a fault
 */
export function readPolicyForm(view: FilledIn) {
  const { values, about } = FORM.read(view);
  const { approvers, shownIn, quorum, expires, options, emojiYes, emojiNo } = values;
  const before: PolicyDraft = { ...USUAL, ...about.kept };
  const shows = (name: FieldName) => isShown(view, FORM.fields[name].id);
  const draft: PolicyDraft = {
    ...before,
    approvers,
    ...(shows('group') && { group: values.group }),
    ...(shows('people') && { people: values.people ?? [] }),
    ...(shows('channel') && { channel: values.channel }),
    ...(shownIn && { shownIn }),
    ...(quorum && { quorum: Number(quorum) }),
    emoji: {
      yes: shows('emojiYes') ? (emojiYes ?? '') : before.emoji.yes,
      no: shows('emojiNo') ? (emojiNo ?? '') : before.emoji.no,
    },
    ...(expires && { expiresAfterMs: Number(expires) }),
    ...(options && { reminds: options.includes('reminds'), mayWithdraw: options.includes('may_withdraw') }),
  };
  const required = fieldsFor(draft).filter((name) => REQUIRED.has(name));
  return { about, draft, isWhole: required.every(shows) };
}

export const policyErrors = ({ group, people, channel, emojiYes, emojiNo }: PolicyProblems): FieldErrors =>
  FORM.at({
    group: group && POLICY_MISTAKES.group[group],
    people: people && POLICY_MISTAKES.people[people],
    channel: channel && POLICY_MISTAKES.channel[channel],
    emojiYes: emojiYes && POLICY_MISTAKES.emoji[emojiYes],
    emojiNo: emojiNo && POLICY_MISTAKES.emoji[emojiNo],
  });

const TOO_FEW_MEMBERS =
  'Not enough of its members can approve. Guests, bots and deactivated people do not count.';

export const POLICY_MISTAKES = {
  group: {
    missing: 'Choose the user group.',
    group_unreadable: 'This user group is gone or cannot be read. Choose another one.',
    fewer_than_quorum: TOO_FEW_MEMBERS,
  },
  people: {
    missing: 'Name at least one person.',
    fewer_than_quorum: 'Name at least as many people as must approve.',
    not_full_members: 'Guests, bots, deactivated people and people from another company cannot approve.',
  },
  channel: {
    missing: 'Choose the approvals channel.',
    fewer_than_quorum: TOO_FEW_MEMBERS,
    channel_not_visible: 'I cannot see this channel. Invite me there with /invite @Countermand.',
    channel_not_member: 'I am not a member of this channel. Invite me there with /invite @Countermand.',
    channel_not_private:
      'This channel is not private: anybody could join it and decide. Choose a private channel.',
    channel_shared: CHANNEL.shared,
    channel_archived: CHANNEL.archived,
  },
  emoji: {
    not_a_name: 'This is not the name of an emoji.',
    reserved: 'An emoji of this name cannot be told from the buttons. Choose another one.',
    same: 'Choose a different emoji from the one that approves.',
  },
};
