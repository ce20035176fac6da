/** The core's notifier, over Slack: tells what the order service announced unasked, and that a token is refused. */

import type { webApi } from '@slack/bolt';
import type { Notice, NoticeAct } from '../../requests/model/workspace-notification.ts';
import type { ClaimGuard, Directory, Notifier } from '../../requests/ports/ports.ts';
import { LOOK_MS } from '../../requests/use-cases/sharing.ts';
import { NOTICE_METADATA } from '../blocks/ids.ts';
import type { SlackEffect } from '../client/clients.ts';
import { joining } from '../client/ensure-member.ts';
import { type Search, searchMessages } from '../client/find-message.ts';
import { NOTHING_TAKEN } from '../client/rate-limits.ts';
import { whomToTell } from '../directory/admins-to-notify.ts';
import { callSlack, type SlackCalls, toLater } from './call-slack.ts';
import { directMessage } from './direct-message.ts';
import { mainCallOfNotice } from './effect-limits.ts';
import { tidyMessages } from './tidy/tidy-messages.ts';
import { noticeMessage } from './workspace-notification.ts';

export function createNotifier(deps: SlackCalls, directory: Directory): Notifier {
  const { clients, log } = deps;

  /** A channel may have been shared since it was chosen: what nobody asked for is for nobody else to read. */
  async function isShared(notice: Notice): Promise<boolean> {
    if (notice.type !== 'event') return false;
    const channel = await directory.channelNow(notice.workspace, notice.channel ?? '', LOOK_MS);
    return channel?.isShared === true;
  }

  async function searchFor(client: webApi.WebClient, notice: Notice): Promise<Search> {
    const { delivery, at, workspace } = notice;
    const { botId } = await clients.installation(workspace);
    const doubt = delivery.status === 'doubtful' ? delivery : delivery.tidies?.[0];
    const { since = at, until = at, bound } = doubt ?? {};
    const place = { channel: await channelOf(client, notice) };
    return { place, botId, metadata: metadataOf(notice), since, until, bound };
  }

  return {
    post: (notice, guard) =>
      callSlack(deps, effectOf(notice, 'post', guard), async (client) => {
        const wanted = await channelOf(client, notice);
        if (await isShared(notice)) return { type: 'refused', code: 'channel_shared' };
        const message = { channel: wanted, ...noticeMessage(notice), metadata: metadataOf(notice) };
        const { channel, ts } = await joining(client, wanted, () => client.chat.postMessage(message));
        return channel && ts ? { type: 'posted', channel, ts } : { type: 'doubtful', code: 'no_ts' };
      }),
    async find(notice, guard) {
      const found = await callSlack(deps, effectOf(notice, 'find', guard), async (client) => {
        const search = await searchFor(client, notice);
        const isEnough = (all: string[]) => all.length > 0;
        const { channel } = search.place;
        // In doubt may be the joining, too: who is not in a channel can't look into it.
        const searched = await joining(client, channel, () =>
          searchMessages(client, search, { isEnough, mayGoOn: guard.inTime }),
        );
        const [ts] = searched.found;
        if (ts) return { type: 'posted' as const, channel, ts };
        return searched.type === 'complete' ? { type: 'absent' as const } : searched;
      });
      return found.type === 'doubtful' ? toLater(found) : found;
    },
    async tidy(notice, guard) {
      const { delivery } = notice;
      const tidied = await callSlack(deps, effectOf(notice, 'tidy', guard), async (client) =>
        tidyMessages(client, await searchFor(client, notice), {
          recorded: delivery.status === 'posted' ? { ...delivery, isElsewhere: false } : undefined,
          found: delivery.tidies?.[0]?.found ?? [],
          mayGoOn: guard.inTime,
          log,
        }),
      );
      return tidied.type === 'doubtful' ? toLater(tidied) : tidied;
    },
    async addressees(notice, guard) {
      const effect = { ...effectOf(notice, 'post', guard), main: NOTHING_TAKEN };
      const found = await callSlack(deps, effect, async (client) => {
        const installation = await clients.installation(notice.workspace);
        const people = await whomToTell(client, installation, notice.connectedBy);
        return { type: 'found' as const, people };
      });
      return found.type === 'doubtful' ? toLater(found) : found;
    },
  };
}

function effectOf(
  notice: Notice,
  act: Extract<NoticeAct, 'post' | 'find' | 'tidy'>,
  guard: ClaimGuard,
): SlackEffect {
  const { workspace, id } = notice;
  const main = mainCallOfNotice(notice, act);
  return { workspace, about: { notice: id, act }, who: `${id} ${act}`, main, guard, yields: act === 'tidy' };
}

/** The notifications channel, or the direct messages with an admin. */
async function channelOf(client: webApi.WebClient, notice: Notice): Promise<string> {
  return notice.type === 'event' ? (notice.channel ?? '') : directMessage(client, notice.to ?? '');
}

function metadataOf({ id }: Notice) {
  return { event_type: NOTICE_METADATA, event_payload: { notice: id } };
}
