/** Renders a message as the people who read its channel at this moment may read it. */
import type { webApi } from '@slack/bolt';
import { votedOn } from '../../requests/model/facts/messages.ts';
import { withoutReasons } from '../../requests/model/facts/reasons.ts';
import type { MessageKey } from '../../requests/model/messages/message.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import type { Message, NamePeople } from '../blocks/text.ts';
import { approvalMessage } from './content/approval-message.ts';
import { card } from './content/card.ts';
import { notificationMessage } from './content/notification.ts';
import { reply } from './content/reply.ts';
import { named } from './destination.ts';
import { voterNames } from './voter-names.ts';

/** `seen`: what the look at the channel of the card has shown that the record does not know yet. */
export type Rendered = { type: 'written'; message: Message; seen: { inSharedChannel?: true } };

/**
 * The channel may have been shared since it was asked for, and Slack's event about it may come late, or not at all: what
 * has reasons in it is written only after a look at the channel. One that can't be seen counts as shared.
 *
 * @param maxAgeMs how old that look may be; undefined: it is made now
 * @throws where Slack can't be asked
 */
export async function renderMessage(
  client: webApi.WebClient,
  directory: Directory,
  record: RequestRecord,
  messageKey: MessageKey,
  maxAgeMs?: number,
): Promise<Rendered> {
  const link = await linkFor(client, record, messageKey);
  const people = await voterNames(directory, record, messageKey);
  const whole = render(record, messageKey, { link, people });
  const guarded = render(forExternalUsers(record, messageKey), messageKey, { link, people });
  if (JSON.stringify(whole) === JSON.stringify(guarded)) return written(whole);
  const id = messageKey.type === 'approval_message' ? record.approval?.policy.channel : record.channel;
  const channel = await directory.channelNow(record.workspace, id ?? '', maxAgeMs);
  if (channel && !channel.isShared) return written(whole);
  return written(guarded, messageKey.type !== 'approval_message' && channel?.isShared === true);
}

function written(message: Message, inSharedChannel = false): Rendered {
  return { type: 'written', message, seen: inSharedChannel ? { inSharedChannel } : {} };
}

/** The approval message stands in another channel; the record does not know whether that one is shared. */
function forExternalUsers(record: RequestRecord, messageKey: MessageKey): RequestRecord {
  return messageKey.type === 'approval_message'
    ? withoutReasons(record)
    : { ...record, inSharedChannel: true };
}

function render(
  record: RequestRecord,
  messageKey: MessageKey,
  { link, people }: { link: string | undefined; people: NamePeople },
): Message {
  switch (messageKey.type) {
    case 'card':
      return card(record);
    case 'approval_message':
      return approvalMessage(record, link);
    case 'reply':
      return reply(record, named(record.steps, messageKey.n), people);
    case 'notification':
      return notificationMessage(record, named(record.notifications, messageKey.n), { link, people });
  }
}

/**
 * The approvers' message links to the card, which they may not see in their channel; whoever voted on a second copy is
 * led to the first. A link is a help, not a need.
 */
async function linkFor(client: webApi.WebClient, record: RequestRecord, messageKey: MessageKey) {
  const isMisplaced =
    messageKey.type === 'notification' && named(record.notifications, messageKey.n).type === 'misplaced_vote';
  const of = messageKey.type === 'approval_message' ? record.card : isMisplaced ? votedOn(record) : undefined;
  const place = of?.location;
  if (!place) return undefined;
  const asked = client.chat.getPermalink({ channel: place.channel, message_ts: place.ts });
  return (await asked.catch(() => ({ permalink: undefined }))).permalink;
}
