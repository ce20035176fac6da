/** Shows a reply to the customer, made of the workspace's texts, for the person to copy. */
import type { types } from '@slack/bolt';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { MAY_REPLY } from '../../../requests/use-cases/who-may.ts';
import { text } from '../../blocks/fields.ts';
import { form } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { context } from '../../blocks/text.ts';
import { whyNotNow } from '../../messages/sentences/state-copy.ts';
import type { Feature, Listener, ListenerDeps, ViewArgs } from '../listener.ts';
import { manualResultText, whoText } from '../result-text.ts';

import { type Filling, type RequestClick, requestFormAction } from '../views.ts';
import { customerText } from './customer-text.ts';

export const customerReply: Feature = (deps) => ({
  actions: {
    [ACTIONS.customerReply]: requestFormAction(deps, TITLE, (click) => replyFor(deps, click)),
  },
  views: { [CALLBACKS.customerReply]: customerReplySubmission },
});

const TITLE = 'Reply to the customer';

/** Slack's limit of a text field (https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element). */
const TEXT_MAX = 3_000;

const FORM = form(CALLBACKS.customerReply, {
  text: text('text', { label: 'Text', optional: true, multiline: true, max: TEXT_MAX }),
});

export const replyModal = (shown: string): types.ModalView =>
  FORM.view(
    {
      title: TITLE,
      submit: 'Done',
      blocks: [
        FORM.fields.text.block(shown),
        context(
          'Copy this into your reply. Nothing is sent from here, and changes that you make here are not kept.',
        ),
      ],
    },
    undefined,
  );

/** Explains that this person must not see the text. */
export const notTheirsToReplyText = (record: RequestRecord): string =>
  `Only ${whoText(record, MAY_REPLY)} can see the text for the customer.`;

export const noCustomerReplyText = (record: RequestRecord): string =>
  `There is nothing to tell the customer now, because ${whyNotNow(record)}.`;

async function replyFor(deps: ListenerDeps, { who }: RequestClick): Promise<Filling> {
  const found = await deps.toReply(who);
  switch (found.type) {
    case 'offered':
      return replyModal(customerText(found.reply, found.record, await deps.settings(who.workspace)));
    case 'not_theirs':
      return { refused: notTheirsToReplyText(found.record) };
    case 'nothing_to_tell':
      return { refused: noCustomerReplyText(found.record) };
    default:
      return { refused: manualResultText(found) };
  }
}

/** "Done" only closes the text. */
const customerReplySubmission: Listener<ViewArgs> = async ({ ack }) => ack();
