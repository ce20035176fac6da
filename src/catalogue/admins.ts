/** The surfaces for admins: connecting, disconnecting, settings, approvals, notifications, and installing. */
import type { Policy } from '../requests/model/approvals/policy.ts';
import {
  newAdminsNotice,
  newEventNotice,
  newPolicyNotice,
  newSendingNotice,
  newSettingsNotice,
} from '../requests/model/notices/notice.ts';
import { newHour } from '../requests/model/notices/unmatched-events.ts';
import { adminsOnlyText } from '../slack/blocks/problems.ts';
import { checkingModal, connectedModal, connectModal } from '../slack/features/connection/connect-form.ts';
import {
  connectedDirectly,
  doubtSentence,
  formerTokenText,
  problemOf,
  warningsOf,
} from '../slack/features/connection/connect-text.ts';
import { disconnectedText, disconnectModal } from '../slack/features/connection/disconnect-modal.ts';
import { customerTextsModal } from '../slack/features/settings/customer-texts-form.ts';
import {
  FORMER_UNKNOWN,
  formerPolicyTexts,
  pauseText,
  savedTexts,
} from '../slack/features/settings/lines.ts';
import {
  draftOf,
  POLICY_CONFLICT,
  POLICY_UNCHANGED,
  policyErrors,
  policyModal,
} from '../slack/features/settings/policy-form.ts';
import {
  ADMINS_OF_ORGANIZATION,
  foundText,
  savedSettingsTexts,
} from '../slack/features/settings/settings.ts';
import { conflictErrors, settingsMistakes, settingsModal } from '../slack/features/settings/settings-form.ts';
import { type Ending, endingPage, installPage, welcomeMessage } from '../slack/install/pages.ts';
import { noticeMessage } from '../slack/messages/content/notice.ts';
import { changeText } from '../slack/messages/sentences/settings-texts.ts';
import {
  event,
  message,
  PAUSE,
  POLICY,
  page,
  queued,
  REFERENCE,
  SHOWN_APART,
  type Surface,
  T0,
  view,
} from './examples.ts';

const ERROR = new Error('no answer');

const FACTS = {
  connectedBy: 'UOLGA',
  connectedAt: T0,
  lastCall: T0,
  lastEvent: T0,
  paused: { state: 'paused' as const, since: T0, nextCheck: T0 + 60_000 },
  secrets: 2,
};

const OPEN = { ...FACTS.paused, state: 'open' } as const;

const REVOCATIONS = [{ type: 'unreachable' }, { type: 'unknown', code: 'TIMEOUT', error: ERROR }] as const;

export function connecting(): Surface[] {
  const done = { eventsUrl: 'https://countermand.example.com/events/x', secret: 's', warnings: [] };
  const problems = ['malformed', 'too_short', 'refused', 'unreachable', 'revoking'] as const;
  const doubts = [
    { type: 'limited', code: 'FORBIDDEN' },
    { type: 'unverified', code: 'HTTP 500' },
    { type: 'graphql_refused' },
  ] as const;
  const former = [
    ...(['none', 'same', 'shared', 'in_doubt', 'revoked', 'dead'] as const).map((type) => ({ type })),
    { type: 'not_sent', error: ERROR } as const,
    ...REVOCATIONS,
  ];
  const unchanged = { ...done, secret: undefined };
  const quiet = {
    ...FACTS,
    connectedBy: 'terminal',
    lastCall: undefined,
    lastEvent: undefined,
    paused: undefined,
    secrets: 1,
  };
  return [
    view(connectModal({ reconnect: false })),
    view(connectModal({ reconnect: true, revokeFormer: true, facts: FACTS })),
    view(connectModal({ reconnect: true, revokeFormer: true, facts: { ...quiet, paused: OPEN } })),
    view(connectModal({ reconnect: true, revokeFormer: true, facts: quiet })),
    view(checkingModal()),
    view(connectedModal(done)),
    view(connectedModal(unchanged)),
    ...problems.map(problemOf),
    ...problems.map((type) => connectedDirectly({ type })),
    ...[done, unchanged].map((all) => connectedDirectly({ type: 'connected', doubt: undefined, ...all })),
    ...warningsOf('graphql', undefined),
    ...doubts.map(doubtSentence),
    ...former.map((each) => formerTokenText(each, REFERENCE)),
  ];
}

export function disconnecting(): Surface[] {
  const fates = ['revoked', 'dead', 'kept'] as const;
  return [
    view(disconnectModal({ type: 'not_connected' })),
    view(disconnectModal({ type: 'connected', generation: 'g', revokes: true, pending: true })),
    view(
      disconnectModal({
        type: 'connected',
        generation: 'g',
        revokes: false,
        whyNot: 'shared',
        pending: false,
      }),
    ),
    view(
      disconnectModal({
        type: 'connected',
        generation: 'g',
        revokes: false,
        whyNot: 'not_exclusive',
        pending: false,
      }),
    ),
    disconnectedText({ type: 'changed', by: 'UOLGA' }, 'slack'),
    ...fates.flatMap((revocation) => [
      disconnectedText({ type: 'disconnected', revocation, pending: true }, 'slack'),
      disconnectedText({ type: 'connected_anew', revocation, by: 'UOLGA' }, 'slack'),
    ]),
    disconnectedText({ type: 'connected_anew', revocation: 'kept', by: 'terminal' }, 'slack'),
    ...REVOCATIONS.flatMap((revocation) =>
      (['slack', 'terminal'] as const).map((at) =>
        disconnectedText({ type: 'not_revoked', revocation }, at, REFERENCE),
      ),
    ),
  ];
}

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

const INITIAL = { settings: { policies: { cancel_order: POLICY, send_offer: SHOWN_APART } }, version: 1 };

export function settings(): Surface[] {
  const errors = [
    ...(['missing', 'group_unreadable', 'fewer_than_quorum'] as const).map((group) => ({ group })),
    ...(['missing', 'fewer_than_quorum', 'not_full_members'] as const).map((people) => ({ people })),
    ...CHANNEL_PROBLEMS.map((channel) => ({ channel })),
    { emojiYes: 'not_a_name' as const },
    ...(['not_a_name', 'same'] as const).map((emojiNo) => ({ emojiNo })),
  ].flatMap((problems) => Object.values(policyErrors(problems)));
  return [
    view(settingsModal(INITIAL)),
    ...[true, false].map((isEditable) =>
      view(settingsModal(INITIAL, { admins: { group: { id: 'S1', name: 'Desk admins' }, isEditable } })),
    ),
    view(settingsModal({ settings: { paused: PAUSE }, version: 1 })),
    view(customerTextsModal(INITIAL, 1)),
    ...(['pauseSending', 'resumeSending'] as const).flatMap((change) =>
      [true, false].flatMap((isNew) => [
        pauseText(change, { pause: PAUSE, isNew }),
        pauseText(change, { pause: undefined, isNew }),
      ]),
    ),
    ...mistakes(),
    ...Object.values(conflictErrors(['reasons'])),
    view(policyModal(ABOUT)),
    ...[POLICY, BY_PEOPLE, BY_CHANNEL].map((policy) => view(policyModal(ABOUT, draftOf(policy)))),
    ...errors,
    POLICY_CONFLICT,
    POLICY_UNCHANGED,
    ...[1, 2].flatMap((quorum) => savedTexts('cancel_order', { ...SHOWN_APART, quorum }, true)),
    ...savedTexts('cancel_order', undefined, false),
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
  ].map((text) => text ?? '');
}

/** Mistakes in settings, at their fields. */
const mistakes = (): string[] => [
  ...[Array.from({ length: 21 }, (_, i) => `${i}`).join('\n'), 'x'.repeat(80)].flatMap((reasons) =>
    Object.values(settingsMistakes({ ...NO_SETTINGS, reasons, orderIdPattern: 'A-1', requestsPerHour: '0' })),
  ),
  ...['A-####, B-####', '*'].flatMap((orderIdPattern) =>
    Object.values(settingsMistakes({ ...NO_SETTINGS, orderIdPattern })),
  ),
  ...['x', 'http://x/{id}', 'https://u:p@x/{id}', 'https://x/'].flatMap((orderAddress) =>
    Object.values(settingsMistakes({ ...NO_SETTINGS, orderAddress })),
  ),
  ...['not a host', '1\n2\n3\n4\n5\n6'].flatMap((ticketHosts) =>
    Object.values(settingsMistakes({ ...NO_SETTINGS, ticketHosts })),
  ),
];

const ABOUT = { kind: 'cancel_order' as const, shown: 1, beneath: 1 };
const BY_PEOPLE: Policy = { ...SHOWN_APART, approvers: { type: 'people', people: ['UCARA', 'UDEV'] } };
const BY_CHANNEL: Policy = { ...SHOWN_APART, approvers: { type: 'channel' } };

/** One change of each setting. */
const CHANGES = {
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

const CHANNEL_PROBLEMS = [
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

const RENEWAL = {
  type: 'renewal_refused' as const,
  workspace: 'T1',
  generation: 'g',
  expiresAt: T0,
  page: 'https://bot.example/slack/install',
  connectedBy: 'UOLGA',
};

export function notices(): Surface[] {
  const workspace = 'T1';
  const events = [event(), event({ status: 'accepted' }), event({ status: 'accepted', word: 'on_hold' })];
  return [
    ...events.map((each) =>
      newEventNotice({ workspace, kind: 'cancel_order', event: each, channel: 'C1' }, T0),
    ),
    ...[1, 1_995].map((summed) => ({ ...newHour(workspace, 'C1', undefined, T0), summed })),
    ...(['token_refused', 'events_refused'] as const).map((type) =>
      newAdminsNotice({ type, workspace, generation: 'g', since: T0, connectedBy: 'UOLGA' }, T0, 'UOLGA'),
    ),
    ...[false, true].map((orgWide) => newAdminsNotice({ ...RENEWAL, orgWide }, T0, 'UOLGA')),
    newPolicyNotice({ workspace, kind: 'cancel_order', quorum: 1, to: 'UOLGA' }, T0),
    newPolicyNotice({ workspace, kind: 'cancel_order', quorum: 2, to: 'UOLGA' }, T0),
    newAdminsNotice(
      { type: 'limit_met', workspace, person: 'UDEV', made: 60, limit: 60, since: T0, connectedBy: 'UOLGA' },
      T0,
      'UOLGA',
    ),
    newSettingsNotice({ workspace, channel: 'C1', by: 'UOLGA', at: T0, changes: CHANGES, former: 1 }),
    ...(['sending_paused', 'sending_resumed'] as const).map((type) =>
      newSendingNotice({ type, workspace, channel: 'C1', by: 'UOLGA', at: T0, pause: PAUSE }),
    ),
  ].map((notification) => message(noticeMessage(notification)));
}

export function installing(): Surface[] {
  const installed = { type: 'installed' as const, id: 'T1', appId: 'A1' };
  const endings: Ending[] = [
    { ...installed, orgWide: false, welcomed: true },
    { ...installed, orgWide: false, welcomed: false },
    { ...installed, orgWide: true, welcomed: false },
    { type: 'refused', code: 'some_code' },
    { type: 'fault', reference: REFERENCE },
    ...(['denied', 'expired', 'used', 'forged', 'other_browser', 'busy'] as const).map((type) => ({ type })),
  ];
  return [
    page(installPage('https://slack.com')),
    ...endings.map(endingPage).map(page),
    message(welcomeMessage()),
  ];
}
