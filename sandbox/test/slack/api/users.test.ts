import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness, SUPPORT, test } from '../../support/slack-harness.ts';

const { users, groups } = SEED;

describe('users', () => {
  test.for([
    ['ana', { is_admin: false, is_restricted: false, team_id: SEED.team }],
    ['olga', { is_admin: true, is_owner: false }],
    ['oscar', { is_admin: true, is_owner: true }],
    ['gina', { is_restricted: true, is_ultra_restricted: false }],
    ['sid', { is_restricted: true, is_ultra_restricted: true }],
    ['dora', { deleted: true }],
    ['gus', { team_id: SEED.otherTeam }],
  ] as const)('users.info shows what %s is', async ([name, expected], { call }) => {
    expect((await call('users.info', { user: users[name] })).user).toMatchObject({ name, ...expected });
  });

  test('people of another company are external users while they share no channel with the workspace', async () => {
    const { call, slack } = await openSlackHarness();
    const { id } = slack.admin.addUser({ team_id: SEED.otherTeam, name: 'hank' });
    const info = async (user: string) => (await call('users.info', { user })).user;
    expect(await info(id)).toMatchObject({ name: 'hank', is_stranger: true });
    slack.admin.invite(SEED.channels.partners, id);
    expect(await info(id)).not.toHaveProperty('is_stranger');
    expect(await info(users.gus)).not.toHaveProperty('is_stranger');
  });

  test('people of a company that shares no channel with this one are not found', async ({ call, slack }) => {
    const { team, people } = slack.admin.addWorkspace({ name: 'Umbrella', people: [{ name: 'uma' }] });
    const user = people[0]?.id;
    expect((await call('users.info', { user })).error).toBe('user_not_found');
    expect((await call('users.info', { user: 'U0NOBODY01' })).error).toBe('user_not_found');
    slack.admin.share(SUPPORT, team.id);
    expect((await call('users.info', { user })).user).toMatchObject({ is_stranger: true });
  });

  test('roles change, and accounts are deactivated', async ({ call, slack }) => {
    slack.admin.setRole(users.ana, 'admin');
    slack.admin.deactivate(users.ben);
    const { members } = await call('users.list');
    expect(members).toContainEqual(expect.objectContaining({ name: 'ana', is_admin: true }));
    expect(members).toContainEqual(expect.objectContaining({ name: 'ben', deleted: true }));
  });
});

describe('user groups', () => {
  test('are listed, and their users', async ({ call }) => {
    const { usergroups } = await call('usergroups.list');
    expect(usergroups).toMatchObject([{ id: groups.agents, handle: 'agents' }, { id: groups.approvers }]);
    expect((await call('usergroups.users.list', { usergroup: groups.approvers })).users).toEqual([
      users.cara,
      users.dev,
    ]);
  });

  test('that are gone, disabled or of another workspace are not found', async ({ call, slack }) => {
    const list = (usergroup: string) => call('usergroups.users.list', { usergroup });
    const foreign = slack.admin.addUserGroup({ team_id: SEED.otherTeam, name: 'Theirs' });
    slack.admin.setUserGroup(groups.agents, { deleted: true });
    for (const id of ['S0NOTHING1', groups.agents, foreign.id]) {
      expect((await list(id)).error).toBe('no_such_subteam');
    }
  });
});
