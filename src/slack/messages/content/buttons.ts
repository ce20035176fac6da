/** The buttons of a card: only those that still work. */
import type { types } from '@slack/bolt';
import { counted, isButton } from '../../../requests/model/approvals/votes.ts';
import { isRecorded } from '../../../requests/model/facts/correction.ts';
import { receiptOf } from '../../../requests/model/facts/receipt.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { STATES } from '../../../requests/model/states.ts';
import { offeredActions, recordableActions } from '../../../requests/use-cases/possible-actions.ts';
import { confirm } from '../../blocks/confirm.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { refOf } from '../../blocks/ref.ts';
import { LIMITS, plain } from '../../blocks/text.ts';
import { withdrawalText } from '../sentences/call-texts.ts';

export function buttons(record: RequestRecord): types.ActionsBlock[] {
  const actions = offeredActions(record);
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
      confirm: confirm({
        title: 'Approve this request?',
        text: `If enough approvers agree, the order service is asked to ${KIND_COPY[record.kind].verb} ${record.target}.`,
        yes: 'Approve',
        no: 'Decide later',
      }),
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
    confirm: confirm({
      title: `Send this request${again}?`,
      text: `The order service is asked${again} to ${KIND_COPY[record.kind].verb} ${record.target}. If this needs approval, the approvers decide first.`,
      yes: `Send${again}`,
      no: 'Do not send',
    }),
  };
}

const withdraw = (record: RequestRecord): types.Button => ({
  ...button(ACTIONS.withdraw, 'Withdraw', record),
  confirm: confirm({
    title: 'Withdraw this request?',
    text: withdrawalText(record),
    yes: 'Withdraw',
    no: 'Keep the request',
  }),
});

function recordOutcome(record: RequestRecord): types.Button {
  const text = isRecorded(currentStep(record)) ? 'Correct the outcome' : 'Record the outcome';
  return button(ACTIONS.recordOutcome, text, record);
}

function button(action_id: string, text: string, record: RequestRecord): types.Button {
  return { type: 'button', action_id, text: plain(text, LIMITS.buttonText), value: refOf(record) };
}
