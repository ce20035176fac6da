/** Everything that the bot says, by name, with the same text in each field that people or the order service type. */
import fc from 'fast-check';
import { Destination } from '../../../src/outbox/delivery.ts';
import { withoutCard } from '../../../src/requests/engine/apply-posting.ts';
import { decided } from '../../../src/requests/model/acts.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import { currentStep, type NoteContent, type RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf, replyOf } from '../../../src/requests/model/record-messages.ts';
import { withNote } from '../../../src/requests/model/record-notes.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { toEarlier } from '../../../src/requests/use-cases/approvals/approval-needed.ts';
import { ROW_ACTIONS } from '../../../src/requests/use-cases/history.ts';
import { recordableActions } from '../../../src/requests/use-cases/possible-actions.ts';
import { textModal } from '../../../src/slack/blocks/forms.ts';
import { textMessage } from '../../../src/slack/blocks/text.ts';
import { declineModal } from '../../../src/slack/features/approval.ts';
import { historyModal, UNFILTERED } from '../../../src/slack/features/history-modal.ts';
import { outcomeModal } from '../../../src/slack/features/record-outcome.ts';
import { retryModal, withdrawFirstModal, withdrawModal } from '../../../src/slack/features/resolve.ts';
import { formerPolicyTexts } from '../../../src/slack/features/settings/policy.ts';
import { detailsModal, severalMessage, statusMessage } from '../../../src/slack/features/status.ts';
import { approvalMessage, card } from '../../../src/slack/messages/content/card.ts';
import { noteMessage, reply } from '../../../src/slack/messages/content/render.ts';
import {
  alreadySubmittedText,
  doneBeforeText,
  manualResultText,
  nothingToRecordText,
  outdatedText,
  slotTakenText,
  tooLateText,
} from '../../../src/slack/messages/sentences/result-texts.ts';
import { voteFeedback } from '../../../src/slack/messages/sentences/vote-texts.ts';
import { history } from '../history/histories.ts';
import { createHistoryHarness } from '../history/play.ts';
import { POLICY, SHOWN_APART, waitingRecord } from '../requests/approval-policy.ts';
import { answered, CLICK, event, queued, REQUEST, T0, withRepliesTo } from '../requests/records.ts';

/** Renders a typed text: as a message, or as views and blocks. */
export type Rendering = (typed: string) => unknown;

const HISTORIES = 60;

/** The fields of a record that people or the order service type. */
const TYPED_FIELDS = ['target', 'reason', 'message', 'field', 'error', 'word'];

/**
 * Returns a function that puts one typed text into all of these fields of the record. Of the fields `code` it replaces only an
 * unlisted one, because a listed code decides what the bot says.
 */
function withTyped(record: RequestRecord, fields: readonly string[]): (typed: string) => RequestRecord {
  const known = new Map<string, RequestRecord>();
  const isTyped = (key: string, value: unknown) =>
    typeof value === 'string' && (fields.includes(key) || (key === 'code' && value === 'TEAPOT'));
  return (typed) => {
    const whole: RequestRecord =
      known.get(typed) ??
      JSON.parse(JSON.stringify(record), (key, value) => (isTyped(key, value) ? typed : value));
    known.set(typed, whole);
    return whole;
  };
}

/** Returns a record for each kind, state and cause, and some with answers that random histories do not have. */
export async function anyRecords(): Promise<Map<string, RequestRecord>> {
  const found = new Map<string, RequestRecord>();
  const add = (record: RequestRecord) => {
    const { state, cause } = currentStep(record);
    const how = 'action' in cause ? cause.action : 'answer' in cause ? cause.answer.type : cause.type;
    found.set(`${record.kind} ${state} by ${how}${record.approval ? ', with approval' : ''}`, record);
  };
  for (const kind of KIND_NAMES)
    for (const { actions, ...given } of fc.sample(history(kind), { numRuns: HISTORIES, seed: 29 })) {
      const harness = createHistoryHarness(given);
      await harness.begin();
      add(await harness.read());
      for (const action of actions) if (await harness.perform(action)) add(await harness.read());
    }
  for (const record of [...ANSWERED, ...ENDED, DECLINED, UNLISTED]) add(record);
  return found;
}

const NO_ANSWER: Answer = {
  type: 'no_answer',
  why: 'server_error',
  httpStatus: 500,
  code: 'TEAPOT',
  message: 'The database is locked',
  details: [{ field: 'id', error: 'is being changed' }],
};
const ANSWERED = KIND_NAMES.flatMap((kind) => [
  answered({ ...NO_ANSWER, type: 'refused', httpStatus: 409, details: NO_ANSWER.details ?? [] }, { kind }),
  answered(NO_ANSWER, { kind }),
]);
/** Requests that ended without an outcome, which is rare in random histories. */
const ENDED: RequestRecord[] = [
  transition(queued(), { type: 'person', by: 'U1', action: 'withdraw' }, T0),
  transition(answered(NO_ANSWER), { type: 'person', by: 'UOLGA', action: 'release' }, T0),
  transition(waitingRecord(), { type: 'canceled_elsewhere', event: event({ status: 'canceled' }) }, T0),
  withoutCard(queued(), 'some_code', T0),
].filter((record) => record !== undefined);
const UNLISTED = answered({ type: 'said', status: 'accepted', word: 'on_hold' });
export const DECLINED: RequestRecord = (() => {
  const decision = { type: 'decided' as const, choice: 'no' as const, by: ['UCARA'] };
  const record = decided(newRecord(REQUEST, T0, { policy: SHOWN_APART, earlier: [] }), decision, T0);
  const { approval } = record ?? {};
  if (!record || !approval?.decision) throw new Error('It is not declined.');
  return { ...record, approval: { ...approval, decision: { ...approval.decision, reason: 'It ships' } } };
})();

const LINK = 'https://acme.slack.com/archives/C1/p1';

/** All that is said about one request. */
export function renderingsOf(
  record: RequestRecord,
  fields: readonly string[] = TYPED_FIELDS,
): Record<string, Rendering> {
  const wholeWith = withTyped(record, fields);
  const about = (render: (whole: RequestRecord, typed: string) => unknown): Rendering => {
    return (typed) => render(wholeWith(typed), typed);
  };
  const notice = (text: (whole: RequestRecord, typed: string) => string): Rendering =>
    about((whole, typed) => textModal('Title', text(whole, typed)));
  const linking = { linkTo: () => LINK };
  const page = (whole: RequestRecord) => ({
    type: 'page' as const,
    rows: [{ record: whole, actions: ROW_ACTIONS }],
    next: undefined,
    calendar: { zone: 'UTC', today: '2026-11-21' },
  });
  const late = { at: 0, by: 'U1', action: 'withdraw' as const, state: record.state };
  return {
    card: about((whole) => card(whole)),
    status: about((whole) => statusMessage({ record: whole, showsReason: true, link: LINK })),
    'status of several': about((whole) => severalMessage({ records: [whole, whole] }, linking)),
    history: about((whole) => historyModal(page(whole), UNFILTERED, linking)),
    'history of an id': about((whole, typed) =>
      historyModal({ ...page(whole), rows: [] }, { ...UNFILTERED, id: typed }, linking),
    ),
    details: about((whole) => detailsModal({ record: whole, showsReason: true, link: LINK })),
    retry: about((whole) => retryModal(whole)),
    'slot taken': notice((whole) => slotTakenText(whole, whole.target, LINK)),
    'slot taken, spelled otherwise': notice((whole, typed) =>
      slotTakenText({ ...whole, target: 'A-1' }, typed, LINK),
    ),
    'slot of a retry taken': notice((whole) =>
      manualResultText({ type: 'slot_taken', by: whole, action: 'retry' }, LINK),
    ),
    'newer request': notice((whole) => manualResultText({ type: 'newer_request', by: whole }, LINK)),
    'retry of what is done': notice((whole) =>
      manualResultText({ type: 'maybe_done_before', by: whole, record: whole }, LINK),
    ),
    'text that depends on another request': notice((whole) => outdatedText(whole, LINK)),
    'done before': notice((whole) => doneBeforeText(whole, 'A-1', LINK)),
    'already submitted': notice((whole) => alreadySubmittedText(whole, LINK)),
    'too late': notice((whole) => tooLateText(whole, late)),
    'nothing to record': notice(nothingToRecordText),
    withdraw: about((whole) => withdrawModal(whole)),
    'withdraw first': about((whole) => withdrawFirstModal('Title', whole)),
    'former policy': about((whole) =>
      formerPolicyTexts({ records: [whole], others: 0, atLeast: false }, [LINK]).map(textMessage),
    ),
    'earlier requests': about((whole) =>
      approvalMessage(
        newRecord({ ...whole, id: 'later', target: 'A-2' }, whole.createdAt, {
          policy: POLICY,
          earlier: [toEarlier(whole)],
        }),
        LINK,
      ),
    ),
    ...(recordableActions(record).length > 0
      ? { outcome: about((whole) => outcomeModal(whole, recordableActions(whole))) }
      : {}),
    ...(record.approval ? renderingsOfApproval(about) : {}),
    ...Object.fromEntries(
      record.steps
        .filter((step) => replyOf(record, step))
        .flatMap(({ n }) =>
          Destination.options.map((to) => [
            `reply ${n} to ${to}`,
            about((whole) => {
              const step = whole.steps.find((each) => each.n === n);
              return step && reply(withRepliesTo(whole, to), step);
            }),
          ]),
        ),
    ),
  };
}

function renderingsOfApproval(
  about: (render: (whole: RequestRecord) => unknown) => Rendering,
): Record<string, Rendering> {
  return {
    'approval message': about((whole) => approvalMessage(whole, LINK)),
    decline: about((whole) => declineModal(CLICK, whole)),
    'vote too late': about((record) => textMessage(voteFeedback({ type: 'too_late', record }))),
    ...Object.fromEntries(
      NOTES.map((content) => [
        `note: ${content.type}`,
        about((whole) => {
          const note = notesOf(withNote(whole, content, T0)).at(-1);
          return note && noteMessage(whole, note, { link: LINK });
        }),
      ]),
    ),
  };
}

/** A note of each type. */
export const NOTES: readonly NoteContent[] = [
  { type: 'reminder' },
  { type: 'approval_requested_again' },
  { type: 'reason_wanted' },
  { type: 'reason' },
  { type: 'alarm', problem: 'too_few' },
  { type: 'admin_unreachable' },
  { type: 'shared' },
  { type: 'card_delayed' },
  { type: 'unclear', about: 'card' },
  { type: 'unclear', about: 'reply:1' },
  { type: 'misplaced_vote', voter: 'UCARA' },
];
