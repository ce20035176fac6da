/** Every text in which a person reads about a request. */
import { Destination } from '../../../src/outbox/delivery.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import { currentStep, type RequestRecord, type Step } from '../../../src/requests/model/record.ts';
import { notesOf, replyOf } from '../../../src/requests/model/record-messages.ts';
import { isStillWanted } from '../../../src/requests/model/record-notes.ts';
import { toEarlier } from '../../../src/requests/use-cases/approvals/approval-needed.ts';
import { declineModal } from '../../../src/slack/features/approval.ts';
import { rowBlocks } from '../../../src/slack/features/history-modal.ts';
import {
  alreadySubmittedText,
  doneBeforeText,
  slotTakenText,
  tooLateText,
} from '../../../src/slack/features/result-text.ts';
import { severalMessage, statusMessage } from '../../../src/slack/features/status.ts';
import { cardButtons } from '../../../src/slack/messages/content/buttons.ts';
import { approvalMessage, card, earlierRequests } from '../../../src/slack/messages/content/card.ts';
import { noteMessage, reply } from '../../../src/slack/messages/content/render.ts';
import { voteFeedback } from '../../../src/slack/messages/sentences/vote-texts.ts';
import { POLICY } from '../requests/approval-policy.ts';
import { CLICK, withRepliesTo } from '../requests/records.ts';
import { shownIn } from '../shown.ts';

/** `step`: the step that the text is about. `isCurrent`: whether it shows the current state. */
export type Surface = { text: string; step: number; isCurrent: boolean };

const link = undefined;

/** @param from the first new step: the texts of earlier steps were checked before */
export function surfaces(record: RequestRecord, from: number): Surface[] {
  const { n: step } = currentStep(record);
  const now = [
    shownIn(card(record)),
    ...(record.approval
      ? [shownIn(approvalMessage(record, link)), voteFeedback({ type: 'too_late', record })]
      : []),
    shownIn(statusMessage({ record, showsReason: true, link })),
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
    ...now.map((text) => ({ text, step, isCurrent: true })),
    ...record.steps.filter(({ n }) => n >= from).flatMap((each) => repliesOf(record, each)),
  ];
}

/** As the approvers of a later request for the same target read about it. */
function asEarlier(record: RequestRecord): string {
  const later = newRecord({ ...record, id: 'later' }, record.createdAt, {
    policy: POLICY,
    earlier: [toEarlier(record)],
  });
  return shownIn({ text: '', blocks: earlierRequests(later) });
}

/** In the thread, to the requester alone, and in the channel. */
function repliesOf(record: RequestRecord, step: Step): Surface[] {
  if (!replyOf(record, step)) return [];
  const isCurrent = step.n === currentStep(record).n;
  return Destination.options.map((to) => ({
    text: reply(withRepliesTo(record, to), step).text,
    step: step.n,
    isCurrent,
  }));
}

/** The names of the buttons on the card. */
export const buttonsOf = (record: RequestRecord): string[] =>
  cardButtons(record).flatMap(({ elements }) =>
    elements.flatMap((element) => ('text' in element && element.text ? [element.text.text] : [])),
  );
