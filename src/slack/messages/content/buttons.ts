/** The buttons of a card: only those that still work. */
import type { types } from '@slack/bolt';
import { counted, isButton } from '../../../requests/model/approvals/votes.ts';
import { isRecorded } from '../../../requests/model/facts/correction.ts';
import { customerReplyTo } from '../../../requests/model/facts/customer-reply.ts';
import { approvalMessageOf } from '../../../requests/model/facts/messages.ts';
import { receiptOf } from '../../../requests/model/facts/receipt.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { STATES } from '../../../requests/model/states.ts';
import {
  offeredActions,
  offersAgain,
  recordableActions,
} from '../../../requests/use-cases/possible-actions.ts';
import { button, type Confirming } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { refOf } from '../../blocks/ref.ts';
import { withdrawalText } from '../sentences/call-texts.ts';

export function buttons(record: RequestRecord): types.ActionsBlock[] {
  const elements = [
    ...(STATES[record.state].votes && !approvalMessageOf(record) ? voteButtons(record) : []),
    ...retryButton(record),
    ...requestAgainButton(record),
    ...recordOutcomeButton(record),
    ...withdrawButton(record),
    ...customerReplyButton(record),
  ];
  return elements.length > 0 ? [{ type: 'actions', elements }] : [];
}

/** Nothing irreversible happens without a confirming click; declining opens a form, whose button is one. */
export function voteButtons(record: RequestRecord): types.Button[] {
  const value = refOf(record);
  const approve = button(ACTIONS.approve, 'Approve', {
    value,
    style: 'primary',
    confirm: {
      title: 'Approve this request?',
      text: `If enough approvers agree, the order service is asked to ${KIND_COPY[record.kind].verb} ${record.target}.`,
      yes: 'Approve',
      no: 'Decide later',
    },
  });
  const decline = button(ACTIONS.decline, 'Decline', { value, style: 'danger' });
  const takeBack = button(ACTIONS.takeBack, 'Take back my vote', { value });
  return [approve, decline, ...(hasVoteByButton(record) ? [takeBack] : [])];
}

/** Everybody sees the same buttons, so one vote by button shows "Take back my vote" to all. */
const hasVoteByButton = ({ approval }: RequestRecord): boolean =>
  approval !== undefined && counted(approval).some(isButton);

/** Needs a confirmation, because it sends the request. @returns none if it can't be sent again */
export function retryButton(record: RequestRecord): types.Button[] {
  if (!offeredActions(record).includes('retry')) return [];
  return [button(ACTIONS.retry, 'Retry', { value: refOf(record), confirm: retryQuestion(record) })];
}

/** What is asked before a request is sent again. */
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
  return offersAgain(record) ? [button(ACTIONS.requestAgain, text, { value: refOf(record) })] : [];
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
  return [button(ACTIONS.withdraw, 'Withdraw', { value: refOf(record), confirm })];
}

/** @returns none if nothing can be recorded */
export function recordOutcomeButton(record: RequestRecord): types.Button[] {
  if (recordableActions(record).length === 0) return [];
  const text = isRecorded(currentStep(record)) ? 'Correct the outcome' : 'Record the outcome';
  return [button(ACTIONS.recordOutcome, text, { value: refOf(record) })];
}

/** Opens the text for the customer. @returns none if nothing is known that concerns them */
function customerReplyButton(record: RequestRecord): types.Button[] {
  if (!customerReplyTo(record)) return [];
  return [button(ACTIONS.customerReply, 'Reply to the customer', { value: refOf(record) })];
}
