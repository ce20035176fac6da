/** The values of filled-in forms, as Slack sends them. */
import { OWN_REASON } from '../../../src/slack/features/request/request-form.ts';

const text = (id: string, value: string) => ({ [id]: { [id]: { type: 'plain_text_input', value } } });
const chosen = (id: string, value: string | null) => ({
  [id]: { [id]: { selected_option: value === null ? null : { value } } },
});
const conversation = (id: string, value: string | null) => ({
  [id]: { [id]: { selected_conversation: value } },
});
const checked = (id: string, ...values: string[]) => ({
  [id]: { [id]: { selected_options: values.map((value) => ({ value })) } },
});

export const requestValues = (target: string, channel: string) => ({
  ...text('target', target),
  ...chosen('reason_choice', OWN_REASON),
  ...text('reason', 'Because'),
  ...conversation('channel', channel),
});

export const connectValues = (token: string) => ({
  ...text('token', token),
  ...chosen('token_kind', 'rest'),
  ...checked('exclusive'),
});

type Settings = { group?: string | null; channel?: string | null; reasons?: string };

export const settingsValues = ({ group = null, channel = null, reasons = '' }: Settings) => ({
  ...chosen('requesters', group),
  ...conversation('notifications', channel),
  ...text('reasons', reasons),
  ...text('requests_per_hour', ''),
  ...text('order_id_pattern', ''),
  ...text('sample', ''),
  ...text('order_address', ''),
  ...text('offer_address', ''),
  ...text('ticket_hosts', ''),
  ...checked('shared_channels'),
});

export const customerTextsValues = (said: string) =>
  Object.assign(
    {},
    ...['order_canceled', 'order_in_review', 'order_not_canceled', 'offer_sent', 'offer_canceled'].map((id) =>
      text(`reply_${id}`, said),
    ),
    text('reasons_for_customers', ''),
  );

export const sampleValues = (sample: string) => text('sample', sample);

type Policy = { approvers: string; group?: string; people?: readonly string[]; channel?: string | null };

export const policyValues = ({ approvers, group, people = [], channel = null }: Policy) => ({
  ...chosen('approvers', approvers),
  ...chosen('approver_group', group ?? null),
  approver_people: { approver_people: { selected_users: people } },
  ...conversation('approvals_channel', channel),
  ...chosen('shown_in', channel ? 'approvals_channel' : 'where_requested'),
  ...chosen('quorum', '1'),
  ...chosen('emoji_yes', 'white_check_mark'),
  ...chosen('emoji_no', 'x'),
  ...chosen('expire', '3600000'),
  ...checked('policy_options', 'may_withdraw'),
});

export const reasonValues = () => text('reason', 'Because I say so');
export const outcomeValues = (act: string) => chosen('outcome', act);
export const searchValues = (words: string) => text('sub_brands', words);

export const historyValues = (person: string | null, id = '') => ({
  ...text('history_id', id),
  'history:0': {
    history_group: { selected_option: { value: 'all' } },
    history_day: { selected_option: { value: 'any' } },
    history_person: { selected_user: person },
  },
});
