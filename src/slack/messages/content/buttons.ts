/** The buttons of a card: only those that still work. */
import type { types } from '@slack/bolt';
import { counted, isButton } from '../../../requests/model/approvals/votes.ts';
import { receiptOf } from '../../../requests/model/facts/receipt.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { type ManualAction, STATES } from '../../../requests/model/states.ts';
import { possibleActions } from '../../../requests/use-cases/resolve-manually.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { deedOf } from '../../blocks/kind-copy.ts';
import { CLOSE } from '../../blocks/modals.ts';
import { refOf } from '../../blocks/ref.ts';
import { LIMITS, plain } from '../../blocks/text.ts';
import { notToBeSent } from '../sentences/call-texts.ts';

/** The actions of the modal "Record the outcome"; the others have buttons of their own. */
export type RecordableAction = Exclude<ManualAction, 'retry' | 'withdraw'>;

export function recordableActions(record: RequestRecord): RecordableAction[] {
  return possibleActions(record).filter((action) => action !== 'retry' && action !== 'withdraw');
}

export function buttons(record: RequestRecord): types.ActionsBlock[] {
  const actions = possibleActions(record);
  const elements = [
    ...(STATES[record.state].votes && !record.approval?.approvalMessage ? voteButtons(record) : []),
    ...(actions.includes('retry') ? [retry(record)] : []),
    ...(recordableActions(record).length > 0 ? [recordOutcome(record)] : []),
    ...(actions.includes('withdraw') ? [withdraw(record)] : []),
  ];
  return elements.length > 0 ? [{ type: 'actions', elements }] : [];
}

/** Nothing irreversible happens without a confirming click; declining opens a form, whose button is one. */
export function voteButtons(record: RequestRecord): types.Button[] {
  return [
    {
      ...button(ACTIONS.approve, 'Approve', record),
      style: 'primary',
      confirm: confirm(record, 'You approve sending this request to the order service.', 'Approve'),
    },
    { ...button(ACTIONS.decline, 'Decline', record), style: 'danger' },
    ...(hasVoteByButton(record) ? [button(ACTIONS.takeBack, 'Take back my vote', record)] : []),
  ];
}

/** Everybody sees the same buttons, so one vote by button shows "Take back my vote" to all. */
const hasVoteByButton = ({ approval }: RequestRecord): boolean =>
  approval !== undefined && counted(approval).some(isButton);

/** Needs a confirmation, because it sends the request. */
function retry(record: RequestRecord): types.Button {
  const again = receiptOf(record) === 'none' ? '' : ' again';
  return {
    ...button(ACTIONS.retry, 'Retry', record),
    confirm: confirm(record, `The request is sent to the order service${again}.`, `Send${again}`),
  };
}

const withdraw = (record: RequestRecord): types.Button => ({
  ...button(ACTIONS.withdraw, 'Withdraw', record),
  confirm: confirm(record, `This ends the request, and ${notToBeSent(record)}.`, 'Withdraw'),
});

const recordOutcome = (record: RequestRecord): types.Button =>
  button(ACTIONS.recordOutcome, 'Record the outcome', record);

function button(action_id: string, text: string, record: RequestRecord): types.Button {
  return { type: 'button', action_id, text: plain(text, LIMITS.buttonText), value: refOf(record) };
}

function confirm(record: RequestRecord, text: string, yes: string): types.ConfirmationDialog {
  return {
    title: plain(`${deedOf(record)}?`, LIMITS.confirmTitle),
    text: plain(text, LIMITS.confirmText),
    confirm: plain(yes, LIMITS.confirmButton),
    deny: CLOSE,
  };
}
