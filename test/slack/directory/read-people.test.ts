import { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import {
  findChannel,
  findChannelMembers,
  findGroupUsers,
  findTeams,
  isMember,
  listGroups,
  type Reader,
  type SlackUser,
  toPerson,
} from '../../../src/slack/directory/read-people.ts';
import { withNames } from '../../../src/slack/messages/named-people.ts';

const INSTALLATION = { workspace: 'T1', organization: 'E1', scopes: [], botUserId: 'U0' };
const admin = (user: SlackUser, organization?: string) =>
  toPerson(user, 'U1', { ...INSTALLATION, organization } as never).isAdmin;
const own = (user: SlackUser) => toPerson(user, 'U1', INSTALLATION as never).ownTeam;

const MEMBER: SlackUser = { team_id: 'T1', is_admin: false, is_owner: false };
const OF_ORGANIZATION = { teams: ['T1', 'T2'], is_admin: false, is_owner: false };

describe('a person is an admin', () => {
  test.each<[string, SlackUser]>([
    ['an admin', { ...MEMBER, is_admin: true }],
    ['an owner', { ...MEMBER, is_owner: true }],
    ['the primary owner', { ...MEMBER, is_primary_owner: true }],
  ])(
    'with the token of the workspace, as %s of it; with that of an organization that does not tell where',
    (_who, user) => {
      const flagged = { ...user, enterprise_user: OF_ORGANIZATION };
      expect([admin(flagged), admin(flagged, 'E1')]).toEqual([true, false]);
    },
  );

  test.each<[string, SlackUser]>([
    ['an admin', { ...MEMBER, enterprise_user: { ...OF_ORGANIZATION, is_admin: true } }],
    ['an owner', { ...MEMBER, enterprise_user: { ...OF_ORGANIZATION, is_owner: true } }],
  ])(
    'with the token of an organization, as %s of it; with that of a workspace it is another role',
    (_who, user) => {
      expect([admin(user), admin(user, 'E1')]).toEqual([false, true]);
    },
  );

  test('never where Slack tells nothing', () => {
    expect([admin({}), admin({}, 'E1'), admin({ enterprise_user: {} }, 'E1')]).toEqual([false, false, false]);
  });
});

describe('the name of a person is', () => {
  const named = (user: SlackUser) => toPerson(user, 'U1', INSTALLATION as never).name;

  test.each(['', ' ', '\u200f', '\u3164', '\u2800', null as never])(
    'the first one of which something is seen, and not %j',
    (blank) => {
      expect(named({ profile: { real_name: blank, display_name: 'cara' }, real_name: blank })).toBe('cara');
    },
  );

  test('missing if it has only invisible characters: the person is then called "somebody"', async () => {
    const cara = toPerson({ profile: { real_name: '\u200f' } }, 'U1', INSTALLATION as never);
    const where = {
      client: {} as webApi.WebClient,
      directory: { person: async () => cara },
      workspace: 'T1',
    };
    const text = await withNames(where, ({ people }) => `Approved by ${people(['U1'])}.`, 'somebody');
    expect(text).toBe('Approved by somebody.');
  });
});

test('a name of a person is shown as it was typed: it becomes no mention', async () => {
  const cara = toPerson({ real_name: '<!channel> & Co' }, 'U1', INSTALLATION as never);
  const where = { client: {} as webApi.WebClient, directory: { person: async () => cara }, workspace: 'T1' };
  const text = await withNames(where, ({ people }) => people(['U1']));
  expect(text).toBe('&lt;!channel&gt; &amp; Co');
});

test('a name of a group is shown as it was typed: it becomes no mention', async () => {
  const usergroups = [{ id: 'S1', name: '<!channel> & Co' }];
  const client = {
    usergroups: { list: async () => ({ ok: true, usergroups }) },
  } as unknown as webApi.WebClient;
  const where = { client, directory: { person: async () => undefined }, workspace: 'T1' };
  const text = await withNames(where, ({ group }) => `Set to ${group('S1')}.`);
  expect(text).toBe('Set to the group &lt;!channel&gt; &amp; Co.');
});

describe('a person belongs to the workspace', () => {
  test.each<[string, SlackUser, boolean]>([
    ['if Slack names it as theirs', { team_id: 'T1' }, true],
    [
      'if it is one of theirs in the organization',
      { team_id: 'T2', enterprise_user: { teams: ['T1'] } },
      true,
    ],
    ['but not if Slack names another one', { team_id: 'T2', enterprise_user: { teams: ['T3'] } }, false],
    ['but not if Slack names none', {}, false],
    ['but not as a stranger, whatever team Slack names', { team_id: 'T1', is_stranger: true }, false],
    [
      'but not as a stranger, whatever teams they have',
      { team_id: 'T2', enterprise_user: { teams: ['T1'] }, is_stranger: true },
      false,
    ],
    ['and if Slack says that they are no stranger', { team_id: 'T1', is_stranger: false }, true],
  ])('%s', (_which, user, expected) => {
    expect(own(user)).toBe(expected);
  });
});

test.each<[string, SlackUser, object]>([
  ['a bot', { is_bot: true }, { isBot: true, isDeactivated: false, isGuest: false }],
  ['deactivated', { deleted: true }, { isBot: false, isDeactivated: true, isGuest: false }],
  ['a guest', { is_restricted: true }, { isBot: false, isDeactivated: false, isGuest: true }],
  [
    'a guest of one channel',
    { is_ultra_restricted: true },
    { isBot: false, isDeactivated: false, isGuest: true },
  ],
])('a person who is %s is known as such', (_what, user, expected) => {
  expect(toPerson({ ...MEMBER, ...user }, 'U1', INSTALLATION as never)).toMatchObject(expected);
});

test.each([
  ['with another company', { is_ext_shared: true }, true],
  ['with another company once that accepts', { is_pending_ext_shared: true }, true],
  ['with other workspaces of the organization', { is_org_shared: true }, false],
])('a channel that is shared %s counts as shared: %o, %s', async (_how, flags, isShared) => {
  const channel = { context_team_id: 'T1', ...flags };
  const client = { conversations: { info: async () => ({ channel }) } };
  const reader = { client, installation: INSTALLATION } as unknown as Reader;
  expect(await findChannel(reader, 'C1')).toMatchObject({ isShared });
});

const MEMBERS_UNREAD = new webApi.WebAPIPlatformError({ ok: false, error: 'fetch_members_failed' });

describe('the token of an organization', () => {
  /** Refuses a call that does not name the workspace, as Slack does. */
  const named = ({ team_id }: { team_id?: string }) => {
    if (team_id !== 'T1') throw new webApi.WebAPIPlatformError({ ok: false, error: 'missing_argument' });
  };
  const client = {
    usergroups: {
      list: async (asked: object) => {
        named(asked);
        return { usergroups: [{ id: 'S1' }] };
      },
      users: {
        list: async (asked: object) => {
          named(asked);
          return { users: ['U1'] };
        },
      },
    },
    async *paginate(method: string, asked: object) {
      if (method === 'conversations.members') throw MEMBERS_UNREAD;
      named(asked);
      yield { channels: [{ id: 'C1' }] };
    },
  };
  const reader = { client, installation: INSTALLATION } as unknown as Reader;

  test('reads groups, and the channels of a person, of the workspace that it names', async () => {
    expect(await listGroups(reader.client, 'T1')).toEqual([{ id: 'S1' }]);
    expect(await findGroupUsers(reader, 'S1')).toEqual(['U1']);
    expect(await isMember(reader, 'C1', 'U1')).toBe(true);
  });
});

test('a workspace has no groups if its plan has none, and not if Slack does not list them', async () => {
  const refusing = (error: string) => {
    const list = () => Promise.reject(new webApi.WebAPIPlatformError({ ok: false, error }));
    return { usergroups: { list } } as unknown as webApi.WebClient;
  };
  expect(await listGroups(refusing('plan_upgrade_required'), 'T1')).toEqual([]);
  await expect(listGroups(refusing('internal_error'), 'T1')).rejects.toThrow('internal_error');
});

test('the members of a channel are read on where Slack gives a short page', async () => {
  const pages = [{ members: ['U1'] }, { members: [] }, { members: ['U2', 'U3'] }];
  const client = { paginate: () => pages };
  const reader = { client, installation: INSTALLATION } as unknown as Reader;
  expect(await findChannelMembers(reader, 'C1')).toEqual(['U1', 'U2', 'U3']);
});

test('a channel is also that of its host, and of the workspace in which it was made, whether or not Slack lists these', async () => {
  const channel = { shared_team_ids: ['T1', 'E9'], context_team_id: 'T2', conversation_host_id: 'T3' };
  const client = { conversations: { info: async () => ({ channel }) } };
  const reader = { client, installation: INSTALLATION } as unknown as Reader;
  expect(await findTeams(reader, 'C1')).toEqual(['T1', 'E9', 'T2', 'T3']);
});

describe('where Slack refuses to tell of a channel for want of a scope', () => {
  const teams = (needed: string, provided: string) => {
    const answer = { ok: false, error: 'missing_scope', needed, provided };
    const refused = new webApi.WebAPIPlatformError(answer);
    const client = { conversations: { info: () => Promise.reject(refused) } };
    return findTeams({ client, installation: INSTALLATION } as unknown as Reader, 'D1');
  };

  test('that the bot does not request, as for direct messages, nobody else has the channel', async () => {
    expect(await teams('im:read', 'channels:read,groups:read')).toEqual([]);
    expect(await teams('channels:read,groups:read,im:read,mpim:read', 'channels:read,groups:read')).toEqual(
      [],
    );
  });

  test('that the bot requests, it is not known who else has the channel', async () => {
    await expect(teams('groups:read', 'channels:read')).rejects.toThrow('missing_scope');
  });
});

describe('whether somebody is a member of a channel', () => {
  /** Slack lists these channels of the person. */
  const answering = (error: string, theirs: string[] = []) => {
    const client = {
      paginate(method: string) {
        if (method === 'users.conversations') return [{ channels: theirs.map((id) => ({ id })) }];
        throw new webApi.WebAPIPlatformError({ ok: false, error });
      },
    };
    return isMember({ client, installation: INSTALLATION } as unknown as Reader, 'C1', 'U1');
  };

  test('is denied of a channel that cannot be seen', async () => {
    expect(await answering('channel_not_found', ['C1'])).toBe(false);
  });

  test('is known only from their own channels while its members cannot be read', async () => {
    expect(await answering('fetch_members_failed', ['C1'])).toBe(true);
    await expect(answering('fetch_members_failed', ['C2'])).rejects.toThrow('fetch_members_failed');
    await expect(answering('internal_error', ['C1'])).rejects.toThrow('internal_error');
  });
});
