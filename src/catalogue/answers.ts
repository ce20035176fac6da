/** Answers to one person who looks something up, and to one whose act failed. */
import { ROW_ACTIONS, type Row } from '../requests/use-cases/possible-actions.ts';
import { sections } from '../slack/blocks/text.ts';
import { FIRST, historyModal } from '../slack/features/history-modal.ts';
import { retryModal } from '../slack/features/resolve.ts';
import { detailsModal, severalMessage, statusMessage } from '../slack/features/status.ts';
import { subBrandsModal } from '../slack/features/sub-brands.ts';
import { copyMessage } from '../slack/messages/content/render.ts';
import {
  faultSentence,
  knownRefusal,
  slowedDown,
  tryAgain,
  unknownRefusal,
} from '../slack/messages/sentences/problems.ts';
import { reasonsElsewhere } from '../slack/messages/sentences/request-words.ts';
import { countermandTexts } from '../slack/routes.ts';
import {
  ADDRESSES,
  carded,
  LINK,
  message,
  REFERENCE,
  REQUEST,
  REVIEWED,
  type Surface,
  T0,
  view,
} from './examples.ts';

/** Refusals of Slack to post in a channel. */
export const POSTING_REFUSALS = [
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
    ...POSTING_REFUSALS,
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
    { record: REVIEWED, actions: ROW_ACTIONS },
    { record: carded({ id: 'zzzzzzzzzzzz' }), actions: [] },
  ];
  const searched = { ...FIRST, id: 'A-1001' };
  const overdue = { count: 3, more: false, days: 90 };
  const brands = [{ id: 'b1', name: 'Acme Outlet' }];
  const problems = ['none', 'not_connected', 'token_refused', 'graphql_refused', 'rate_limited'] as const;
  return [
    message(statusMessage({ record: REVIEWED, showsReason: true, link: LINK })),
    message(statusMessage({ record: REVIEWED, showsReason: false, link: LINK })),
    message(statusMessage({ record: REVIEWED, showsReason: true, link: LINK, settings: ADDRESSES })),
    message(severalMessage({ records: [REVIEWED, carded({ id: 'zzzzzzzzzzzz' })], isMore: true }, linking)),
    view(detailsModal({ record: REVIEWED, showsReason: true, link: LINK })),
    view(retryModal(REVIEWED)),
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
