/** Describes an effect of a request for the rate limits and for its client. */

import type { Destination } from '../../outbox/delivery.ts';
import type { ClaimGuard } from '../../outbox/ports.ts';
import { needsReactions } from '../../requests/engine/confirm-votes.ts';
import type { OutsideEffect } from '../../requests/engine/effects.ts';
import { byNumber, destinationOfReply } from '../../requests/model/facts/messages.ts';
import { destinationOfNotification } from '../../requests/model/facts/notifications.ts';
import type { MessageKey } from '../../requests/model/message.ts';
import { fieldsOf, type RequestRecord } from '../../requests/model/record.ts';
import type { SlackEffect } from '../client/clients.ts';
import type { LimitedEffect } from '../client/rate-limits.ts';
import type { SlackCall } from '../client/slack-fetch.ts';

export type SlackOutsideEffect = Exclude<OutsideEffect, { type: 'call' }>;

/** The name of an effect in the queues of the rate limits. */
export function callerOfEffect({ id }: Pick<RequestRecord, 'id'>, effect: SlackOutsideEffect): string {
  const messageKey = 'messageKey' in effect ? effect.messageKey : undefined;
  const n = messageKey && 'n' in messageKey ? messageKey.n : '';
  return [id, effect.type, messageKey?.type, n].join(' ');
}

/** An effect as the rate limits see it, before it is claimed. */
export function limitedEffect(record: RequestRecord, effect: SlackOutsideEffect): LimitedEffect {
  return {
    workspace: record.workspace,
    who: callerOfEffect(record, effect),
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
