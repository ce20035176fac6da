/** The buttons about a request, on cards, in messages and on a person's page: only those that its state allows. */
import type { types } from '@slack/bolt';
import { counted, isButton } from '../../../requests/model/approvals/votes.ts';
import { receiptOf } from '../../../requests/model/receipt.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { approvalMessageOf } from '../../../requests/model/record-messages.ts';
import { STATES } from '../../../requests/model/states.ts';
import { isRecorded } from '../../../requests/model/summary.ts';
import { customerReplyTo } from '../../../requests/use-cases/look-up.ts';
import {
  offeredActions,
  offersAgain,
  recordableActions,
} from '../../../requests/use-cases/possible-actions.ts';
import { button, buttonRow, type Confirming, refOf } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { KIND_COPY, plainTitleOf } from '../../blocks/kind-copy.ts';
import { LIMITS, truncate } from '../../blocks/text.ts';
import { withdrawalText } from '../sentences/call-texts.ts';

export function buttons(record: RequestRecord): types.ActionsBlock[] {
  return buttonRow([
    ...(STATES[record.state].votes && !approvalMessageOf(record) ? voteButtons(record) : []),
    ...retryButton(record),
    ...requestAgainButton(record),
    ...recordOutcomeButton(record),
    ...withdrawButton(record),
    ...customerReplyButton(record),
  ]);
}

/** A button about a request, which a screen reader names, because the message around it may hold others. */
export function requestButton(
  record: RequestRecord,
  action: string,
  text: string,
  more: Pick<Parameters<typeof button>[2] & object, 'style' | 'confirm'> = {},
): types.Button {
  const spoken = truncate(`${text}: ${plainTitleOf(record)}`, LIMITS.buttonText);
  return button(action, text, { value: refOf(record), spoken, ...more });
}

/** Approving asks for confirmation, because it can't be undone. Declining opens a form, whose button confirms it. */
export function voteButtons(record: RequestRecord): types.Button[] {
  const approve = requestButton(record, ACTIONS.approve, 'Approve', {
    style: 'primary',
    confirm: {
      title: 'Approve this request?',
      text: `Once enough approvers have approved, I ask the order service to ${KIND_COPY[record.kind].verb} ${record.target}.`,
      yes: 'Approve',
      no: 'Decide later',
    },
  });
  const decline = requestButton(record, ACTIONS.decline, 'Decline', { style: 'danger' });
  const takeBack = requestButton(record, ACTIONS.takeBack, 'Take back my vote');
  return [approve, decline, ...(hasVoteByButton(record) ? [takeBack] : [])];
}

/** Everybody sees the same buttons, so one vote by button shows "Take back my vote" to all. */
const hasVoteByButton = ({ approval }: RequestRecord): boolean =>
  approval !== undefined && counted(approval).some(isButton);

/** Needs a confirmation, because it sends the request. @returns none if it can't be sent again */
export function retryButton(record: RequestRecord): types.Button[] {
  if (!offeredActions(record).includes('retry')) return [];
  return [requestButton(record, ACTIONS.retry, 'Retry', { confirm: retryQuestion(record) })];
}

export function retryQuestion(record: RequestRecord): Confirming {
  const again = receiptOf(record) === 'none' ? '' : ' again';
  return {
    title: `Send this request${again}?`,
    text: `The order service is asked${again} to ${KIND_COPY[record.kind].verb} ${record.target}. If this needs approval, the approvers decide first.`,
    yes: `Send${again}`,
    no: 'Do not send',
  };
}

/** Opens the form, filled in as for this request. @returns none if its state offers none */
export function requestAgainButton(record: RequestRecord, text = 'Request again'): types.Button[] {
  return offersAgain(record) ? [requestButton(record, ACTIONS.requestAgain, text)] : [];
}

/** @returns none if there is nothing to withdraw */
export function withdrawButton(record: RequestRecord): types.Button[] {
  if (!offeredActions(record).includes('withdraw')) return [];
  const confirm = {
    title: 'Withdraw this request?',
    text: withdrawalText(record),
    yes: 'Withdraw',
    no: 'Keep the request',
  };
  return [requestButton(record, ACTIONS.withdraw, 'Withdraw', { confirm })];
}

/** @returns none if nothing can be recorded */
export function recordOutcomeButton(record: RequestRecord): types.Button[] {
  if (recordableActions(record).length === 0) return [];
  const text = isRecorded(currentStep(record)) ? 'Correct the outcome' : 'Record the outcome';
  return [requestButton(record, ACTIONS.recordOutcome, text)];
}

/** Opens the text for the customer. @returns none if nothing is known that concerns them */
function customerReplyButton(record: RequestRecord): types.Button[] {
  if (!customerReplyTo(record)) return [];
  return [requestButton(record, ACTIONS.customerReply, 'Reply to the customer')];
}
