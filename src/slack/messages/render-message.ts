/** Renders a message as the people who read its channel at this moment may read it. */
import type { webApi } from '@slack/bolt';
import { named, votedOn } from '../../requests/model/facts/messages.ts';
import type { MessageKey } from '../../requests/model/messages/message.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import type { Message } from '../blocks/text.ts';
import { dependsOnReaders, forExternalUsers, render } from './content/render.ts';
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
  const given = {
    link: await linkFor(client, record, messageKey),
    people: await voterNames(directory, record, messageKey),
  };
  if (!dependsOnReaders(record, messageKey)) return written(render(record, messageKey, given));
  const id = messageKey.type === 'approval_message' ? record.approval?.policy.channel : record.channel;
  const channel = await directory.channelNow(record.workspace, id ?? '', maxAgeMs);
  if (channel && !channel.isShared) return written(render(record, messageKey, given));
  const guarded = render(forExternalUsers(record, messageKey), messageKey, given);
  return written(guarded, messageKey.type !== 'approval_message' && channel?.isShared === true);
}

function written(message: Message, inSharedChannel = false): Rendered {
  return { type: 'written', message, seen: inSharedChannel ? { inSharedChannel } : {} };
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
