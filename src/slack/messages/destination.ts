/** Where each message about a request belongs, and how it is found again. */
import type { webApi } from '@slack/bolt';
import type { Destination } from '../../requests/model/delivery.ts';
import { destinationOfReply, type Telling } from '../../requests/model/message-key.ts';
import type { Note } from '../../requests/model/notification.ts';
import { destinationOfNote, type RequestRecord } from '../../requests/model/record.ts';
import type { Post } from '../../requests/model/tracked-message.ts';
import { STEP_METADATA } from '../blocks/ids.ts';
import type { Place } from '../client/find-message.ts';
import { directMessage } from './direct-message.ts';

/** Of all that have a number, the one with this. @throws where there is none: a record names what it has */
export function named<T extends { n: number }>(all: readonly T[], n: number): T {
  const found = all.find((each) => each.n === n);
  if (!found) throw new Error(`There is no number ${n} to tell of.`);
  return found;
}

/**
 * @param to of a reply: where it goes, or went
 * @throws where Slack can't be asked for a direct message's channel
 */
export async function placeOf(
  client: webApi.WebClient,
  record: RequestRecord,
  telling: Telling,
  to: Destination | undefined = destinationOfReply(record, telling),
): Promise<Place> {
  switch (telling.type) {
    case 'card':
      return { channel: record.channel };
    case 'ballot':
      return { channel: record.approval?.policy.channel ?? '' };
    case 'reply':
      if (to === 'channel') return { channel: record.channel };
      return (to === 'thread' && threadOf(record.card)) || direct(client, record.asker);
    case 'note':
      return placeOfNote(client, record, named(record.notes, telling.n));
  }
}

async function placeOfNote(client: webApi.WebClient, record: RequestRecord, note: Note): Promise<Place> {
  const destination = destinationOfNote(record, note);
  if ('person' in destination) return direct(client, destination.person);
  if ('channel' in destination) return { channel: destination.channel };
  return threadOf(destination.under) ?? direct(client, record.asker);
}

const threadOf = ({ place }: Post): Place | undefined =>
  place && { channel: place.channel, thread_ts: place.ts };

async function direct(client: webApi.WebClient, user: string): Promise<Place> {
  return { channel: await directMessage(client, user) };
}

/** How a message is found again: 0 for the card, the number of its step for a reply, a name for the others. */
export function metadata({ id, approval }: RequestRecord, telling: Telling) {
  const step = {
    card: 0,
    ballot: `ballot ${approval?.round ?? 1}`,
    reply: 'n' in telling ? telling.n : 0,
    note: 'n' in telling ? `note ${telling.n}` : '',
  }[telling.type];
  return { metadata: { event_type: STEP_METADATA, event_payload: { request: id, step } } };
}
