/** The forms in which an approver gives a reason for declining: with the button, or after a reaction. */
import type { types } from '@slack/bolt';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { type Field, text } from '../../blocks/fields.ts';
import { CLICKED, type Clicked, form } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { targetOf } from '../../blocks/kind-copy.ts';
import { section } from '../../blocks/text.ts';
import { notToBeSent } from '../../messages/sentences/call-texts.ts';

/** Short enough that a sentence with the escaped reason fits into a section. */
export const DECLINE_REASON_MAX = 400;

export const DECLINE_TITLE = 'Decline the request';
export const ADD_REASON_TITLE = 'Add a reason';

type Where = Pick<RequestRecord, 'inSharedChannel'>;

const HINT = 'The requester and everybody who reads the card can see your reason.';
const HINT_IN_SHARED_CHANNEL =
  'The requester can read your reason. The card does not show it, because its channel is shared with another company.';

const reason = (where: Where, more: { optional?: boolean; wrong?: Field<string>['wrong'] }): Field<string> =>
  text('reason', {
    label: 'Reason',
    hint: where.inSharedChannel ? HINT_IN_SHARED_CHANNEL : HINT,
    multiline: true,
    max: DECLINE_REASON_MAX,
    ...more,
  });

const HERE: Where = { inSharedChannel: false };

export const declineForm = (where: Where = HERE) =>
  form(CALLBACKS.decline, { reason: reason(where, { optional: true }) }, CLICKED);

export const addReasonForm = (where: Where = HERE) => {
  const wrong = (written: string) => (written ? undefined : 'Write a reason.');
  return form(CALLBACKS.addReason, { reason: reason(where, { wrong }) }, CLICKED);
};

export function declineModal(
  clicked: Clicked,
  record: RequestRecord,
  addresses?: Addresses,
): types.ModalView {
  const { view, fields } = declineForm(record);
  const said = section(
    `This declines the request about ${targetOf(record, addresses)}, and ${notToBeSent(record)}.`,
  );
  const buttons = { title: 'Decline this request?', submit: 'Decline', close: 'Decide later' };
  return view({ ...buttons, blocks: [said, fields.reason.block()] }, clicked);
}

export function addReasonModal(clicked: Clicked, where: Where): types.ModalView {
  const { view, fields } = addReasonForm(where);
  return view({ title: ADD_REASON_TITLE, submit: 'Add reason', blocks: [fields.reason.block()] }, clicked);
}
