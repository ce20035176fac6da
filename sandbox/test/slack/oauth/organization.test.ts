import { describe, expect } from 'vitest';
import { SEED_ENTERPRISE as INITECH } from '../../../slack/world/seed/enterprise.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openOAuthHarness } from '../../support/oauth-harness.ts';
import { actions, button, modal, payloadOf } from '../../support/slack-harness.ts';
import { testWith } from '../../support/test-with.ts';

const SUBSCRIPTIONS = ['message.channels', 'subteam_updated', 'app_uninstalled', 'tokens_revoked'];

/** Opens a harness with an organization in which the app is installed as a whole. */
async function orgWide() {
  const harness = await openOAuthHarness({ enterprise: true, subscriptions: SUBSCRIPTIONS });
  const scope =
    'commands,chat:write,users:read,im:write,channels:read,channels:history,channels:join,usergroups:read';
  const { access_token, bot_user_id } = await harness.exchange(
    harness.allow('ida', { team: INITECH.id, scope }),
  );
  const ask = (method: string, args: object = {}) => harness.call(method, args, access_token);
  return { ...harness, bot_user_id, ask, event: async () => (await harness.told(1))[0] };
}

const test = testWith(orgWide, ['ask', 'event', 'slack', 'bot']);

const names = (items: unknown) => (items as { name: string }[]).map(({ name }) => name);

describe('with the token of an organization', () => {
  test('auth.teams.list names its workspaces, page by page', async ({ ask }) => {
    const { teams, response_metadata } = await ask('auth.teams.list', { limit: 1 });
    expect(teams).toEqual([{ id: INITECH.support, name: 'Initech Support' }]);
    const rest = await ask('auth.teams.list', { cursor: response_metadata.next_cursor });
    expect(rest).toMatchObject({
      teams: [{ id: INITECH.returns, name: 'Initech Returns' }],
      response_metadata: { next_cursor: '' },
    });
  });

  test.for([
    ['users.list', {}],
    ['users.conversations', {}],
    ['usergroups.list', {}],
    ['usergroups.users.list', { usergroup: 'S0' }],
  ] as const)('%s needs the team_id of a workspace', async ([method, args], { ask }) => {
    expect((await ask(method, args)).error).toBe('missing_argument');
    expect((await ask(method, { ...args, team_id: SEED.team })).error).toBe('team_access_not_granted');
  });

  test('the bot has one user id in all workspaces, and a bot_id for each', async ({ ask, slack }) => {
    const { support, returns } = INITECH.channels;
    for (const channel of [support, support, returns]) {
      await ask('conversations.join', { channel });
      await ask('chat.postMessage', { channel, text: 'x' });
    }
    const posted = [...slack.messages(support), ...slack.messages(returns)].map(({ user, bot_id }) => ({
      user,
      bot_id,
    }));
    expect(posted).toEqual([posted[0], posted[0], { user: posted[0]?.user, bot_id: expect.any(String) }]);
    expect(posted[2]?.bot_id).not.toBe(posted[0]?.bot_id);
  });

  test('lists hold what is in that workspace', async ({ ask, slack }) => {
    slack.admin.addUserGroup({ team_id: INITECH.support, name: 'Agents', users: [INITECH.users.ivo] });
    const { usergroups } = await ask('usergroups.list', { team_id: INITECH.support });
    const [{ id: usergroup } = { id: '' }] = usergroups as { id: string }[];
    expect((await ask('usergroups.users.list', { usergroup, team_id: INITECH.support })).users).toEqual([
      INITECH.users.ivo,
    ]);
    expect((await ask('usergroups.users.list', { usergroup, team_id: INITECH.returns })).error).toBe(
      'no_such_subteam',
    );
    const members = names((await ask('users.list', { team_id: INITECH.support })).members);
    expect(members).toEqual(expect.arrayContaining(['ida', 'ivo']));
    expect(members).not.toContain('joy');
    const { channels } = await ask('users.conversations', {
      user: INITECH.users.joy,
      team_id: INITECH.returns,
    });
    expect(names(channels)).toEqual(['initech-returns']);
  });

  test('what has an id needs no team, in any workspace of the organization and in no other', async () => {
    const { ask, slack } = await orgWide();
    expect((await ask('users.info', { user: INITECH.users.joy })).user).toMatchObject({
      team_id: INITECH.returns,
    });
    expect((await ask('users.info', { user: SEED.users.ana })).error).toBe('user_not_found');
    expect((await ask('conversations.info', { channel: SEED.channels.support })).error).toBe(
      'channel_not_found',
    );
    await ask('conversations.join', { channel: INITECH.channels.returns });
    expect((await ask('chat.postMessage', { channel: INITECH.channels.returns, text: 'Hello' })).ok).toBe(
      true,
    );
    await ask('chat.postMessage', { channel: INITECH.users.joy, text: 'Hello Joy' });
    expect(slack.person('joy').directMessages()).toMatchObject([{ text: 'Hello Joy' }]);
  });
});

test('people of an organization have a role in it, and are no external users to each other', async () => {
  const { ask, call, slack } = await orgWide();
  slack.admin.invite(INITECH.channels.support, INITECH.users.joy);
  const { user } = await ask('users.info', { user: INITECH.users.ida });
  expect(user).toMatchObject({
    enterprise_user: { enterprise_id: INITECH.id, is_admin: true, teams: [INITECH.support] },
  });
  const { token } = slack.admin.install(INITECH.support);
  const joy = (await call('users.info', { user: INITECH.users.joy }, token)).user;
  expect(joy).toMatchObject({ team_id: INITECH.returns, enterprise_user: { is_admin: false } });
  expect(joy).not.toHaveProperty('is_stranger');
});

describe('a person in several workspaces of an organization', () => {
  /** Max is an admin of Returns, and a member of Support. */
  async function withMax() {
    const harness = await orgWide();
    const { admin } = harness.slack;
    const { id } = admin.addUser({
      team_id: INITECH.returns,
      name: 'max',
      role: 'admin',
      elsewhere: { [INITECH.support]: 'member' },
    });
    for (const channel of Object.values(INITECH.channels)) admin.invite(channel, id);
    const as = async (token: string) => (await harness.call('users.info', { user: id }, token)).user;
    return { ...harness, id, as, max: harness.slack.person('max') };
  }

  test('is listed in each, with all of them', async () => {
    const { ask } = await withMax();
    for (const team_id of [INITECH.support, INITECH.returns]) {
      const { members } = await ask('users.list', { team_id });
      expect(members.find(({ name }) => name === 'max')).toMatchObject({
        team_id: INITECH.returns,
        enterprise_user: { teams: [INITECH.returns, INITECH.support], is_admin: false, is_owner: false },
      });
    }
  });

  test('has the role of the workspace of a token; with the token of an organization, that of their own workspace', async () => {
    const { slack, as, ask, id } = await withMax();
    expect((await ask('users.info', { user: id })).user).toMatchObject({ is_admin: true });
    expect(await as(slack.admin.install(INITECH.support).token)).toMatchObject({ is_admin: false });
    expect(await as(slack.admin.install(INITECH.returns).token)).toMatchObject({ is_admin: true });
    slack.admin.setRole(id, 'owner', INITECH.support);
    expect(await as(slack.installation(INITECH.support).token)).toMatchObject({ is_owner: true });
    expect(await as(slack.installation(INITECH.returns).token)).toMatchObject({ is_owner: false });
  });

  test('acts in the workspace of the channel, and in a modal where it was opened', async () => {
    const { max, bot, ask } = await withMax();
    for (const [channel, team_id] of [
      ['#initech-support', INITECH.support],
      ['#initech-returns', INITECH.returns],
    ] as const) {
      await max.command('/countermand', { channel });
      expect(payloadOf(bot)).toMatchObject({ team_id });
      await ask('views.open', { trigger_id: payloadOf(bot).trigger_id, view: modal() });
      await max.submit({ order: 'A-1001', why: 'Late', where: channel });
      expect(payloadOf(bot)).toMatchObject({ user: { team_id }, view: { team_id } });
    }
  });
});

describe('what happens in an organization', () => {
  test('a command says in which workspace, and of which organization', async ({ slack, bot }) => {
    await slack.person('joy').command('/countermand help', { channel: '#initech-returns' });
    expect(payloadOf(bot)).toMatchObject({
      team_id: INITECH.returns,
      team_domain: 'initech-returns',
      enterprise_id: INITECH.id,
      enterprise_name: 'Initech',
      is_enterprise_install: 'true',
      user_id: INITECH.users.joy,
    });
  });

  test('an interaction has no team: its organization, and the person, say where', async () => {
    const { slack, bot, ask } = await orgWide();
    const joy = slack.person('joy');
    await joy.command('/countermand', { channel: '#initech-returns' });
    await ask('views.open', { trigger_id: payloadOf(bot).trigger_id, view: modal() });
    await joy.submit({ order: 'A-1001', why: 'Late', where: '#initech-returns' });
    expect(payloadOf(bot)).toMatchObject({
      type: 'view_submission',
      team: null,
      enterprise: { id: INITECH.id, name: 'Initech' },
      is_enterprise_install: true,
      user: { id: INITECH.users.joy, team_id: INITECH.returns },
      view: { team_id: INITECH.returns, app_installed_team_id: INITECH.id },
    });
  });

  test('a button in a message, and what is answered to it', async ({ slack, bot, ask }) => {
    const channel = INITECH.channels.support;
    await ask('conversations.join', { channel });
    const { ts } = await ask('chat.postMessage', { channel, text: 'Press', blocks: [actions(button('go'))] });
    await slack.person('ivo').click('go', { channel, ts });
    const payload = payloadOf(bot);
    expect(payload).toMatchObject({ team: null, user: { team_id: INITECH.support } });
    await fetch(payload.response_url, { method: 'POST', body: JSON.stringify({ text: 'Only for you' }) });
    expect(slack.person('ivo').ephemerals()).toMatchObject([{ text: 'Only for you' }]);
  });

  test('an event is for the organization, and says in which workspace', async () => {
    const { slack, ask, event, bot_user_id } = await orgWide();
    await ask('conversations.join', { channel: INITECH.channels.support });
    // Within the organization a channel is not shared externally.
    slack.admin.share(INITECH.channels.support, INITECH.returns);
    slack.person('ivo').say('Hello', { channel: '#initech-support' });
    const envelope = await event();
    expect(envelope).toMatchObject({
      is_ext_shared_channel: false,
      team_id: INITECH.support,
      enterprise_id: INITECH.id,
      context_team_id: null,
      context_enterprise_id: INITECH.id,
    });
    expect(envelope?.authorizations).toEqual([
      {
        enterprise_id: INITECH.id,
        team_id: null,
        user_id: bot_user_id,
        is_bot: true,
        is_enterprise_install: true,
      },
    ]);
  });

  test('the event of a changed user group names its workspace', async ({ slack, event }) => {
    const { id } = slack.admin.addUserGroup({ team_id: INITECH.returns, name: 'Agents' });
    slack.admin.setUserGroup(id, { deleted: true });
    expect(await event()).toMatchObject({ team_id: INITECH.returns, event: { subteam: { id } } });
  });

  test('uninstalling ends it everywhere', async ({ slack, ask, event }) => {
    slack.admin.uninstall(INITECH.id);
    expect((await ask('auth.test')).error).toBe('account_inactive');
    expect(await event()).toMatchObject({ team_id: INITECH.id, enterprise_id: INITECH.id });
    await expect(
      slack.person('ivo').command('/countermand', { channel: '#initech-support' }),
    ).rejects.toThrow('not installed at Initech Support');
  });
});

test('a workspace that installed for itself is served by its own installation', async () => {
  const { slack, bot, install } = await openOAuthHarness({ enterprise: true });
  await install('ida', INITECH.id);
  await install('jan', INITECH.returns);
  await slack.person('joy').shortcut('anything');
  expect(payloadOf(bot)).toMatchObject({
    team: { id: INITECH.returns, enterprise_id: INITECH.id },
    enterprise: { id: INITECH.id },
    is_enterprise_install: false,
  });
});
