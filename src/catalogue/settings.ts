/** The forms of the settings, of an approval and of the texts for customers, and the sentences about them. */
import type { Policy } from '../requests/model/policy.ts';
import { notOfferedReasonsText } from '../slack/features/customer-reply.ts';
import {
  CUSTOMER_TEXTS_FORM,
  CUSTOMER_TEXTS_UNCHANGED,
  customerTextsModal,
} from '../slack/features/settings/customer-texts.ts';
import {
  FORMER_UNKNOWN,
  formerPolicyTexts,
  POLICY_CONFLICT,
  POLICY_TAKEN_OVER,
  POLICY_UNCHANGED,
  savedPolicyTexts,
} from '../slack/features/settings/policy.ts';
import { draftOf, POLICY_MISTAKES, policyModal } from '../slack/features/settings/policy-form.ts';
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

export function settings(): Surface[] {
  return [
    settingsModal(INITIAL),
    ...[true, false].map((isEditable) =>
      settingsModal(INITIAL, { admins: { group: { id: 'S1', name: 'Desk admins' }, isEditable } }),
    ),
    settingsModal({ settings: { paused: PAUSE }, version: 1 }),
    settingsModal({ settings: { reasonsForCustomers: ['Too late = it is late'] }, version: 1 }),
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
    ...Object.values(POLICY_MISTAKES).flatMap((texts) => Object.values(texts)),
    POLICY_CONFLICT,
    POLICY_TAKEN_OVER,
    POLICY_UNCHANGED,
    ...[1, 2].flatMap((quorum) => savedPolicyTexts('cancel_order', { ...SHOWN_APART, quorum }, true)),
    ...savedPolicyTexts('cancel_order', undefined, false),
    ...[12, 0].flatMap((others) =>
      formerPolicyTexts({ records: [queued(), queued()], others, atLeast: true }, [
        'https://acme.slack.com/archives/C1/p1',
      ]),
    ),
    ...['', 'Hello', 'A-1001, please, and A-1002'].map((sample) =>
      foundText(sample, { orderIdPattern: 'A-####' }),
    ),
    FORMER_UNKNOWN,
    ...savedSettingsTexts({ orderIdPattern: 'A-####' }, CHANGES),
    ...Object.entries(CHANGES).flatMap(([setting, change]) => changeText(setting, change) ?? []),
    changeText('policy of send_offer', { from: { ...POLICY, setBy: 'UBEN' }, to: POLICY }) ?? '',
    adminsOnlyText({ of: 'workspace' }),
    adminsOnlyText({ of: 'organization', group: undefined }),
    adminsOnlyText({ of: 'organization', group: 'S1' }),
    ADMINS_OF_ORGANIZATION,
  ];
}

/** Mistakes in settings, and in texts for customers, at their fields. */
function mistakes(): Surface[] {
  const { reasons, requestsPerHour, orderIdPattern, orderAddress, ticketHosts } = SETTINGS_FORM.fields;
  const { reasonsForCustomers, replyOfferSent } = CUSTOMER_TEXTS_FORM.fields;
  const lines = (count: number, text = '') =>
    Array.from({ length: count }, (_, i) => `${i}${text}`).join('\n');
  return [
    ...['Ordered twice', '= it was ordered twice', lines(41, ' = x')].map(reasonsForCustomers.wrong),
    notOfferedReasonsText(['Too late']),
    ...['Dear {name}', '{reason}'].map(replyOfferSent.wrong),
    ...[lines(21), 'x'.repeat(80)].map(reasons.wrong),
    requestsPerHour.wrong('0'),
    ...['A-1', 'A-####, B-####', '*'].map(orderIdPattern.wrong),
    ...['x', 'http://x/{id}', 'https://u:p@x/{id}', 'https://x/'].map(orderAddress.wrong),
    ...['not a host', lines(6)].map(ticketHosts.wrong),
  ].filter((text) => text !== undefined);
}
