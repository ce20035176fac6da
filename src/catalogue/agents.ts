/** The surfaces for one agent: forms, mistakes in them, conflicts, status, history, sub-brands and failures. */
import { newApproval } from '../requests/model/approvals/approval.ts';
import { CUSTOMER_REPLIES } from '../requests/model/kinds/request-kind.ts';
import { KIND_NAMES } from '../requests/model/kinds.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { STATE_NAMES } from '../requests/model/states.ts';
import { transition } from '../requests/model/transition.ts';
import { ROW_ACTIONS, type Row } from '../requests/use-cases/possible-actions.ts';
import { rolesFor } from '../requests/use-cases/who-may.ts';
import {
  barrierSentence,
  faultSentence,
  fieldTexts,
  misspelledText,
  nearLimitText,
  overLimitText,
  personSentence,
  SETTINGS_CHANGED,
  tryAgain,
} from '../slack/blocks/problems.ts';
import { sections } from '../slack/blocks/text.ts';
import { customerText } from '../slack/features/customer-reply/customer-text.ts';
import {
  noCustomerReplyText,
  notTheirsToReplyText,
  replyModal,
} from '../slack/features/customer-reply/index.ts';
import { FIRST } from '../slack/features/history/filters.ts';
import { historyModal } from '../slack/features/history/modal.ts';
import { HELP, offer } from '../slack/features/mention/index.ts';
import { notOfferedText } from '../slack/features/request/index.ts';
import { requestModal } from '../slack/features/request/request-modal.ts';
import { withdrawModal } from '../slack/features/request/submission.ts';
import { retryModal } from '../slack/features/resolve/index.ts';
import {
  alreadySubmittedText,
  doneBeforeText,
  manualResultText,
  nothingToRecordText,
  notTheirsText,
  slotTakenText,
  tooLateText,
} from '../slack/features/result-text.ts';
import { detailsModal } from '../slack/features/status/index.ts';
import { severalMessage, statusMessage } from '../slack/features/status/text.ts';
import { subBrandsModal } from '../slack/features/sub-brands/index.ts';
import { copyMessage } from '../slack/messages/content/render.ts';
import { directText } from '../slack/messages/sentences/sentences.ts';
import { knownRefusal, slowedDown, unknownRefusal } from '../slack/messages/sentences/slack-refusals.ts';
import { reasonsElsewhere } from '../slack/messages/sentences/summary.ts';
import { countermandTexts } from '../slack/routes.ts';
import {
  answered,
  carded,
  LINK,
  message,
  PAUSE,
  POLICY,
  queued,
  REFERENCE,
  REQUEST,
  type Surface,
  T0,
  view,
  withCard,
} from './examples.ts';

const ADDRESSES = {
  orderAddress: 'https://shop.example.com/orders/{id}',
  ticketHosts: ['desk.example.com', 'tickets.example.com'],
};
const reviewed = answered({ type: 'said', status: 'pending' });

export function requestForms(): Surface[] {
  const forms = KIND_NAMES.flatMap((kind) =>
    (['none', 'allowed', 'refused'] as const).map((sharing) =>
      requestModal(kind, { target: '', reason: '' }, { sharing }),
    ),
  );
  const problems = [
    ...(['missing', 'too_long', 'has_slash', 'unprintable', 'not_an_id', 'not_the_pattern'] as const).map(
      (target) => fieldTexts({ target, pattern: 'A-####' }),
    ),
    ...(['not_an_address', 'not_https', 'has_credentials', 'too_long', 'other_host'] as const).map((ticket) =>
      fieldTexts({ ticket, hosts: ADDRESSES.ticketHosts }),
    ),
    fieldTexts({ ticket: 'other_host' }),
    ...(['missing', 'too_long'] as const).map((reason) => fieldTexts({ reason })),
    ...(['missing', 'not_visible', 'not_member', 'shared', 'archived'] as const).map((channel) =>
      fieldTexts({ channel }),
    ),
  ].flatMap((texts) => Object.values(texts).filter((text) => text !== undefined));
  const origin = { channel: 'C1', thread: '1700000000.000100', link: LINK };
  const fromMessage = [
    undefined,
    'not_theirs',
    'missing',
    'not_visible',
    'not_member',
    'shared',
    'archived',
  ] as const;
  const others = fromMessage.map((noReply) =>
    requestModal('cancel_order', { target: '', reason: '', origin, ids: ['A-1', 'A-2'], noReply }),
  );
  const mentioned = [HELP, offer({ kind: 'cancel_order', target: 'A-1001' }, undefined)].map(
    ({ text }) => text,
  );
  const again = requestModal('cancel_order', {
    target: 'A-1001',
    reason: 'Ordered twice: PO 7',
    channel: 'C1',
  });
  const misspelled = { type: 'misspelled' as const, pattern: 'A-####', typed: 'a-1001', meant: 'A-1001' };
  const linked = [{ target: 'A-1001' }, { target: '' }, { target: 'A-1001', given: '' }].map((known) =>
    requestModal('cancel_order', { reason: '', ...known }, { addresses: ADDRESSES }),
  );
  return [
    ...[...forms, ...others, again, ...linked].map(view),
    ...mentioned,
    ...problems,
    misspelledText(misspelled),
  ];
}

export function barriers(): Surface[] {
  const people = [
    'external_user',
    'bot',
    'deactivated',
    'guest',
    'not_in_group',
    'group_unreadable',
  ] as const;
  return [
    ...people.flatMap((problem) => [
      personSentence(problem),
      barrierSentence({ type: 'not_allowed', problem }),
    ]),
    ...(['not_connected', 'token_refused', 'no_posting'] as const).map((type) => barrierSentence({ type })),
    barrierSentence({ type: 'too_few_approvers', policy: POLICY }),
    barrierSentence({ type: 'paused', pause: PAUSE }),
    ...[60, 61].map((made) => overLimitText({ made, limit: 60, again: T0 }, 'no further one can be made')),
    nearLimitText({ made: 48, limit: 60 }),
  ];
}

export function conflicts(): Surface[] {
  const taken = slotTakenText(reviewed, 'a-1001', LINK);
  return [
    taken,
    slotTakenText(reviewed, REQUEST.target, undefined),
    manualResultText({ type: 'slot_taken', by: reviewed }, LINK),
    doneBeforeText(reviewed, REQUEST.target, LINK),
    alreadySubmittedText(reviewed, LINK),
    alreadySubmittedText(reviewed, undefined),
    manualResultText({ type: 'not_allowed', problem: 'guest' }),
    ...ACTIONS.map((action) => notTheirsText(reviewed, action, rolesFor(reviewed, action))),
    notTheirsText({ ...reviewed, approval: newApproval({ policy: POLICY, earlier: [] }, T0) }, 'approved', [
      'requester',
      'approvers',
      'admins',
    ]),
    manualResultText({ type: 'newer_request', by: reviewed }, LINK),
    manualResultText({ type: 'too_few_approvers' }),
    ...(['retry', 'not_received'] as const).map((action) =>
      manualResultText({ type: 'paused', pause: PAUSE, action }),
    ),
    manualResultText({ type: 'over_limit', usage: { made: 60, limit: 60, again: T0 } }),
    nothingToRecordText(reviewed),
    ...STATE_NAMES.map((state) => notOfferedText({ ...reviewed, state })),
    manualResultText({ type: 'not_found' }),
    ...STATE_NAMES.map((state) => tooLateText(reviewed, { action: 'withdraw', state })),
    manualResultText({ type: 'settings_changed' }),
    SETTINGS_CHANGED,
    view(withdrawModal(taken, reviewed)),
  ];
}

/** "Reply to the customer". */
export function customerReplies(): Surface[] {
  const requested = { ...reviewed, reason: 'Ordered twice' };
  return [
    ...CUSTOMER_REPLIES.map((reply) => view(replyModal(customerText(reply, requested, {})))),
    ...STATE_NAMES.map((state) => noCustomerReplyText({ ...reviewed, state })),
    notTheirsToReplyText(reviewed),
  ];
}

const ACTIONS = ['withdraw', 'release', 'approved'] as const;

/** To the requester alone, where the card could not be posted or its thread cannot be used. */
export function directTexts(): Surface[] {
  const codes = [
    'not_in_channel',
    'channel_not_found',
    'is_archived',
    'method_not_supported_for_channel_type',
  ];
  const refused = [...codes, ...SLACK_CODES].map((code): RequestRecord | undefined => {
    const record = queued();
    const lost = withCard(record, { delivery: { status: 'given_up', code } });
    return transition(lost, { type: 'card_refused', code }, T0);
  });
  const posted = carded();
  const without = (record: RequestRecord, code: string) =>
    withCard(record, { delivery: { status: 'given_up', code } });
  const lost = ['message_not_found', 'is_archived'].map((code) => without(posted, code));
  const stopped = [...lost, posted].map((record) =>
    transition(record, { type: 'card_refused', code: 'message_not_found' }, T0),
  );
  return [...refused, ...stopped, reviewed, without(reviewed, 'message_not_found')].flatMap((record) => {
    const step = record?.steps.at(-1);
    return record && step ? directText(record, step) : [];
  });
}

const SLACK_CODES = [
  'channel_is_limited_access',
  'ekm_access_denied',
  'plan_upgrade_required',
  'restricted_action',
  'restricted_action_non_threadable_channel',
  'restricted_action_read_only_channel',
  'restricted_action_thread_locked',
  'restricted_action_thread_only_channel',
];

export function failures(): Surface[] {
  const known = [
    ...SLACK_CODES,
    'token_revoked',
    'missing_scope',
    'expired_trigger_id',
    'message_limit_exceeded',
  ];
  return [
    faultSentence(REFERENCE),
    ...known.flatMap((code) => knownRefusal(code) ?? []),
    unknownRefusal('some_code', REFERENCE),
    ...[undefined, 1_000, 30_000, 600_000].flatMap((waitMs) => [slowedDown(waitMs), tryAgain(waitMs)]),
    reasonsElsewhere(REQUEST),
    message(copyMessage(LINK)),
  ];
}

export function lookUps(): Surface[] {
  const linking = { linkTo: () => LINK };
  const calendar = { zone: 'Europe/Berlin', today: '2026-11-21' };
  const page = { type: 'page' as const, next: { at: T0, id: 'x' }, rows: [] as Row[], calendar };
  const rows = [
    { record: reviewed, actions: ROW_ACTIONS },
    { record: carded({ id: 'zzzzzzzzzzzz' }), actions: [] },
  ];
  const searched = { ...FIRST, id: 'A-1001' };
  const overdue = { count: 3, more: false, days: 90 };
  const brands = [{ id: 'b1', name: 'Acme Outlet' }];
  const problems = ['none', 'not_connected', 'token_refused', 'graphql_refused', 'rate_limited'] as const;
  return [
    message(statusMessage({ record: reviewed, showsReason: true, link: LINK })),
    message(statusMessage({ record: reviewed, showsReason: false, link: LINK })),
    message(statusMessage({ record: reviewed, showsReason: true, link: LINK, addresses: ADDRESSES })),
    message(severalMessage({ records: [reviewed, carded({ id: 'zzzzzzzzzzzz' })], isMore: true }, linking)),
    view(detailsModal({ record: reviewed, showsReason: true, link: LINK })),
    view(retryModal(reviewed, undefined)),
    view(historyModal({ ...page, rows, overdue }, FIRST, linking)),
    view(historyModal({ ...page, overdue: { ...overdue, count: 1 } }, { ...FIRST, day: 'date' }, linking)),
    view(
      historyModal(
        { ...page, overdue: { ...overdue, more: true } },
        { ...FIRST, before: page.next },
        linking,
      ),
    ),
    view(historyModal({ ...page, next: undefined, isCut: true, rows }, searched, linking)),
    view(historyModal({ ...page, next: undefined }, searched, linking)),
    view(subBrandsModal({ type: 'found', brands }, { text: '', page: 0 })),
    view(subBrandsModal({ type: 'found', brands }, { text: 'zebra', page: 0 })),
    ...problems.map((type) => view(subBrandsModal({ type }, { text: '', page: 0 }))),
    ...(['unreachable', 'failed'] as const).map((type) =>
      view(subBrandsModal({ type, reference: REFERENCE }, { text: '', page: 0 })),
    ),
    view(
      subBrandsModal(
        { type: 'refused', status: 403, code: 'FORBIDDEN', message: 'No' },
        { text: '', page: 0 },
      ),
    ),
  ];
}

/** The answers of `/countermand` itself, in one message. */
export function help(): Surface[] {
  const lines = countermandTexts();
  return [message({ text: lines.join('\n'), blocks: sections(lines) })];
}
