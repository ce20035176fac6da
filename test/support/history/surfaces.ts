/** Every text in which a person reads about a request. */
import { shown as inTerminal } from '../../../src/cli/requests.ts';
import { Destination } from '../../../src/outbox/delivery.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import { currentStep, type RequestRecord, type Step } from '../../../src/requests/model/record.ts';
import { notesOf, replyOf } from '../../../src/requests/model/record-messages.ts';
import { isStillWanted } from '../../../src/requests/model/record-notes.ts';
import { toEarlier } from '../../../src/requests/use-cases/approvals/approval-needed.ts';
import { declineModal } from '../../../src/slack/features/approval.ts';
import { rowBlocks } from '../../../src/slack/features/history-modal.ts';
import { type Administration, adminBlocks } from '../../../src/slack/features/home/admin-view.ts';
import { detailsModal, severalMessage, statusMessage } from '../../../src/slack/features/status.ts';
import { cardButtons } from '../../../src/slack/messages/content/buttons.ts';
import { approvalMessage, card, earlierRequests } from '../../../src/slack/messages/content/card.ts';
import { noteMessage, reply } from '../../../src/slack/messages/content/render.ts';
import {
  alreadySubmittedText,
  doneBeforeText,
  slotTakenText,
  tooLateText,
} from '../../../src/slack/messages/sentences/result-texts.ts';
import { voteFeedback } from '../../../src/slack/messages/sentences/vote-texts.ts';
import { POLICY } from '../requests/approval-policy.ts';
import { CLICK, withRepliesTo } from '../requests/records.ts';
import { shownIn } from '../shown.ts';

/** `step`: the step that the text is about. `buttons`: those below it; undefined if it does not show the current state. */
export type Surface = { text: string; step: number; buttons: readonly string[] | undefined };

const link = undefined;

const ADMINISTRATION: Administration = {
  connection: { type: 'new', generation: undefined },
  stuck: [],
  moreStuck: false,
  acts: [],
  inForce: { settings: {}, version: undefined },
  pauses: [],
  missingScopes: undefined,
};

/** @param from the number of the first new step: the replies to earlier steps were checked before */
export function surfaces(record: RequestRecord, from: number): Surface[] {
  const { n: step } = currentStep(record);
  const withoutButtons = [
    ...(record.approval
      ? [shownIn(approvalMessage(record, link)), voteFeedback({ type: 'too_late', record })]
      : []),
    shownIn(statusMessage({ record, showsReason: true, link })),
    shownIn({ text: '', blocks: detailsModal({ record, showsReason: true, link }).blocks }),
    inTerminal(record).join('\n'),
    shownIn({ text: '', blocks: rowBlocks({ record, actions: [] }, { linkTo: () => link }) }),
    shownIn(severalMessage({ records: [record] }, { linkTo: () => link })),
    slotTakenText(record, record.target, link),
    doneBeforeText(record, record.target, link),
    alreadySubmittedText(record, link),
    tooLateText(record, { action: 'withdraw', state: record.state }),
    ...(record.state === 'awaiting_approval'
      ? [shownIn({ text: '', blocks: declineModal(CLICK, record).blocks })]
      : []),
    asEarlier(record),
    ...notesOf(record)
      .filter((note) => isStillWanted(record, note))
      .map((note) => shownIn(noteMessage(record, note))),
  ];
  return [
    { text: shownIn(card(record)), step, buttons: buttonsOf(record) },
    { text: asStuck(record), step, buttons: buttonsOf(record) },
    ...withoutButtons.map((text) => ({ text, step, buttons: [] })),
    ...record.steps.filter(({ n }) => n >= from).flatMap((each) => repliesOf(record, each)),
  ];
}

/** Returns what admins read on Home, above a menu that has all that an admin may do on the card. */
function asStuck(record: RequestRecord): string {
  const administration = { ...ADMINISTRATION, stuck: [{ record, actions: [] }] };
  return shownIn({ text: '', blocks: adminBlocks(administration, { linkTo: () => link }) });
}

/** Returns what the approvers of a later request for the same target read about this one. */
function asEarlier(record: RequestRecord): string {
  const later = newRecord({ ...record, id: 'later' }, record.createdAt, {
    policy: POLICY,
    earlier: [toEarlier(record)],
  });
  return shownIn({ text: '', blocks: earlierRequests(later) });
}

/** Returns the reply to a step for each destination: the thread, the requester alone, and the channel. */
function repliesOf(record: RequestRecord, step: Step): Surface[] {
  if (!replyOf(record, step)) return [];
  const isCurrent = step.n === currentStep(record).n;
  return Destination.options.map((to) => ({
    text: reply(withRepliesTo(record, to), step).text,
    step: step.n,
    buttons: isCurrent ? [] : undefined,
  }));
}

/** The names of the buttons on the card. */
export const buttonsOf = (record: RequestRecord): string[] =>
  cardButtons(record).flatMap(({ elements }) =>
    elements.flatMap((element) => ('text' in element && element.text ? [element.text.text] : [])),
  );
