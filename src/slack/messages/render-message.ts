/** The words of a message, as whoever reads its channel at this moment may read them. */
import type { webApi } from '@slack/bolt';
import { withoutReasons } from '../../requests/model/facts/reasons.ts';
import type { Telling } from '../../requests/model/message-key.ts';
import { type RequestRecord, votedOn } from '../../requests/model/record.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import { ballot } from './approval-message.ts';
import { card, type Message } from './card.ts';
import { named } from './destination.ts';
import { noteMessage } from './notification.ts';
import { reply } from './reply.ts';
import { withVotersNamed } from './voter-names.ts';

/** `seen`: what the look at the channel of the card has shown that the record does not know yet. */
export type Written = { type: 'written'; message: Message; seen: { inSharedChannel?: true } };

/**
 * The channel may have been shared since it was asked for, and Slack's event about it may come late, or not at all: what
 * has reasons in it is written only after a look at the channel. One that can't be seen counts as shared.
 *
 * @param maxAgeMs how old that look may be; undefined: it is made now
 * @throws where Slack can't be asked
 */
export async function write(
  client: webApi.WebClient,
  directory: Directory,
  record: RequestRecord,
  telling: Telling,
  maxAgeMs?: number,
): Promise<Written> {
  const link = await linkFor(client, record, telling);
  const withNames = async (message: Message) =>
    isNew(telling) ? withVotersNamed(directory, record, message) : message;
  const whole = await withNames(render(record, telling, link));
  const guarded = await withNames(render(forStrangers(record, telling), telling, link));
  if (JSON.stringify(whole) === JSON.stringify(guarded)) return written(whole);
  const id = telling.type === 'ballot' ? record.approval?.policy.channel : record.channel;
  const channel = await directory.channelNow(record.workspace, id ?? '', maxAgeMs);
  if (channel && !channel.isShared) return written(whole);
  return written(guarded, telling.type !== 'ballot' && channel?.isShared === true);
}

/** Replies and notes are posted once; cards and the approvers' messages are updated. */
const isNew = ({ type }: Telling): boolean => type === 'reply' || type === 'note';

function written(message: Message, inSharedChannel = false): Written {
  return { type: 'written', message, seen: inSharedChannel ? { inSharedChannel } : {} };
}

/** What is shown to approvers stands in a channel of its own, which the record does not know to be shared. */
function forStrangers(record: RequestRecord, telling: Telling): RequestRecord {
  return telling.type === 'ballot' ? withoutReasons(record) : { ...record, inSharedChannel: true };
}

function render(record: RequestRecord, telling: Telling, link: string | undefined): Message {
  switch (telling.type) {
    case 'card':
      return card(record);
    case 'ballot':
      return ballot(record, link);
    case 'reply':
      return reply(record, named(record.steps, telling.n));
    case 'note':
      return noteMessage(record, named(record.notes, telling.n), link);
  }
}

/**
 * The approvers' message links to the card, which they may not see in their channel; whoever voted on a second copy is
 * led to the first. A link is a help, not a need.
 */
async function linkFor(client: webApi.WebClient, record: RequestRecord, telling: Telling) {
  const isMisplaced = telling.type === 'note' && named(record.notes, telling.n).type === 'misplaced_vote';
  const of = telling.type === 'ballot' ? record.card : isMisplaced ? votedOn(record) : undefined;
  const place = of?.place;
  if (!place) return undefined;
  const asked = client.chat.getPermalink({ channel: place.channel, message_ts: place.ts });
  return (await asked.catch(() => ({ permalink: undefined }))).permalink;
}
