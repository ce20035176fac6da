/**
 * Describes one message of the bot as Slack is asked for it, whatever it is about: where it goes, by what it is found again,
 * and how it is rendered. Of requests: messenger.ts; of notices: notifier.ts. All else is the same (deliver.ts).
 */
import type { webApi } from '@slack/bolt';
import type { Delivery, Destination } from '../../outbox/delivery.ts';
import type { ClaimGuard } from '../../outbox/ports.ts';
import { type Message, textMessage } from '../blocks/text.ts';
import type { SlackEffect } from '../client/clients.ts';
import type { LimitedEffect } from '../client/rate-limits.ts';

export type Location = { channel: string; ts: string };

/** `under`: the thread of a message; where that is not in Slack, the message goes to the person `instead`. */
export type Place =
  | { channel: string }
  | { person: string }
  | { under: Location | undefined; instead: string };

/** A channel or, with `thread_ts`, a thread in it. */
export type MessageThread = { channel: string; thread_ts?: string };

/** The metadata that identifies a message of the bot. */
export type Marker = { event_type: string; event_payload: Record<string, string | number> };

/** `seen`: facts about the card's channel that the record does not hold yet. */
export type Rendered = { type: 'written'; message: Message; seen: { inSharedChannel?: true } };

export type OutgoingMessage = {
  workspace: string;
  /** The log fields of its record. */
  about: object;
  /** Names an effect of the message in the queues of the rate limits. */
  callerOf: (effect: MessageEffectType) => string;
  /** @param to of a reply: where it went, if it goes elsewhere by now */
  placeOf: (to?: Destination | undefined) => Place;
  /** The present destination of a reply. */
  to: Destination | undefined;
  marker: Marker;
  delivery: Delivery | undefined;
  /** The place of a message that is to be updated. */
  location: Location | undefined;
  createdAt: number;
  /** @returns `hidden`: nobody may see it there @throws if Slack can't be asked */
  render: (
    client: webApi.WebClient,
    effect: 'post' | 'update',
  ) => Promise<Rendered | { type: 'hidden'; code: string }>;
  /** Names a refusal as the core knows it. */
  named: <T extends { code: string }>(refused: T) => T;
};

export type MessageEffectType = 'post' | 'update' | 'find' | 'tidy';

/** @param thread where the message went, if not under its parent as that is by now @throws if Slack can't be asked */
export async function threadAt(
  client: webApi.WebClient,
  place: Place,
  thread?: string | undefined,
): Promise<MessageThread> {
  if ('channel' in place) return { channel: place.channel };
  if ('person' in place) return { channel: await directMessage(client, place.person) };
  const { under, instead } = place;
  if (under) return { channel: under.channel, thread_ts: thread ?? under.ts };
  return { channel: await directMessage(client, instead) };
}

/** An effect as the rate limits see it, before it is claimed. @param to of copies that are tidied */
export function limitedMessageEffect(
  { workspace, callerOf, placeOf }: Pick<OutgoingMessage, 'workspace' | 'callerOf' | 'placeOf'>,
  effect: MessageEffectType,
  to?: Destination | undefined,
): LimitedEffect {
  const main = mainCall(effect, placeOf(to));
  return { workspace, who: callerOf(effect), main, yields: effect === 'tidy' };
}

/** The same effect once it is claimed. */
export function claimedMessageEffect(
  message: OutgoingMessage,
  effect: MessageEffectType,
  { guard, to }: { guard: ClaimGuard; to?: Destination | undefined },
): SlackEffect {
  return { ...limitedMessageEffect(message, effect, to), about: { ...message.about, effect }, guard };
}

function mainCall(effect: MessageEffectType, place: Place): LimitedEffect['main'] {
  switch (effect) {
    case 'post':
      return { method: 'chat.postMessage', channel: addressOf(place) };
    case 'update':
      return { method: 'chat.update', channel: '' };
    default: {
      const isInThread = 'under' in place && place.under !== undefined;
      return { method: isInThread ? 'conversations.replies' : 'conversations.history', channel: '' };
    }
  }
}

/** The channel that a message goes to, or the person whom it is for. */
function addressOf(place: Place): string {
  if ('channel' in place) return place.channel;
  return 'person' in place ? place.person : (place.under?.channel ?? place.instead);
}

/** @param message mrkdwn, or a whole message */
export async function sendDirectMessage(
  client: webApi.WebClient,
  user: string,
  message: string | Message,
): Promise<void> {
  const whole = typeof message === 'string' ? textMessage(message) : message;
  await client.chat.postMessage({ channel: await directMessage(client, user), ...whole });
}

/** The channel of the direct messages with one person. @throws where Slack does not open it */
async function directMessage(client: webApi.WebClient, user: string): Promise<string> {
  const { channel } = await client.conversations.open({ users: user });
  return channel?.id ?? '';
}
