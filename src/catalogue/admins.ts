/** The messages to admins: connecting and disconnecting, notices of a workspace, and installing. */
import {
  newAdminsNotice,
  newPolicyNotice,
  newSendingNotice,
  newSettingsNotice,
} from '../requests/model/notices/notice.ts';
import { newEventNotice, newHour } from '../requests/model/notices/unmatched-events.ts';
import { waitingModal } from '../slack/blocks/forms.ts';
import { connectedModal, connectModal } from '../slack/features/connection/connect-form.ts';
import { CHECKING, disconnectModal } from '../slack/features/connection/index.ts';
import {
  ENDINGS,
  type Ending,
  endingPage,
  installPage,
  REFUSALS,
  welcomeMessage,
} from '../slack/install/pages.ts';
import { noticeMessage } from '../slack/messages/content/notice.ts';
import {
  CONNECT_PROBLEMS,
  connectedText,
  disconnectedText,
  doubtSentence,
  formerTokenText,
  TOKEN_CHECKED,
  warningsOf,
} from '../slack/messages/sentences/connection-texts.ts';
import { CONNECTION_FACTS, event, PAUSE, page, REFERENCE, type Surface, T0 } from './examples.ts';
import { CHANGES } from './settings.ts';

const ERROR = new Error('no answer');

const OPEN = { ...CONNECTION_FACTS.paused, state: 'open' } as const;

const REVOCATIONS = [
  { type: 'unreachable', error: ERROR },
  { type: 'not_sent', error: ERROR },
  { type: 'unknown', code: 'TIMEOUT', error: ERROR },
] as const;

export function connecting(): Surface[] {
  const done = { eventsUrl: 'https://countermand.example.com/events/x', secret: 's', warnings: [] };
  const problems = Object.keys(CONNECT_PROBLEMS) as (keyof typeof CONNECT_PROBLEMS)[];
  const doubts = [
    { type: 'limited', code: 'FORBIDDEN' },
    { type: 'unverified', code: 'HTTP 500' },
    { type: 'graphql_refused' },
  ] as const;
  const former = [
    ...(['none', 'same', 'shared', 'in_doubt', 'revoked', 'dead'] as const).map((type) => ({ type })),
    ...REVOCATIONS,
  ];
  const unchanged = { ...done, secret: undefined };
  const quiet = {
    ...CONNECTION_FACTS,
    connectedBy: 'terminal',
    lastCall: undefined,
    lastEvent: undefined,
    paused: undefined,
    secrets: 1,
  };
  return [
    connectModal({}),
    connectModal({ hasSecret: true, hasToken: true, revokeFormer: true, facts: CONNECTION_FACTS }),
    connectModal({ hasSecret: true, hasToken: true, revokeFormer: true, facts: { ...quiet, paused: OPEN } }),
    connectModal({ hasSecret: true, hasToken: true, revokeFormer: true, facts: quiet }),
    waitingModal(CHECKING.title, CHECKING.meanwhile),
    ...Object.values(TOKEN_CHECKED),
    connectedModal(done),
    connectedModal({ ...done, formerSecret: 'works' }),
    connectedModal({ ...done, formerSecret: 'ended' }),
    connectedModal(unchanged),
    ...Object.values(CONNECT_PROBLEMS),
    ...problems.map((type) => connectedText({ type })),
    ...[done, unchanged].map((all) =>
      connectedText({ type: 'connected', doubt: undefined, isNoLongerExclusive: false, ...all }),
    ),
    ...warningsOf('graphql', undefined),
    ...doubts.map(doubtSentence),
    ...former.map((each) => formerTokenText(each, REFERENCE)),
  ];
}

export function disconnecting(): Surface[] {
  const connected = { type: 'connected', generation: 'g' } as const;
  const fates = ['revoked', 'dead', 'kept'] as const;
  return [
    disconnectModal({ type: 'not_connected' }),
    disconnectModal({ ...connected, revokes: true, pending: true }),
    ...(['shared', 'not_exclusive'] as const).map((whyNot) =>
      disconnectModal({ ...connected, revokes: false, whyNot, pending: false }),
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
    newPolicyNotice({ workspace, kind: 'cancel_order', quorum: 2, to: 'UOLGA', goneGroup: 'S1' }, T0),
    newAdminsNotice(
      { type: 'limit_met', workspace, person: 'UDEV', made: 60, limit: 60, since: T0, connectedBy: 'UOLGA' },
      T0,
      'UOLGA',
    ),
    newSettingsNotice({ workspace, channel: 'C1', by: 'UOLGA', at: T0, changes: CHANGES, former: 1 }),
    ...(['sending_paused', 'sending_resumed'] as const).map((type) =>
      newSendingNotice({ type, workspace, channel: 'C1', by: 'UOLGA', at: T0, pause: PAUSE }),
    ),
  ].map((notice) => noticeMessage(notice));
}

export function installing(): Surface[] {
  const installed = { type: 'installed' as const, id: 'T1', appId: 'A1' };
  const endings: Ending[] = [
    ...(['message', 'command', 'none'] as const).map((next) => ({ ...installed, orgWide: false, next })),
    { ...installed, orgWide: true, next: 'command' },
    ...['some_code', ...REFUSALS.keys()].map((code) => ({ type: 'refused' as const, code })),
    { type: 'fault', reference: REFERENCE },
    { type: 'lacking', missing: ['chat:write'] },
    ...(Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]).map((type) => ({ type })),
  ];
  return [
    page(installPage('https://slack.com')),
    ...endings.map(endingPage).map(page),
    welcomeMessage('T1'),
    welcomeMessage().text,
  ];
}
