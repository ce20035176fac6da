/** The core's notifier, over Slack: tells what the order service announced and nobody asked for. */
import type { Notice } from '../requests/notice.ts';
import type { Directory, Notifier } from '../requests/ports.ts';
import { LOOK_MS } from '../requests/sharing.ts';
import { type Attempting, attempt, toLater } from './attempt.ts';
import { findMessage } from './find-message.ts';
import { NOTICE_METADATA } from './ids.ts';
import { joining } from './join.ts';
import { noticeMessage } from './ui/notice-message.ts';

export function createNotifier(deps: Attempting, directory: Directory): Notifier {
  const { clients } = deps;
  return {
    post: (notice) =>
      attempt(deps, notice, async (client) => {
        const wanted = notice.channel ?? '';
        // It may have been shared since it was chosen: what nobody asked for is for nobody else to read.
        const found = await directory.channelNow(notice.workspace, wanted, LOOK_MS);
        if (found?.isShared) return { type: 'refused', code: 'channel_shared' };
        const message = { channel: wanted, ...noticeMessage(notice), metadata: metadataOf(notice) };
        const { channel, ts } = await joining(client, wanted, () => client.chat.postMessage(message));
        return channel && ts ? { type: 'posted', channel, ts } : { type: 'doubtful', code: 'no_ts' };
      }),
    async find(notice) {
      const { channel = '', delivery } = notice;
      const since = delivery.status === 'doubtful' ? delivery.since : notice.at;
      const found = await attempt(deps, notice, async (client) => {
        const { botId } = await clients.installation(notice.workspace);
        const marked = { botId, metadata: metadataOf(notice), since };
        // In doubt may be the joining, too: who is not in a channel can't look into it.
        return joining(client, channel, () => findMessage(client, { channel }, marked));
      });
      if (found === undefined) return { type: 'absent' };
      return typeof found === 'string' ? { type: 'posted', channel, ts: found } : toLater(found);
    },
  };
}

function metadataOf({ id }: Notice) {
  return { event_type: NOTICE_METADATA, event_payload: { notice: id } };
}
