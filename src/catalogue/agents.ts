/** The form of a request and the mistakes in it, what prevents a request, and what only one agent reads about it. */
import { withCardUnseen } from '../requests/engine/apply-posting.ts';
import { newApproval } from '../requests/model/approval.ts';
import { CUSTOMER_REPLIES, KIND_NAMES } from '../requests/model/kinds.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { CARD, withDelivery } from '../requests/model/record-messages.ts';
import { STATE_NAMES } from '../requests/model/states.ts';
import { transition } from '../requests/model/transition.ts';
import { rolesFor } from '../requests/use-cases/who-may.ts';
import {
  customerText,
  noCustomerReplyText,
  notTheirsToReplyText,
  replyModal,
} from '../slack/features/customer-reply.ts';
import { HELP, offer } from '../slack/features/mention.ts';
import { notOfferedText } from '../slack/features/request/index.ts';
import { requestModal } from '../slack/features/request/request-modal.ts';
import { withdrawFirstModal } from '../slack/features/resolve.ts';
import {
  CHANNEL,
  fieldTexts,
  NO_REPLY,
  nearLimitText,
  overLimitText,
  REASON,
  SETTINGS_CHANGED,
  TARGET,
  TICKET,
} from '../slack/messages/sentences/form-texts.ts';
import { BARRIERS, barrierSentence, PERSON, personSentence } from '../slack/messages/sentences/problems.ts';
import {
  alreadySubmittedText,
  doneBeforeText,
  manualResultText,
  nothingToRecordText,
  notTheirsText,
  outdatedText,
  retryInHistory,
  slotTakenText,
  tooLateText,
} from '../slack/messages/sentences/result-texts.ts';
import { directText } from '../slack/messages/sentences/sentences.ts';
import { CARD_REFUSALS, UNSEEN } from '../slack/messages/sentences/waiting-or-ended-texts.ts';
import {
  ADDRESSES,
  carded,
  LINK,
  PAUSE,
  POLICY,
  queued,
  REQUEST,
  REVIEWED,
  type Surface,
  T0,
  withCard,
} from './examples.ts';
import { POSTING_REFUSALS } from './lookups.ts';

const ROLE_ACTIONS = ['withdraw', 'release', 'approved'] as const;

export function requestForms(): Surface[] {
  const forms = KIND_NAMES.flatMap((kind) =>
    (['none', 'allowed', 'refused'] as const).map((sharing) =>
      requestModal(kind, { target: '', reason: '' }, { sharing }),
    ),
  );
  const problems = [
    ...[TARGET, REASON, CHANNEL, TICKET].flatMap((texts) => Object.values(texts)),
    ...[undefined, 'A-1001'].map(
      (meant) => fieldTexts({ target: 'not_the_pattern', pattern: 'A-####', meant }).target ?? [],
    ),
    ...[ADDRESSES.ticketHosts, []].map((hosts) => fieldTexts({ ticket: 'other_host', hosts }).ticket ?? []),
  ].flat();
  const origin = { channel: 'C1', thread: '1700000000.000100', link: LINK };
  const others = [undefined, ...(Object.keys(NO_REPLY) as (keyof typeof NO_REPLY)[])].map((noReply) =>
    requestModal('cancel_order', { target: '', reason: '', origin, ids: ['A-1', 'A-2'], noReply }),
  );
  const mentioned = [
    HELP,
    offer('T1', { kind: 'cancel_order', target: 'A-1001' }),
    ...KIND_NAMES.map((kind) => offer('T1', { kind, target: '' })),
  ];
  const again = requestModal('cancel_order', {
    target: 'A-1001',
    reason: 'Ordered twice: PO 7',
    channel: 'C1',
  });
  const linked = ['A-1001', ''].map((target) =>
    requestModal('cancel_order', { reason: '', target }, { settings: ADDRESSES }),
  );
  return [...forms, ...others, again, ...linked, ...mentioned, ...problems];
}

export function barriers(): Surface[] {
  return [
    ...(Object.keys(PERSON) as (keyof typeof PERSON)[]).flatMap((problem) => [
      personSentence(problem),
      barrierSentence({ type: 'not_allowed', problem }),
    ]),
    barrierSentence({ type: 'not_allowed', problem: 'not_in_group', group: 'S0AGENTS' }),
    ...Object.values(BARRIERS),
    barrierSentence({ type: 'too_few_approvers', policy: POLICY }),
    barrierSentence({ type: 'paused', pause: PAUSE }),
    ...[60, 61].map((made) => overLimitText({ made, limit: 60, again: T0 }, 'no further one can be made')),
    nearLimitText({ made: 48, limit: 60 }),
  ];
}

export function conflicts(): Surface[] {
  const taken = slotTakenText(REVIEWED, 'a-1001', LINK);
  return [
    taken,
    slotTakenText(REVIEWED, REQUEST.target, undefined),
    slotTakenText(carded({ kind: 'send_offer', target: 'O-3001' }), 'O-3001', LINK),
    ...(['retry', 'in_review'] as const).map((action) =>
      manualResultText({ type: 'slot_taken', by: REVIEWED, action }, LINK),
    ),
    manualResultText({ type: 'slot_taken', by: REVIEWED, action: 'retry', record: carded() }, LINK),
    doneBeforeText(REVIEWED, REQUEST.target, LINK),
    alreadySubmittedText(REVIEWED, LINK),
    alreadySubmittedText(REVIEWED, undefined),
    manualResultText({ type: 'not_allowed', problem: 'guest' }),
    ...ROLE_ACTIONS.map((action) => notTheirsText(REVIEWED, action, rolesFor(REVIEWED, action))),
    notTheirsText({ ...REVIEWED, approval: newApproval({ policy: POLICY, earlier: [] }, T0) }, 'approved', [
      'requester',
      'approvers',
      'admins',
    ]),
    manualResultText({ type: 'newer_request', by: REVIEWED }, LINK),
    manualResultText({ type: 'done_before', by: REVIEWED, record: carded() }, LINK),
    manualResultText({ type: 'done_before', by: REVIEWED }, LINK),
    retryInHistory(REVIEWED),
    ...[undefined, REVIEWED.requester, 'UDEV'].map((reader) =>
      manualResultText({ type: 'too_few_approvers', record: REVIEWED }, undefined, reader),
    ),
    ...(['retry', 'not_received'] as const).map((action) =>
      manualResultText({ type: 'paused', pause: PAUSE, action }),
    ),
    manualResultText({ type: 'over_limit', usage: { made: 60, limit: 60, again: T0 } }),
    nothingToRecordText(REVIEWED),
    ...STATE_NAMES.map((state) => notOfferedText({ ...REVIEWED, state })),
    manualResultText({ type: 'not_found' }),
    ...STATE_NAMES.map((state) => tooLateText(REVIEWED, { action: 'withdraw', state })),
    tooLateText(REVIEWED, { action: 'release', state: REVIEWED.state }),
    manualResultText({ type: 'settings_changed' }),
    SETTINGS_CHANGED,
    withdrawFirstModal(taken, REVIEWED),
  ];
}

export function customerReplies(): Surface[] {
  const requested = { ...REVIEWED, reason: 'Ordered twice' };
  return [
    ...CUSTOMER_REPLIES.map((reply) => replyModal(customerText(reply, requested, {}))),
    replyModal('Hello! '.repeat(500)),
    ...STATE_NAMES.map((state) => noCustomerReplyText({ ...REVIEWED, state })),
    outdatedText(REVIEWED, LINK),
    notTheirsToReplyText(REVIEWED),
  ];
}

/** The direct messages to the requester, if the card could not be posted or its thread cannot be used. */
export function directTexts(): Surface[] {
  const without = (record: RequestRecord, code: string) =>
    withCard(record, { delivery: { status: 'given_up', code } });
  const refused = [...Object.keys(CARD_REFUSALS), ...POSTING_REFUSALS].map((code) =>
    transition(without(queued(), code), { type: 'card_refused', code }, T0),
  );
  const tidies = [{ since: T0, until: T0, tries: 0, notBefore: T0 }];
  const inDoubt = refused.map(
    (record) => record && withDelivery(record, CARD, (each) => ({ ...each, tidies })),
  );
  const posted = carded();
  const stopped = [
    transition(without(posted, 'message_not_found'), { type: 'card_refused', code: 'message_not_found' }, T0),
    ...Object.keys(UNSEEN).map((code) => withCardUnseen(posted, code, T0)),
    transition(posted, { type: 'card_refused', code: 'message_not_found', message: 'approval' }, T0),
  ];
  const reviewed = [REVIEWED, ...['message_not_found', 'is_archived'].map((code) => without(REVIEWED, code))];
  return [...refused, ...inDoubt, ...stopped, ...reviewed].flatMap((record) => {
    const step = record?.steps.at(-1);
    return record && step ? directText(record, step) : [];
  });
}
