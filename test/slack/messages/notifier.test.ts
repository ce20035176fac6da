/** Notices are shown only where no other company reads them, whatever Slack says of the channel, and go to those who can act. */
import type { webApi } from '@slack/bolt';
import { expect, test, vi } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { FORGOTTEN, TERMINAL } from '../../../src/requests/model/audit-entry.ts';
import { newAdminsNotice, newSendingNotice } from '../../../src/requests/model/notices/notice.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import type { Channel } from '../../../src/requests/ports/ports.ts';
import type { SlackClients } from '../../../src/slack/client/clients.ts';
import type { SlackDirectory } from '../../../src/slack/directory/directory.ts';
import { createNotifier } from '../../../src/slack/messages/notifier.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { HELD, T0 } from '../../support/requests/records.ts';

const OPEN: Channel = { id: 'C1', isPrivate: true, isShared: false, isArchived: false, isMember: true };
const PAUSED = { workspace: 'T1', channel: 'C1', by: 'UOLGA', at: T0, pause: { by: 'UOLGA', at: T0 } };
const AT = { channel: 'C1', ts: '2.000002' };

/** @param channel the notifications channel as Slack shows it; undefined: it can't be seen */
function notifierOver(client: object, channel: Channel | undefined, settings: Settings = {}) {
  const clients: Pick<SlackClients, 'forEffect' | 'installation'> = {
    forEffect: (_effect, act) => act(client as webApi.WebClient),
    installation: async () => ({ workspace: 'T1', botToken: 'xoxb-1', botUserId: 'UBOT' }),
  };
  return createNotifier({
    clients: clients as SlackClients,
    log: SILENT,
    settings: async () => settings,
    directory: Object.assign(directoryOf(), { channelNow: async () => channel }) as unknown as SlackDirectory,
  });
}

test.each<[string, Channel | undefined, string | undefined]>([
  ['in a channel of this company', OPEN, undefined],
  ['not in a channel that was shared meanwhile', { ...OPEN, isShared: true }, 'channel_shared'],
  ['not in a channel that cannot be seen: it may be another workspace’s', undefined, 'channel_not_found'],
])('a notice is posted, and updated, %s', async (_where, channel, code) => {
  const [postMessage, update] = [vi.fn(async () => AT), vi.fn(async () => AT)];
  const notifier = notifierOver({ chat: { postMessage, update } }, channel);
  const notice = newSendingNotice({ type: 'sending_paused', ...PAUSED });
  const posted = { ...notice, delivery: { status: 'posted' as const, ...AT } };
  expect(await notifier.post(notice, HELD)).toEqual(
    code ? { type: 'refused', code } : { type: 'posted', ...AT },
  );
  // It stands, and may be seen again: it is not gone.
  expect(await notifier.update(posted, HELD)).toEqual(
    code ? { type: 'out_of_reach', code } : { type: 'posted' },
  );
  expect([postMessage, update].map(({ mock }) => mock.calls.length)).toEqual(code ? [0, 0] : [1, 1]);
});

test('admins who have set what is in force are told, though Slack lists more people than are read', async () => {
  const ADMINS = ['USETTER', 'UPAUSER', 'URESUMER'];
  const info = ({ user }: { user: string }) => ({
    user: { id: user, team_id: 'T1', is_admin: ADMINS.includes(user) },
  });
  const asked = vi.fn(async (args: { user: string }) => info(args));
  const client = {
    users: { info: asked },
    async *paginate() {
      yield { members: [{ id: 'UNOBODY', team_id: 'T1' }] };
    },
  };
  const paused = { by: 'UPAUSER', at: T0 };
  const settings: Settings = {
    policies: {
      cancel_order: { ...POLICY, setBy: 'USETTER' },
      send_offer: { ...POLICY, setBy: 'UFORMER' },
      cancel_offer: { ...POLICY, setBy: FORGOTTEN },
    },
    paused,
    resumed: { ...paused, by: 'URESUMER', pause: paused },
  };
  const limit = { made: 60, limit: 60, since: T0 };
  const notice = newAdminsNotice(
    { type: 'limit_met', workspace: 'T1', person: 'UANA', connectedBy: TERMINAL, ...limit },
    T0,
  );
  expect(await notifierOver(client, OPEN, settings).addressees(notice, HELD)).toEqual({
    type: 'found',
    people: ADMINS,
  });
  const people = asked.mock.calls.map(([{ user }]) => user);
  expect(people.toSorted()).toEqual([...ADMINS, 'UFORMER'].toSorted());
});
