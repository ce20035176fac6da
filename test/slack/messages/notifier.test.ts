/** Notices are posted only where no other company reads them, whatever Slack says of the notifications channel. */
import type { webApi } from '@slack/bolt';
import { expect, test, vi } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { newSendingNotice } from '../../../src/requests/model/notices/notice.ts';
import type { Channel } from '../../../src/requests/ports/ports.ts';
import type { SlackClients } from '../../../src/slack/client/clients.ts';
import type { SlackDirectory } from '../../../src/slack/directory/directory.ts';
import { createNotifier } from '../../../src/slack/messages/notifier.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { HELD, T0 } from '../../support/requests/records.ts';

const OPEN: Channel = { id: 'C1', isPrivate: true, isShared: false, isArchived: false, isMember: true };
const PAUSED = { workspace: 'T1', channel: 'C1', by: 'UOLGA', at: T0, pause: { by: 'UOLGA', at: T0 } };

test.each<[string, Channel | undefined, object, number]>([
  ['is posted in a channel of this company', OPEN, { type: 'posted', channel: 'C1', ts: '2.000002' }, 1],
  [
    'is not posted in a channel that was shared meanwhile',
    { ...OPEN, isShared: true },
    { type: 'refused', code: 'channel_shared' },
    0,
  ],
  [
    'is not posted in a channel that cannot be seen: it may be another workspace’s',
    undefined,
    { type: 'refused', code: 'channel_not_found' },
    0,
  ],
])('a notice %s', async (_how, channel, result, posts) => {
  const postMessage = vi.fn(async () => ({ channel: 'C1', ts: '2.000002' }));
  const client = { chat: { postMessage } } as unknown as webApi.WebClient;
  const clients: Pick<SlackClients, 'forEffect'> = { forEffect: (_effect, act) => act(client) };
  const notifier = createNotifier({
    clients: clients as SlackClients,
    log: SILENT,
    settings: async () => ({}),
    directory: Object.assign(directoryOf(), { channelNow: async () => channel }) as unknown as SlackDirectory,
  });
  const notice = newSendingNotice({ type: 'sending_paused', ...PAUSED });
  expect(await notifier.post(notice, HELD)).toEqual(result);
  expect(postMessage).toHaveBeenCalledTimes(posts);
});
