/** Whoever denied a request by a reaction has said why. */
import type { webApi } from '@slack/bolt';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { Log } from '../../../requests/ports/ports.ts';
import { BLOCKS } from '../../blocks/ids.ts';
import { noticeModal } from '../../blocks/notice-modal.ts';
import { readRef } from '../../blocks/ref.ts';
import { reasonAddedMessage } from '../../messages/notification.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { readReason, SAY_WHY_TITLE } from './decline-modal.ts';
import { reasonText } from './vote-feedback.ts';

export function sayWhySubmission({ giveReason, log }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, client, context }) => {
    const { id } = readRef(view.private_metadata);
    const reason = readReason(view.state.values);
    if (!reason) return ack({ response_action: 'errors', errors: { [BLOCKS.reason]: 'Write a reason.' } });
    const given = await giveReason({ workspace: workspaceOf(context), id, by: body.user.id, reason });
    if (given.type === 'given') {
      await ack();
      return removeButton(client, given.record, log);
    }
    return ack({ response_action: 'update', view: noticeModal(SAY_WHY_TITLE, reasonText(given)) });
  };
}

/** The button did its work. Where its message can't be changed now, it says that a reason was given already. */
async function removeButton(client: webApi.WebClient, record: RequestRecord, log: Log): Promise<void> {
  const { delivery } = record.notes.find(({ type }) => type === 'why') ?? {};
  if (delivery?.status !== 'posted') return;
  const { channel, ts } = delivery;
  await client.chat.update({ channel, ts, ...reasonAddedMessage(record) }).catch((err) => {
    log.warn({ err, request: record.id }, 'the button to add a reason was not removed');
  });
}
