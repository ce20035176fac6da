/** The core's notifier, over Slack: tells what the order service announced unasked, and that a token is refused. */
import type { webApi } from '@slack/bolt';
import type { Notice } from '../requests/notice.ts';
import type { Directory, Notifier } from '../requests/ports.ts';
import { LOOK_MS } from '../requests/sharing.ts';
import { type Attempting, attempt, toLater } from './attempt.ts';
import { directMessage } from './direct-message.ts';
import { findMessage } from './find-message.ts';
import { NOTICE_METADATA } from './ids.ts';
import { joining } from './join.ts';
import { noticeMessage } from './ui/notice-message.ts';
import { whomToTell } from './whom-to-tell.ts';

export function createNotifier(deps: Attempting, directory: Directory): Notifier {
  const { clients } = deps;

  /** A channel may have been shared since it was chosen: what nobody asked for is for nobody else to read. */
  async function isShared(notice: Notice): Promise<boolean> {
    if (notice.type !== 'event') return false;
    const channel = await directory.channelNow(notice.workspace, notice.channel ?? '', LOOK_MS);
    return channel?.isShared === true;
  }

  return {
    post: (notice) =>
      attempt(deps, notice, async (client) => {
        const wanted = await channelOf(client, notice);
        if (await isShared(notice)) return { type: 'refused', code: 'channel_shared' };
        const message = { channel: wanted, ...noticeMessage(notice), metadata: metadataOf(notice) };
        const { channel, ts } = await joining(client, wanted, () => client.chat.postMessage(message));
        return channel && ts ? { type: 'posted', channel, ts } : { type: 'doubtful', code: 'no_ts' };
      }),
    async find(notice) {
      const { delivery } = notice;
      const since = delivery.status === 'doubtful' ? delivery.since : notice.at;
      const found = await attempt(deps, notice, async (client) => {
        const channel = await channelOf(client, notice);
        const { botId } = await clients.installation(notice.workspace);
        const marked = { botId, metadata: metadataOf(notice), since };
        // In doubt may be the joining, too: who is not in a channel can't look into it.
        const ts = await joining(client, channel, () => findMessage(client, { channel }, marked));
        return ts === undefined ? { type: 'absent' as const } : { type: 'posted' as const, channel, ts };
      });
      return found.type === 'posted' || found.type === 'absent' ? found : toLater(found);
    },
    async addressees(notice) {
      const found = await attempt(deps, notice, async (client) => {
        const installation = await clients.installation(notice.workspace);
        const people = await whomToTell(client, installation, notice.connectedBy);
        return { type: 'found' as const, people };
      });
      return found.type === 'found' ? found : toLater(found);
    },
  };
}

/** The notifications channel, or the direct messages with an admin. */
async function channelOf(client: webApi.WebClient, notice: Notice): Promise<string> {
  return notice.type === 'event' ? (notice.channel ?? '') : directMessage(client, notice.to ?? '');
}

function metadataOf({ id }: Notice) {
  return { event_type: NOTICE_METADATA, event_payload: { notice: id } };
}
