import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import type { SlackClients } from '../../../src/slack/client/clients.ts';
import { createDirectory } from '../../../src/slack/directory/directory.ts';

test('people, groups and members are read for a decision with the client of its effect, which keeps to its claim', async () => {
  const client = {
    users: { info: async () => ({ user: { team_id: 'T1', real_name: 'Cara' } }) },
    usergroups: { users: { list: async () => ({ users: ['U1'] }) } },
    async *paginate() {
      yield { members: ['U1', 'U2'] };
    },
  } as unknown as webApi.WebClient;
  const clients: Pick<SlackClients, 'installation' | 'withToken'> = {
    installation: async (workspace) => ({ workspace, botToken: 'xoxb-1', botUserId: 'U0' }),
    withToken: () => expect.unreachable('the client for interactive calls was used'),
  };
  const directory = createDirectory(clients as SlackClients, () => 0, { checkScopes: () => [] });
  const now = directory.readNow(client);
  expect(await now.person('T1', 'U1')).toMatchObject({ name: 'Cara' });
  expect(await now.isInGroup('T1', 'S1', 'U1')).toBe(true);
  expect(await now.groupMembers('T1', 'S2')).toEqual(['U1']);
  expect(await now.isChannelMember('T1', 'C1', 'U2')).toBe(true);
  expect(await now.channelMembers('T1', 'C1')).toEqual(['U1', 'U2']);
});
