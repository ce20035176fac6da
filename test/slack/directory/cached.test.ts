/** What the directory asks Slack again, and what it does not. */

import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import type { SlackClients } from '../../../src/slack/client/clients.ts';
import { createDirectory } from '../../../src/slack/directory/directory.ts';

/** A directory of T1. `asked`: the methods that Slack was asked. */
function directoryWith({ user, channel }: { user?: object | undefined; channel?: () => object }) {
  const state = { now: 0 };
  const asked: string[] = [];
  const refusal = (error: string) => new webApi.WebAPIPlatformError({ ok: false, error });
  const client = {
    users: {
      async info() {
        asked.push('users.info');
        if (user === undefined) throw refusal('user_not_found');
        return { user };
      },
    },
    conversations: {
      async info() {
        asked.push('conversations.info');
        return { channel: channel?.() };
      },
    },
  };
  const clients: Pick<SlackClients, 'installation' | 'withToken'> = {
    installation: async (workspace) => ({ workspace, botToken: 'xoxb-1', botUserId: 'U0' }),
    withToken: () => client as unknown as webApi.WebClient,
  };
  const directory = createDirectory(clients as SlackClients, () => state.now, { checkScopes: () => [] });
  return { directory, asked, state, refusal };
}

test.each([
  ['a member', { team_id: 'T1' }, 1],
  ['somebody of another company', { team_id: 'T9' }, 1],
  ['a bot', { team_id: 'T1', is_bot: true }, 1],
  ['a guest, whom an admin may make a member', { team_id: 'T1', is_restricted: true }, 3],
  ['somebody deactivated, who may come back', { team_id: 'T1', deleted: true }, 3],
  ['somebody unknown, who may only just have come', undefined, 3],
])('Slack is asked about a person who keeps trying, within a minute: %s', async (_who, user, times) => {
  const { directory, asked, state } = directoryWith({ user });
  for (let tries = 0; tries < 3; tries++) await directory.person('T1', 'U1');
  expect(asked).toHaveLength(times);
  state.now += 60_000;
  await directory.person('T1', 'U1');
  expect(asked).toHaveLength(times + 1);
});

test('what Slack last said of who has a channel is kept, also once the bot cannot see the channel', async () => {
  const says: { channel: () => object } = { channel: () => ({ shared_team_ids: ['T1', 'T2'] }) };
  const { directory, state, refusal } = directoryWith({ channel: () => says.channel() });
  expect(directory.lastTeamsWith('C1')).toEqual([]);
  await directory.teamsWith('T1', 'C1');
  says.channel = () => {
    throw refusal('channel_not_found');
  };
  state.now += 24 * 3_600_000;
  expect(await directory.teamsWith('T1', 'C1')).toEqual([]);
  expect(directory.lastTeamsWith('C1')).toEqual(['T1', 'T2']);
});
