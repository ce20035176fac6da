/** Draws the buttons about a request, on cards, in other messages and on the Home tab: only those that its state allows. */
import type { types } from '@slack/bolt';
import { counted, isButton } from '../../../requests/model/approval.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { approvalMessageOf } from '../../../requests/model/record-messages.ts';
import { STATES } from '../../../requests/model/states.ts';
import { isRecordedOutcome } from '../../../requests/model/summary.ts';
import {
  customerReplyTo,
  offeredActions,
  offersAgain,
  recordableActions,
} from '../../../requests/use-cases/possible-actions.ts';
import { type ButtonOptions, button, buttonRow, refOf } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { stamped } from '../../blocks/stamp.ts';
import { LIMITS, truncate } from '../../blocks/text.ts';
import { approveQuestion } from '../sentences/approval-texts.ts';
import { plainTitleOf, retryQuestion, withdrawQuestion } from '../sentences/request-words.ts';

export function cardButtons(record: RequestRecord): types.ActionsBlock[] {
  return buttonRow([
    ...(STATES[record.state].votes && !approvalMessageOf(record) ? voteButtons(record) : []),
    ...retryButton(record),
    ...requestAgainButton(record),
    ...recordOutcomeButton(record),
    ...withdrawButton(record),
    ...customerReplyButton(record),
  ]);
}

/** A button with the request in its label for screen readers, because the message around it may be about several requests. */
export function requestButton(
  record: RequestRecord,
  action: string,
  text: string,
  more: Pick<ButtonOptions, 'style' | 'confirm'> = {},
): types.Button {
  const spoken = truncate(`${text}: ${plainTitleOf(record)}`, LIMITS.buttonText);
  return button(action, text, { value: stamped(record.workspace, refOf(record)), spoken, ...more });
}

/** The buttons of a message on which people vote. */
export const voteButtons = (record: RequestRecord): types.Button[] => [
  ...decisionButtons(record),
  ...(hasVoteByButton(record) ? [takeBackButton(record)] : []),
];

/** Whether anybody has voted by button: everybody sees the same buttons, so one such vote shows "Take back my vote" to all. */
const hasVoteByButton = ({ approval }: RequestRecord): boolean =>
  approval !== undefined && counted(approval).some(isButton);

/** Approving asks for confirmation, because it can't be undone. */
export function decisionButtons(record: RequestRecord): types.Button[] {
  const approve = requestButton(record, ACTIONS.approve, 'Approve', {
    style: 'primary',
    confirm: approveQuestion(record),
  });
  return [approve, declineButton(record)];
}

/** The buttons for somebody who has approved by button. */
export const changeOfMindButtons = (record: RequestRecord): types.Button[] => [
  takeBackButton(record),
  declineButton(record),
];

const takeBackButton = (record: RequestRecord): types.Button =>
  requestButton(record, ACTIONS.takeBack, 'Take back my vote');

/** Declining opens a form, whose button confirms it. */
const declineButton = (record: RequestRecord): types.Button =>
  requestButton(record, ACTIONS.decline, 'Decline', { style: 'danger' });

export function retryButton(record: RequestRecord): types.Button[] {
  if (!offeredActions(record).includes('retry')) return [];
  return [requestButton(record, ACTIONS.retry, 'Retry', { confirm: retryQuestion(record) })];
}

export function requestAgainButton(record: RequestRecord, text = 'Request again'): types.Button[] {
  return offersAgain(record) ? [requestButton(record, ACTIONS.requestAgain, text)] : [];
}

export function withdrawButton(record: RequestRecord): types.Button[] {
  if (!offeredActions(record).includes('withdraw')) return [];
  return [requestButton(record, ACTIONS.withdraw, 'Withdraw', { confirm: withdrawQuestion(record) })];
}

export function recordOutcomeButton(record: RequestRecord): types.Button[] {
  if (recordableActions(record).length === 0) return [];
  return [requestButton(record, ACTIONS.recordOutcome, recordOutcomeText(record))];
}

export const recordOutcomeText = (record: RequestRecord): string =>
  isRecordedOutcome(currentStep(record)) ? 'Correct the outcome' : 'Record the outcome';

function customerReplyButton(record: RequestRecord): types.Button[] {
  if (!customerReplyTo(record)) return [];
  return [requestButton(record, ACTIONS.customerReply, 'Reply to the customer')];
}
