/** Performs an effect of a request on Slack: how the rate limits see it, its client, and what a failure means for it. */

import type { webApi } from '@slack/bolt';
import { needsReactions } from '../../requests/engine/confirm-votes.ts';
import type { OutsideEffect } from '../../requests/engine/effects.ts';
import type { ApproversProblem } from '../../requests/model/approvals/problems.ts';
import { byNumber, destinationOfReply } from '../../requests/model/facts/messages.ts';
import { destinationOfNotification } from '../../requests/model/facts/notifications.ts';
import type { Destination } from '../../requests/model/messages/delivery.ts';
import type { MessageKey } from '../../requests/model/messages/message.ts';
import { fieldsOf, type RequestRecord } from '../../requests/model/record.ts';
import type { ClaimGuard, Log } from '../../requests/ports/ports.ts';
import type { SlackClients, SlackEffect } from '../client/clients.ts';
import { failureOf, type SlackFailure } from '../client/failure.ts';
import type { LimitedEffect } from '../client/rate-limits.ts';
import type { SlackCall } from '../client/slack-fetch.ts';

export type SlackOutsideEffect = Exclude<OutsideEffect, { type: 'call' }>;

/** An effect as the rate limits see it, before it is claimed. */
export function limitedEffect(record: RequestRecord, effect: SlackOutsideEffect): LimitedEffect {
  const messageKey = 'messageKey' in effect ? effect.messageKey : undefined;
  const n = messageKey && 'n' in messageKey ? messageKey.n : '';
  return {
    workspace: record.workspace,
    who: [record.id, effect.type, messageKey?.type, n].join(' '),
    main: mainCall(record, effect),
    yields: effect.type === 'tidy',
  };
}

/** The same effect once it is claimed. */
export function slackEffect(
  record: RequestRecord,
  effect: SlackOutsideEffect,
  guard: ClaimGuard,
): SlackEffect {
  const about = { ...fieldsOf(record), effect: effect.type };
  return { ...limitedEffect(record, effect), about, guard };
}

function mainCall(record: RequestRecord, effect: SlackOutsideEffect): SlackCall {
  switch (effect.type) {
    case 'post':
      return { method: 'chat.postMessage', channel: channelOf(record, effect.messageKey) };
    case 'update':
      return { method: 'chat.update', channel: '' };
    case 'find':
    case 'tidy':
      return {
        method: searchMethod(record, effect.messageKey, replyDestination(record, effect)),
        channel: '',
      };
    case 'confirm_votes':
      return { method: needsReactions(record.approval) ? 'reactions.get' : 'users.info', channel: '' };
  }
}

/** The channel that a message goes to, or the person whom it is for. */
function channelOf(record: RequestRecord, messageKey: MessageKey): string {
  switch (messageKey.type) {
    case 'card':
      return record.channel;
    case 'approval_message':
      return record.approval?.policy.channel ?? '';
    case 'reply':
      return byNumber(record.steps, messageKey.n).reply?.to === 'requester'
        ? record.requester
        : record.channel;
    case 'notification': {
      const destination = destinationOfNotification(record, byNumber(record.notifications, messageKey.n));
      if ('under' in destination) return destination.under.location?.channel ?? record.requester;
      return 'person' in destination ? destination.person : destination.channel;
    }
  }
}

/** The place of a reply's copies, or its destination. */
const replyDestination = (
  record: RequestRecord,
  effect: { messageKey: MessageKey; to?: Destination | undefined },
) => effect.to ?? destinationOfReply(record, effect.messageKey);

function searchMethod(record: RequestRecord, messageKey: MessageKey, to: Destination | undefined): string {
  const isInThread =
    to === 'thread' ||
    (messageKey.type === 'notification' &&
      'under' in destinationOfNotification(record, byNumber(record.notifications, messageKey.n)));
  return isInThread ? 'conversations.replies' : 'conversations.history';
}

export type SlackCalls = { clients: SlackClients; log: Log };

/** Calls Slack for an effect, which nobody waits for. Never throws: a failure is a result. */
export async function callSlack<T>(
  { clients, log }: SlackCalls,
  effect: SlackEffect,
  act: (client: webApi.WebClient) => Promise<T>,
): Promise<T | SlackFailure> {
  try {
    return await act(await clients.forEffect(effect));
  } catch (error) {
    const failure = failureOf(error);
    const { workspace, about } = effect;
    log.warn({ workspace, ...about, code: failure.code, type: failure.type }, 'slack call failed');
    return failure;
  }
}

/** A search does no harm: unless it was refused, it is repeated. */
export function toLater(failure: SlackFailure): Exclude<SlackFailure, { type: 'doubtful' }> {
  return failure.type === 'doubtful' ? { ...failure, type: 'later' } : failure;
}

/** The answers to chat.update that mean that nobody can see the card, or reply to it, any more. */
export const GONE: ReadonlySet<string> = new Set([
  'message_not_found',
  'channel_not_found',
  'is_archived',
  'is_inactive',
  'not_in_channel',
]);

/** Gives a failure in the approvals channel the name by which the core knows the problem. */
export function namedProblem<T extends { code: string }>(result: T): T {
  return { ...result, code: CHANNEL_PROBLEMS[result.code] ?? result.code };
}

/** Slack's answers that say what is wrong with the approvals channel. */
const CHANNEL_PROBLEMS: Record<string, ApproversProblem> = {
  is_archived: 'channel_archived',
  channel_not_found: 'channel_not_visible',
  not_in_channel: 'channel_not_member',
};

/**
 * Performs a call in a channel, and joins a public channel first if necessary.
 *
 * @throws whatever `call` throws or, if the bot may not join, Slack's refusal: then nothing was done
 */
export async function ensureMember<T>(
  client: webApi.WebClient,
  channel: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (failureOf(error).code !== 'not_in_channel') throw error;
    await client.conversations.join({ channel });
    return call();
  }
}
