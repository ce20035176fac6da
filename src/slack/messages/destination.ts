/** The destination of each message about a request, and the metadata by which it is found again. */
import type { webApi } from '@slack/bolt';
import type { CopiesPlace } from '../../outbox/delivery.ts';
import { byNumber, destinationOfReply } from '../../requests/model/facts/messages.ts';
import { destinationOfNotification } from '../../requests/model/facts/notifications.ts';
import type { MessageKey, TrackedMessage } from '../../requests/model/message.ts';
import type { RequestNotification } from '../../requests/model/notification.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import { STEP_METADATA } from '../blocks/ids.ts';
import { directMessage } from './direct-message.ts';

/** A channel or, with `thread_ts`, a thread in it. */
export type MessageThread = { channel: string; thread_ts?: string };

/**
 * @param to of a reply: where it goes, or went
 * @param thread where it went, if not under the message as it is by now
 * @throws where Slack can't be asked for a direct message's channel
 */
export async function destinationOf(
  client: webApi.WebClient,
  record: RequestRecord,
  messageKey: MessageKey,
  { to = destinationOfReply(record, messageKey), thread }: Partial<CopiesPlace> = {},
): Promise<MessageThread> {
  switch (messageKey.type) {
    case 'card':
      return { channel: record.channel };
    case 'approval_message':
      return { channel: record.approval?.policy.channel ?? '' };
    case 'reply':
      if (to === 'channel') return { channel: record.channel };
      return (to === 'thread' && threadUnder(record.card, thread)) || direct(client, record.requester);
    case 'notification':
      return notificationDestination(client, record, byNumber(record.notifications, messageKey.n), thread);
  }
}

async function notificationDestination(
  client: webApi.WebClient,
  record: RequestRecord,
  notification: RequestNotification,
  thread: string | undefined,
): Promise<MessageThread> {
  const destination = destinationOfNotification(record, notification);
  if ('person' in destination) return direct(client, destination.person);
  if ('channel' in destination) return { channel: destination.channel };
  return threadUnder(destination.under, thread) ?? direct(client, record.requester);
}

const threadUnder = ({ location }: TrackedMessage, thread = location?.ts): MessageThread | undefined =>
  location && thread ? { channel: location.channel, thread_ts: thread } : undefined;

async function direct(client: webApi.WebClient, user: string): Promise<MessageThread> {
  return { channel: await directMessage(client, user) };
}

/** The metadata of a message: 0 for the card, the number of its step for a reply, a name for the others. */
export function metadata({ id, approval }: RequestRecord, messageKey: MessageKey) {
  const step = {
    card: 0,
    approval_message: `approval message ${approval?.approvalMessage?.round ?? approval?.round ?? 1}`,
    reply: 'n' in messageKey ? messageKey.n : 0,
    notification: 'n' in messageKey ? `notification ${messageKey.n}` : '',
  }[messageKey.type];
  return { metadata: { event_type: STEP_METADATA, event_payload: { request: id, step } } };
}
