/**
 * Posts and updates the messages of the bot, whatever they are about. An `OutgoingMessage` says where a message goes, how it is
 * found again and how it is rendered: messenger.ts makes those of requests, notifier.ts those of notices.
 */
import type { webApi } from '@slack/bolt';
import {
  type CopiesPlace,
  type Delivery,
  type Destination,
  type Failed,
  MISPLACED,
  type PostResult,
  type UpdateResult,
} from '../../outbox/delivery.ts';
import type { MessageEffect } from '../../outbox/message.ts';
import type { ClaimGuard, Log } from '../../outbox/ports.ts';
import { type Message, textMessage } from '../blocks/text.ts';
import {
  callSlack,
  ensureMember,
  failureOf,
  MESSAGE_GONE,
  MESSAGE_OUT_OF_REACH,
  readSlack,
  type SlackCalls,
} from '../client/call-slack.ts';
import type { SlackEffect } from '../client/clients.ts';
import type { LimitedEffect } from '../client/rate-limits.ts';

export type Location = { channel: string; ts: string };

/** `thread`: the parent of the thread in which the message stands. */
export type Place = { channel: string; thread?: string } | { person: string };

/** A channel or, with `thread_ts`, a thread in it. */
export type MessageThread = { channel: string; thread_ts?: string };

/** The metadata that identifies a message of the bot. */
export type Marker = { event_type: string; event_payload: Record<string, string | number> };

/**
 * A message as it is sent. `isGuarded`: whether it is written for people of another company. `seen`: facts about the card's
 * channel that the record does not hold yet.
 */
export type Rendered = {
  type: 'written';
  message: Message;
  isGuarded: boolean;
  seen: { inSharedChannel?: true };
};

/** The address of a message, which is known before an effect of it is claimed. */
export type Addressed = {
  workspace: string;
  /** The id of the request or notice. */
  id: string;
  /** @param copies where earlier posts went, if the message may go elsewhere by now */
  placeOf: (copies?: CopiesPlace) => Place;
};

export type OutgoingMessage = Addressed & {
  /** Fields for the log. */
  about: object;
  /** The destination of the message now; undefined: its first destination. */
  to: Destination | undefined;
  marker: Marker;
  delivery: Delivery;
  /** When its effect was claimed, by the store's clock. */
  claimedAt: number | undefined;
  location: Location | undefined;
  /** @returns `hidden`: nobody may see it there @throws if Slack can't be asked */
  render: (
    client: webApi.WebClient,
    effect: 'post' | 'update',
  ) => Promise<Rendered | { type: 'hidden'; code: string }>;
};

/**
 * Finds the channel or thread of a place. For a person, Slack is asked for the channel of their direct messages.
 *
 * @param thread the parent of an earlier post, if the present parent is another message
 * @throws if Slack can't be asked
 */
export async function threadAt(
  client: webApi.WebClient,
  place: Place,
  thread?: string | undefined,
): Promise<MessageThread> {
  if ('person' in place) return { channel: await directMessage(client, place.person) };
  const { channel, thread: parent } = place;
  return parent === undefined ? { channel } : { channel, thread_ts: thread ?? parent };
}

/** An effect of a message as the rate limits see it, before it is claimed. @param copies the place of the copies to tidy */
export function limitedMessageEffect(
  { workspace, id, placeOf }: Addressed,
  effect: MessageEffect,
  copies?: CopiesPlace,
): LimitedEffect {
  const main = mainCall(effect, placeOf(copies));
  return { workspace, who: id, main, yields: effect === 'tidy' };
}

/** A claimed effect of a message. @param copies the place of the copies to tidy */
export function claimedMessageEffect(
  message: OutgoingMessage,
  effect: MessageEffect,
  { guard, copies }: { guard: ClaimGuard; copies?: CopiesPlace },
): SlackEffect {
  return { ...limitedMessageEffect(message, effect, copies), about: { ...message.about, effect }, guard };
}

/** The call of an effect that the rate limits know before the effect is claimed. */
function mainCall(effect: MessageEffect, place: Place): LimitedEffect['main'] {
  // The channel or the person whose posts share a bucket.
  if (effect === 'post')
    return { method: 'chat.postMessage', channel: 'channel' in place ? place.channel : place.person };
  if (effect === 'update') return { method: 'chat.update', channel: '' };
  const isInThread = 'channel' in place && place.thread !== undefined;
  return { method: isInThread ? 'conversations.replies' : 'conversations.history', channel: '' };
}

/** Renders a message and posts it. Never throws. */
export async function postMessage(
  deps: SlackCalls,
  outgoing: OutgoingMessage,
  guard: ClaimGuard,
): Promise<PostResult> {
  const effect = claimedMessageEffect(outgoing, 'post', { guard });
  const prepared = await readSlack(deps, effect, async (client) => {
    const rendered = await outgoing.render(client, 'post');
    if (rendered.type === 'hidden') return rendered;
    // Opening a direct message posts nothing, so a lost answer to that leaves no post in doubt.
    return { ...rendered, place: await threadAt(client, outgoing.placeOf()) };
  });
  if (prepared.type === 'hidden') return { type: 'refused', code: prepared.code };
  if (prepared.type !== 'written') return prepared;
  const { message, seen, place } = prepared;
  return callSlack(deps, effect, async (client) => {
    const marked = { ...place, ...message, metadata: outgoing.marker };
    const done = await ensureMember(client, place.channel, () => post(client, deps.log, marked));
    return done.type === 'posted' ? { ...done, ...seen } : done;
  });
}

/** Renders a message anew and updates it. Never throws. */
export async function updateMessage(
  deps: SlackCalls,
  outgoing: OutgoingMessage,
  guard: ClaimGuard,
): Promise<UpdateResult> {
  const { location } = outgoing;
  if (!location) return { type: 'gone', code: MESSAGE_GONE };
  const effect = claimedMessageEffect(outgoing, 'update', { guard });
  const prepared = await readSlack(deps, effect, (client) => outgoing.render(client, 'update'));
  if (prepared.type === 'hidden') return { type: 'out_of_reach', code: prepared.code };
  if (prepared.type === 'refused') return { type: 'kept', code: prepared.code };
  if (prepared.type !== 'written') return prepared;
  const updated = await callSlack(deps, effect, async (client) => {
    await client.chat.update({ ...location, ...prepared.message });
    return { type: 'posted' as const, ...prepared.seen };
  });
  if (updated.type === 'posted') return updated;
  const result = toUpdateResult(updated);
  if (result.type !== 'kept') return result;
  if (prepared.isGuarded && 'channel' in outgoing.placeOf()) {
    const fields = { ...outgoing.about, ...outgoing.marker.event_payload, ...location, code: result.code };
    deps.log.warn(fields, 'message in a shared channel not updated, will retry: it may still show a reason');
  }
  return { ...result, ...prepared.seen };
}

function toUpdateResult(failure: Failed): Exclude<UpdateResult, { type: 'posted' }> {
  if (failure.type !== 'refused') return failure;
  const { code } = failure;
  if (code === MESSAGE_GONE) return { type: 'gone', code };
  return { type: MESSAGE_OUT_OF_REACH.has(code) ? 'out_of_reach' : 'kept', code };
}

type MarkedMessage = Message & MessageThread & { metadata: Marker };

async function post(client: webApi.WebClient, log: Log, message: MarkedMessage): Promise<PostResult> {
  const posted = await client.chat.postMessage({ ...message, unfurl_links: false, unfurl_media: false });
  const { channel, ts } = posted;
  if (!channel || !ts) return { type: 'doubtful', code: 'no_ts' };
  if (message.thread_ts === undefined || posted.message?.thread_ts === message.thread_ts) {
    return { type: 'posted', channel, ts };
  }
  return removeMisplacedReply(client, log, { channel, ts });
}

/**
 * Removes a reply that stands in the channel, where it means nothing. Slack does not refuse a reply to a message that is gone,
 * and posts it there.
 *
 * @returns `refused`: the reply was removed, or may still be, so another one goes elsewhere; `posted`: Slack does not allow
 *   its removal, so it counts as the reply
 */
export async function removeMisplacedReply(
  client: webApi.WebClient,
  log: Log,
  reply: Location,
): Promise<Extract<PostResult, { type: 'posted' | 'refused' }>> {
  try {
    await client.chat.delete(reply);
  } catch (error) {
    const { type, code } = failureOf(error);
    if (code !== MESSAGE_GONE) log.warn({ ...reply, code }, 'misplaced reply not removed');
    if (code !== MESSAGE_GONE && type === 'refused') return { type: 'posted', ...reply };
  }
  return { type: 'refused', code: MISPLACED };
}

/** Sends a direct message, without an effect. @param message mrkdwn, or a whole message @throws where Slack refuses it */
export async function sendDirectMessage(
  client: webApi.WebClient,
  user: string,
  message: string | Message,
): Promise<void> {
  const whole = typeof message === 'string' ? textMessage(message) : message;
  await client.chat.postMessage({ channel: await directMessage(client, user), ...whole });
}

async function directMessage(client: webApi.WebClient, user: string): Promise<string> {
  const { channel } = await client.conversations.open({ users: user });
  return channel?.id ?? '';
}
