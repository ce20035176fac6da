/** The core's notifier, over Slack: posts to the notifications channel, and to admins. */

import type { webApi } from '@slack/bolt';
import type { UpdateResult } from '../../outbox/delivery.ts';
import type { ClaimGuard } from '../../outbox/ports.ts';
import {
  channelOf,
  type LimitedNoticeEffect,
  type Notice,
  recipientOf,
} from '../../requests/model/notices/notice.ts';
import type { Notifier } from '../../requests/ports/messenger.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import { type AdministratorsDeps, administratorsOf } from '../../requests/use-cases/rules.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import { NOTICE_METADATA } from '../blocks/ids.ts';
import type { SlackEffect } from '../client/clients.ts';
import { type LimitedEffect, NOTHING_TAKEN } from '../client/rate-limits.ts';
import { adminsToNotify } from '../directory/admins-to-notify.ts';
import { callSlack, ensureMember, type SlackCalls } from './call-slack.ts';
import { noticeMessage } from './content/notice.ts';
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

  async function searchFor(client: webApi.WebClient, notice: Notice): Promise<Search> {
    const { delivery, at, workspace } = notice;
    const { botId } = await clients.installation(workspace);
    const doubt = delivery.status === 'doubtful' ? delivery : delivery.tidies?.[0];
    const { since = at, until = at, bound } = doubt ?? {};
    const place = { channel: await placeOf(client, notice) };
    return { place, botId, metadata: metadataOf(notice), since, until, bound };
  }

  return {
    post: (notice, guard) =>
      callSlack(deps, effectOf(notice, 'post', guard), async (client) => {
        const wanted = await placeOf(client, notice);
        const problem = await channelProblem(directory, notice);
        if (problem) return { type: 'refused', code: problem };
        const message = {
          channel: wanted,
          ...noticeMessage(notice),
          metadata: metadataOf(notice),
        };
        const { channel, ts } = await ensureMember(client, wanted, () => client.chat.postMessage(message));
        return channel && ts ? { type: 'posted', channel, ts } : { type: 'doubtful', code: 'no_ts' };
      }),
    update: (notice, guard) => updateNotice(deps, directory, notice, guard),
    async find(notice, guard) {
      const found = await callSlack(deps, effectOf(notice, 'find', guard), async (client) =>
        findPosted(client, await searchFor(client, notice), { ...guard, log }),
      );
      return found.type === 'doubtful' ? toLater(found) : found;
    },
    async tidy(notice, guard) {
      const { delivery } = notice;
      const tidied = await callSlack(deps, effectOf(notice, 'tidy', guard), async (client) =>
        tidyMessages(client, await searchFor(client, notice), {
          recorded: delivery.status === 'posted' ? { ...delivery, isElsewhere: false } : undefined,
          found: delivery.tidies?.[0]?.found ?? [],
          inTime: guard.inTime,
          log,
        }),
      );
      return tidied.type === 'doubtful' ? toLater(tidied) : tidied;
    },
    async addressees(notice, guard) {
      const effect = { ...effectOf(notice, 'post', guard), main: NOTHING_TAKEN };
      const found = await callSlack(deps, effect, async (client) => {
        const { workspace, connectedBy } = notice;
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
  notice: Notice,
  guard: ClaimGuard,
): Promise<UpdateResult> {
  const { delivery } = notice;
  if (delivery.status !== 'posted') return { type: 'gone', code: 'message_not_found' };
  const { channel, ts } = delivery;
  const updated = await callSlack(deps, effectOf(notice, 'update', guard), async (client) => {
    const problem = await channelProblem(directory, notice);
    if (problem) return { type: 'gone' as const, code: problem };
    await client.chat.update({ channel, ts, ...noticeMessage(notice) });
    return { type: 'posted' as const };
  });
  return updated.type === 'refused' ? toUpdateResult(updated) : updated;
}

/**
 * Never shows a notice to external users: the channel may have been shared since it was chosen. With a token of an
 * organization, a channel that can't be seen may be another workspace's, and yet take the post.
 */
async function channelProblem(
  directory: Directory,
  notice: Notice,
): Promise<'channel_not_found' | 'channel_shared' | undefined> {
  const id = channelOf(notice);
  if (id === undefined) return undefined;
  const channel = await directory.channelNow(notice.workspace, id, CHANNEL_MAX_AGE_MS);
  if (!channel) return 'channel_not_found';
  return channel.isShared ? 'channel_shared' : undefined;
}

/** The name of an effect of a notice in the queues of the rate limits. */
export const callerOfNotice = (id: string, effect: string): string => `${id} ${effect}`;

const METHODS: Record<LimitedNoticeEffect, string> = {
  post: 'chat.postMessage',
  update: 'chat.update',
  find: 'conversations.history',
  tidy: 'conversations.history',
};

/** An effect of a notice as the rate limits see it, before it is claimed. */
export function limitedNoticeEffect(notice: Notice, effect: LimitedNoticeEffect): LimitedEffect {
  const { workspace, id } = notice;
  const channel = channelOf(notice) ?? recipientOf(notice) ?? '';
  const method = METHODS[effect];
  return {
    workspace,
    who: callerOfNotice(id, effect),
    main: { method, channel },
    yields: effect === 'tidy',
  };
}

/** The same effect once it is claimed. */
function effectOf(notice: Notice, effect: LimitedNoticeEffect, guard: ClaimGuard): SlackEffect {
  const about = { notice: notice.id, effect };
  return { ...limitedNoticeEffect(notice, effect), about, guard };
}

/** The notifications channel, or the direct messages with an admin. */
async function placeOf(client: webApi.WebClient, notice: Notice): Promise<string> {
  return channelOf(notice) ?? directMessage(client, recipientOf(notice) ?? '');
}

function metadataOf({ id }: Notice) {
  return { event_type: NOTICE_METADATA, event_payload: { notice: id } };
}
