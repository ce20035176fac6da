/** Takes what an effect needs from Slack's limits before the effect is claimed. */

import { needsReactions } from '../../requests/engine/confirm-votes.ts';
import type { OutsideEffect } from '../../requests/engine/effects.ts';
import { destinationOfReply, named } from '../../requests/model/facts/messages.ts';
import { destinationOfNotification } from '../../requests/model/facts/notifications.ts';
import type { Destination } from '../../requests/model/messages/delivery.ts';
import type { MessageKey } from '../../requests/model/messages/message.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type {
  LimitedNotificationEffect,
  WorkspaceNotification,
} from '../../requests/model/workspace-notification.ts';
import { NOW, type RateLimiter, type Wait } from '../../requests/ports/rate-limiter.ts';
import { bucketOf, type MainCall, type Pace } from '../client/rate-limits.ts';

export type SlackOutsideEffect = Exclude<OutsideEffect, { type: 'call' }>;

export function mainCall(record: RequestRecord, act: SlackOutsideEffect): MainCall {
  switch (act.type) {
    case 'post':
      return { method: 'chat.postMessage', channel: channelOf(record, act.messageKey) };
    case 'update':
      return { method: 'chat.update', channel: '' };
    case 'find':
    case 'tidy':
      return { method: searchMethod(record, act.messageKey, replyDestination(record, act)), channel: '' };
    case 'confirm_votes':
      return { method: needsReactions(record.approval) ? 'reactions.get' : 'users.info', channel: '' };
  }
}

export function mainCallOfNotification(
  notification: WorkspaceNotification,
  act: LimitedNotificationEffect,
): MainCall {
  const channel = (notification.type === 'event' ? notification.channel : notification.to) ?? '';
  return { method: act === 'post' ? 'chat.postMessage' : 'conversations.history', channel };
}

/** Takes from the buckets what the main call of an effect needs, before it is claimed. */
export function createSlackLimits(limiter: Pick<RateLimiter, 'take'>, pace: Pace) {
  const take = async (workspace: string, { method, channel }: MainCall, who: string, yields: boolean) => {
    const bucket = bucketOf(workspace, method, channel, pace);
    return bucket ? limiter.take(bucket, who, yields) : NOW;
  };
  return {
    ofRequest: (record: RequestRecord, act: SlackOutsideEffect): Promise<Wait> =>
      take(record.workspace, mainCall(record, act), waiterOf(record, act), act.type === 'tidy'),
    ofNotification: (notification: WorkspaceNotification, act: LimitedNotificationEffect): Promise<Wait> =>
      take(
        notification.workspace,
        mainCallOfNotification(notification, act),
        `${notification.id} ${act}`,
        act === 'tidy',
      ),
  };
}

/** Names what waits for a limit. */
export function waiterOf({ id }: RequestRecord, act: SlackOutsideEffect): string {
  const messageKey = 'messageKey' in act ? act.messageKey : undefined;
  return [id, act.type, messageKey?.type, messageKey && 'n' in messageKey ? messageKey.n : ''].join(' ');
}

/** The channel that a message goes to, or the person whom it is for. */
function channelOf(record: RequestRecord, messageKey: MessageKey): string {
  switch (messageKey.type) {
    case 'card':
      return record.channel;
    case 'approval_message':
      return record.approval?.policy.channel ?? '';
    case 'reply':
      return named(record.steps, messageKey.n).reply?.to === 'requester' ? record.requester : record.channel;
    case 'notification': {
      const destination = destinationOfNotification(record, named(record.notifications, messageKey.n));
      if ('under' in destination) return destination.under.location?.channel ?? record.requester;
      return 'person' in destination ? destination.person : destination.channel;
    }
  }
}

/** The place of a reply's copies, or its destination. */
const replyDestination = (
  record: RequestRecord,
  act: { messageKey: MessageKey; to?: Destination | undefined },
) => act.to ?? destinationOfReply(record, act.messageKey);

function searchMethod(record: RequestRecord, messageKey: MessageKey, to: Destination | undefined): string {
  const isInThread =
    to === 'thread' ||
    (messageKey.type === 'notification' &&
      'under' in destinationOfNotification(record, named(record.notifications, messageKey.n)));
  return isInThread ? 'conversations.replies' : 'conversations.history';
}
