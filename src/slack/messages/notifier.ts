/** The core's notifier, over Slack: posts to the notifications channel, and to admins. */

import type { webApi } from '@slack/bolt';
import type { UpdateResult } from '../../requests/model/messages/delivery.ts';
import {
  channelOf,
  type LimitedNotificationEffect,
  recipientOf,
  type WorkspaceNotification,
} from '../../requests/model/workspace-notification.ts';
import type { Notifier } from '../../requests/ports/messenger.ts';
import type { ClaimGuard, Directory } from '../../requests/ports/ports.ts';
import { type AdministratorsDeps, administratorsOf } from '../../requests/use-cases/rules.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import { NOTIFICATION_METADATA } from '../blocks/ids.ts';
import type { SlackEffect } from '../client/clients.ts';
import { type LimitedEffect, NOTHING_TAKEN } from '../client/rate-limits.ts';
import { adminsToNotify } from '../directory/admins-to-notify.ts';
import { callSlack, ensureMember, type SlackCalls } from './call-slack.ts';
import { workspaceNotificationMessage } from './content/workspace-notification.ts';
import { directMessage } from './direct-message.ts';
import { findPosted, type Search } from './duplicates/find-message.ts';
import { tidyMessages } from './duplicates/tidy-messages.ts';
import { toLater, toUpdateResult } from './effect-failures.ts';

export function createNotifier(
  deps: SlackCalls,
  administrators: AdministratorsDeps & { directory: Directory },
): Notifier {
  const { clients, log } = deps;
  const { directory } = administrators;

  async function searchFor(client: webApi.WebClient, notification: WorkspaceNotification): Promise<Search> {
    const { delivery, at, workspace } = notification;
    const { botId } = await clients.installation(workspace);
    const doubt = delivery.status === 'doubtful' ? delivery : delivery.tidies?.[0];
    const { since = at, until = at, bound } = doubt ?? {};
    const place = { channel: await placeOf(client, notification) };
    return { place, botId, metadata: metadataOf(notification), since, until, bound };
  }

  return {
    post: (notification, guard) =>
      callSlack(deps, effectOf(notification, 'post', guard), async (client) => {
        const wanted = await placeOf(client, notification);
        const problem = await channelProblem(directory, notification);
        if (problem) return { type: 'refused', code: problem };
        const message = {
          channel: wanted,
          ...workspaceNotificationMessage(notification),
          metadata: metadataOf(notification),
        };
        const { channel, ts } = await ensureMember(client, wanted, () => client.chat.postMessage(message));
        return channel && ts ? { type: 'posted', channel, ts } : { type: 'doubtful', code: 'no_ts' };
      }),
    update: (notification, guard) => updateNotice(deps, directory, notification, guard),
    async find(notification, guard) {
      const found = await callSlack(deps, effectOf(notification, 'find', guard), async (client) =>
        findPosted(client, await searchFor(client, notification), { ...guard, log }),
      );
      return found.type === 'doubtful' ? toLater(found) : found;
    },
    async tidy(notification, guard) {
      const { delivery } = notification;
      const tidied = await callSlack(deps, effectOf(notification, 'tidy', guard), async (client) =>
        tidyMessages(client, await searchFor(client, notification), {
          recorded: delivery.status === 'posted' ? { ...delivery, isElsewhere: false } : undefined,
          found: delivery.tidies?.[0]?.found ?? [],
          inTime: guard.inTime,
          log,
        }),
      );
      return tidied.type === 'doubtful' ? toLater(tidied) : tidied;
    },
    async addressees(notification, guard) {
      const effect = { ...effectOf(notification, 'post', guard), main: NOTHING_TAKEN };
      const found = await callSlack(deps, effect, async (client) => {
        const { workspace, connectedBy } = notification;
        const installation = await clients.installation(workspace);
        const them = await administratorsOf(administrators, workspace);
        const group = them.of === 'organization' ? them.group : undefined;
        const people = await adminsToNotify(client, installation, { connectedBy, group });
        return { type: 'found' as const, people };
      });
      return found.type === 'doubtful' ? toLater(found) : found;
    },
  };
}

async function updateNotice(
  deps: SlackCalls,
  directory: Directory,
  notification: WorkspaceNotification,
  guard: ClaimGuard,
): Promise<UpdateResult> {
  const { delivery } = notification;
  if (delivery.status !== 'posted') return { type: 'gone', code: 'message_not_found' };
  const { channel, ts } = delivery;
  const updated = await callSlack(deps, effectOf(notification, 'update', guard), async (client) => {
    const problem = await channelProblem(directory, notification);
    if (problem) return { type: 'gone' as const, code: problem };
    await client.chat.update({ channel, ts, ...workspaceNotificationMessage(notification) });
    return { type: 'posted' as const };
  });
  return updated.type === 'refused' ? toUpdateResult(updated) : updated;
}

/**
 * Never shows a notification to external users: the channel may have been shared since it was chosen. With a token of an
 * organization, a channel that can't be seen may be another workspace's, and yet take the post.
 */
async function channelProblem(
  directory: Directory,
  notification: WorkspaceNotification,
): Promise<'channel_not_found' | 'channel_shared' | undefined> {
  const id = channelOf(notification);
  if (id === undefined) return undefined;
  const channel = await directory.channelNow(notification.workspace, id, CHANNEL_MAX_AGE_MS);
  if (!channel) return 'channel_not_found';
  return channel.isShared ? 'channel_shared' : undefined;
}

/** The name of an effect of a notification in the queues of the rate limits. */
export const callerOfNotification = (id: string, effect: string): string => `${id} ${effect}`;

const METHODS: Record<LimitedNotificationEffect, string> = {
  post: 'chat.postMessage',
  update: 'chat.update',
  find: 'conversations.history',
  tidy: 'conversations.history',
};

/** An effect of a notification as the rate limits see it, before it is claimed. */
export function limitedNotificationEffect(
  notification: WorkspaceNotification,
  effect: LimitedNotificationEffect,
): LimitedEffect {
  const { workspace, id } = notification;
  const channel = channelOf(notification) ?? recipientOf(notification) ?? '';
  const method = METHODS[effect];
  return {
    workspace,
    who: callerOfNotification(id, effect),
    main: { method, channel },
    yields: effect === 'tidy',
  };
}

/** The same effect once it is claimed. */
function effectOf(
  notification: WorkspaceNotification,
  effect: LimitedNotificationEffect,
  guard: ClaimGuard,
): SlackEffect {
  const about = { notification: notification.id, effect };
  return { ...limitedNotificationEffect(notification, effect), about, guard };
}

/** The notifications channel, or the direct messages with an admin. */
async function placeOf(client: webApi.WebClient, notification: WorkspaceNotification): Promise<string> {
  return channelOf(notification) ?? directMessage(client, recipientOf(notification) ?? '');
}

function metadataOf({ id }: WorkspaceNotification) {
  return { event_type: NOTIFICATION_METADATA, event_payload: { notification: id } };
}
