/** The forms of the settings, of an approval and of the texts for customers, and the sentences about them. */
import type { Policy } from '../requests/model/policy.ts';
import {
  CUSTOMER_TEXTS_FORM,
  CUSTOMER_TEXTS_UNCHANGED,
  customerTextsModal,
} from '../slack/features/settings/customer-texts.ts';
import {
  FORMER_UNKNOWN,
  formerPolicyTexts,
  POLICY_CONFLICT,
  POLICY_UNCHANGED,
  savedPolicyTexts,
} from '../slack/features/settings/policy.ts';
import { draftOf, policyErrors, policyModal } from '../slack/features/settings/policy-form.ts';
import {
  ADMINS_OF_ORGANIZATION,
  foundText,
  pauseText,
  SETTINGS_UNCHANGED,
  savedSettingsTexts,
} from '../slack/features/settings/settings.ts';
import { conflictTexts, SETTINGS_FORM } from '../slack/features/settings/settings-form.ts';
import { settingsModal } from '../slack/features/settings/settings-modal.ts';
import { adminsOnlyText } from '../slack/messages/sentences/problems.ts';
import { changeText } from '../slack/messages/sentences/settings-texts.ts';
import { PAUSE, POLICY, queued, SHOWN_APART, type Surface } from './examples.ts';

const NO_SETTINGS = {
  sample: '',
  requesters: undefined,
  admins: undefined,
  notificationsChannel: undefined,
  sharedChannels: false,
  reasons: '',
  orderIdPattern: '',
  orderAddress: '',
  offerAddress: '',
  ticketHosts: '',
  requestsPerHour: '',
};

const NO_TEXTS = {
  replyOrderCanceled: '',
  replyOrderInReview: '',
  replyOrderNotCanceled: '',
  replyOfferSent: '',
  replyOfferCanceled: '',
  reasonsForCustomers: '',
};

const INITIAL = { settings: { policies: { cancel_order: POLICY, send_offer: SHOWN_APART } }, version: 1 };

const ABOUT = { kind: 'cancel_order' as const, shown: 1, beneath: 1 };
const BY_PEOPLE: Policy = { ...SHOWN_APART, approvers: { type: 'people', people: ['UCARA', 'UDEV'] } };
const BY_CHANNEL: Policy = { ...SHOWN_APART, approvers: { type: 'channel' } };

/** One change of each setting. */
export const CHANGES = {
  requesters: { from: null, to: 'S1' },
  admins: { from: 'S1', to: null },
  requestsPerHour: { from: null, to: 'unlimited' },
  notificationsChannel: { from: null, to: 'C1' },
  reasons: { from: null, to: ['1', '2', '3', '4', '5', '6', '7'] },
  orderIdPattern: { from: null, to: 'A-####' },
  orderAddress: { from: null, to: 'https://shop.example.com/orders/{id}' },
  offerAddress: { from: 'https://shop.example.com/offers/{id}', to: null },
  ticketHosts: { from: null, to: ['desk.example.com'] },
  sharedChannels: { from: null, to: true },
  replyOrderCanceled: { from: null, to: 'Your order {id} is cancelled.' },
  reasonsForCustomers: { from: null, to: ['Ordered twice = it was ordered twice'] },
  'policy of cancel_order': { from: null, to: BY_PEOPLE },
  'policy of send_offer': { from: POLICY, to: { ...POLICY, reminds: false, mayWithdraw: false } },
  'policy of cancel_offer': { from: BY_CHANNEL, to: null },
};

const CHANNEL_FIELD_PROBLEMS = [
  'missing',
  'fewer_than_quorum',
  'channel_not_visible',
  'channel_not_member',
  'channel_not_private',
  'channel_shared',
  'channel_archived',
  'channel_refused',
  'reactions_unreadable',
  'approvers_unreadable',
] as const;

export function settings(): Surface[] {
  const errors = [
    ...(['missing', 'group_unreadable', 'fewer_than_quorum'] as const).map((group) => ({ group })),
    ...(['missing', 'fewer_than_quorum', 'not_full_members'] as const).map((people) => ({ people })),
    ...CHANNEL_FIELD_PROBLEMS.map((channel) => ({ channel })),
    { emojiYes: 'not_a_name' as const },
    ...(['not_a_name', 'same'] as const).map((emojiNo) => ({ emojiNo })),
  ].flatMap((problems) => Object.values(policyErrors(problems)));
  return [
    settingsModal(INITIAL),
    ...[true, false].map((isEditable) =>
      settingsModal(INITIAL, { admins: { group: { id: 'S1', name: 'Desk admins' }, isEditable } }),
    ),
    settingsModal({ settings: { paused: PAUSE }, version: 1 }),
    SETTINGS_UNCHANGED,
    customerTextsModal(INITIAL, { beneath: 1 }),
    CUSTOMER_TEXTS_UNCHANGED,
    pauseText('resumeSending', { pause: undefined, later: PAUSE, isNew: false }),
    ...(['pauseSending', 'resumeSending'] as const).flatMap((change) =>
      [true, false].flatMap((isNew) => [
        pauseText(change, { pause: PAUSE, isNew }),
        pauseText(change, { pause: undefined, isNew }),
      ]),
    ),
    ...mistakes(),
    ...Object.values(conflictTexts(['reasons'])),
    policyModal(ABOUT),
    ...[POLICY, BY_PEOPLE, BY_CHANNEL].map((policy) => policyModal(ABOUT, draftOf(policy))),
    ...errors,
    POLICY_CONFLICT,
    POLICY_UNCHANGED,
    ...[1, 2].flatMap((quorum) => savedPolicyTexts('cancel_order', { ...SHOWN_APART, quorum }, true)),
    ...savedPolicyTexts('cancel_order', undefined, false),
    ...formerPolicyTexts({ records: [queued(), queued()], others: 12, atLeast: true }, [
      'https://acme.slack.com/archives/C1/p1',
    ]),
    ...['', 'Hello', 'A-1001, please, and A-1002'].map((sample) =>
      foundText(sample, { orderIdPattern: 'A-####' }),
    ),
    FORMER_UNKNOWN,
    ...savedSettingsTexts({ orderIdPattern: 'A-####' }, CHANGES),
    ...Object.entries(CHANGES).flatMap(([setting, change]) => changeText(setting, change) ?? []),
    adminsOnlyText({ of: 'workspace' }),
    adminsOnlyText({ of: 'organization', group: undefined }),
    adminsOnlyText({ of: 'organization', group: 'S1' }),
    ADMINS_OF_ORGANIZATION,
  ];
}

/** Mistakes in settings, and in texts for customers, at their fields. */
const mistakes = (): string[] => [
  ...[
    'Ordered twice',
    '= it was ordered twice',
    Array.from({ length: 41 }, (_, i) => `${i} = x`).join('\n'),
  ].flatMap((reasonsForCustomers) =>
    Object.values(CUSTOMER_TEXTS_FORM.mistakes({ ...NO_TEXTS, reasonsForCustomers })),
  ),
  ...Object.values(CUSTOMER_TEXTS_FORM.mistakes({ ...NO_TEXTS, replyOfferSent: 'Dear {name}' })),
  ...[Array.from({ length: 21 }, (_, i) => `${i}`).join('\n'), 'x'.repeat(80)].flatMap((reasons) =>
    Object.values(
      SETTINGS_FORM.mistakes({ ...NO_SETTINGS, reasons, orderIdPattern: 'A-1', requestsPerHour: '0' }),
    ),
  ),
  ...['A-####, B-####', '*'].flatMap((orderIdPattern) =>
    Object.values(SETTINGS_FORM.mistakes({ ...NO_SETTINGS, orderIdPattern })),
  ),
  ...['x', 'http://x/{id}', 'https://u:p@x/{id}', 'https://x/'].flatMap((orderAddress) =>
    Object.values(SETTINGS_FORM.mistakes({ ...NO_SETTINGS, orderAddress })),
  ),
  ...['not a host', '1\n2\n3\n4\n5\n6'].flatMap((ticketHosts) =>
    Object.values(SETTINGS_FORM.mistakes({ ...NO_SETTINGS, ticketHosts })),
  ),
];
