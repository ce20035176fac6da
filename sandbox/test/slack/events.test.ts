import { describe, expect, test } from 'vitest';
import { SEED } from '../../slack/world/seed/seed.ts';
import { openSlackDesk, SUPPORT } from '../support/slack-desk.ts';

const { users, channels } = SEED;

/** A desk whose app subscribed to events, and what it was told. */
async function listening(...subscriptions: string[]) {
  const desk = await openSlackDesk({ subscriptions });
  const told = async (count: number) => (await desk.bot.count(count)).map(({ body }) => JSON.parse(body));
  return { ...desk, told };
}

test('an event comes in an envelope that says for whom it is', async () => {
  const { slack, told } = await listening('message.channels');
  const { ts } = slack.person('ana').say('Hello', { channel: '#support' });
  const [envelope] = await told(1);
  expect(envelope).toMatchObject({
    type: 'event_callback',
    team_id: SEED.team,
    context_team_id: SEED.team,
    api_app_id: slack.installation().app_id,
    event_id: expect.stringMatching(/^Ev/),
    event_time: expect.any(Number),
    authorizations: [{ team_id: SEED.team, user_id: slack.installation().bot_user_id, is_bot: true }],
    is_ext_shared_channel: false,
    event: { type: 'message', channel: SUPPORT, channel_type: 'channel', user: users.ana, text: 'Hello', ts },
  });
});

test('the app hears only of what it subscribed to, where its bot is', async () => {
  const { slack, told } = await listening('message.channels');
  slack.person('ana').say('Elsewhere', { channel: '#partners' });
  slack.admin.archive(channels.partners);
  slack.person('ana').say('Here', { channel: '#support' });
  expect(await told(1)).toMatchObject([{ event: { text: 'Here' } }]);
  expect(slack.events.list()).toHaveLength(1);
});

test('edits and deletions are events of their own', async () => {
  const { post, call, told } = await listening('message.channels');
  const { ts } = await post({ text: 'One' });
  await call('chat.update', { channel: SUPPORT, ts, text: 'Two' });
  await call('chat.delete', { channel: SUPPORT, ts });
  const events = (await told(3)).map(({ event }) => event);
  expect(events).toContainEqual(
    expect.objectContaining({
      subtype: 'message_changed',
      message: expect.objectContaining({ text: 'Two' }),
    }),
  );
  expect(events).toContainEqual(expect.objectContaining({ subtype: 'message_deleted', deleted_ts: ts }));
});

test.each([
  [
    'member_joined_channel',
    (desk: Desk) => desk.slack.admin.invite(SUPPORT, users.dora),
    { user: users.dora },
  ],
  [
    'member_left_channel',
    (desk: Desk) => desk.slack.admin.kick(SUPPORT, users.ben),
    { user: users.ben, channel: SUPPORT, team: SEED.team },
  ],
  [
    'subteam_members_changed',
    (desk: Desk) => desk.slack.admin.setUserGroup(SEED.groups.approvers, { users: [users.cara, users.ben] }),
    {
      subteam_id: SEED.groups.approvers,
      team_id: SEED.team,
      added_users: [users.ben],
      removed_users: [users.dev],
    },
  ],
  [
    'subteam_updated',
    (desk: Desk) => desk.slack.admin.setUserGroup(SEED.groups.approvers, { deleted: true }),
    {
      subteam: {
        id: SEED.groups.approvers,
        team_id: SEED.team,
        users: [users.cara, users.dev],
        date_delete: 1,
      },
    },
  ],
  ['channel_left', (desk: Desk) => desk.slack.admin.kick(SUPPORT, desk.slack.installation().bot_user_id), {}],
  ['channel_archive', (desk: Desk) => desk.slack.admin.archive(SUPPORT), { channel: SUPPORT }],
  [
    'channel_shared',
    (desk: Desk) => desk.slack.admin.share(SUPPORT, SEED.otherTeam),
    { channel: SUPPORT, connected_team_id: SEED.otherTeam },
  ],
  [
    'user_change',
    (desk: Desk) => desk.slack.admin.deactivate(users.ben),
    { user: { id: users.ben, deleted: true } },
  ],
  ['app_uninstalled', (desk: Desk) => desk.slack.admin.uninstall(SEED.team), {}],
  ['tokens_revoked', (desk: Desk) => desk.slack.admin.revokeToken(SEED.team), { tokens: { oauth: [] } }],
])('%s', async (type, happen, expected) => {
  const desk = await listening(type);
  happen(desk);
  expect(await desk.told(1)).toMatchObject([{ event: { type, ...expected } }]);
});

type Desk = Awaited<ReturnType<typeof listening>>;

describe('an event that is not acknowledged', () => {
  test('comes three times more, and says why', async () => {
    const { slack, bot } = await listening('message.channels');
    bot.answer(() => ({ status: 500 }));
    slack.person('ana').say('Hello', { channel: '#support' });
    const [delivery] = slack.events.list();
    await delivery?.settled;
    expect(delivery).toMatchObject({ state: 'given_up', attempts: [500, 500, 500, 500] });
    expect(bot.received.map(({ headers }) => headers['x-slack-retry-num'])).toEqual([
      undefined,
      '1',
      '2',
      '3',
    ]);
    expect(bot.received[1]?.headers['x-slack-retry-reason']).toBe('http_error');
    expect(new Set(bot.received.map(({ body }) => body)).size).toBe(1);
  });

  test('in time is tried again at once', async () => {
    const { slack, bot } = await openSlackDesk({ subscriptions: ['message.channels'], ackTimeoutMs: 200 });
    bot.answer(() => (bot.received.length === 1 ? 'hang' : {}));
    slack.person('ana').say('Hello', { channel: '#support' });
    const [delivery] = slack.events.list();
    await delivery?.settled;
    expect(delivery?.attempts[0]).toBe('timeout');
    expect(bot.received[1]?.headers['x-slack-retry-reason']).toBe('http_timeout');
  });
});

test('an event can be delivered again by hand, after it was acknowledged', async () => {
  const { slack, told, bot } = await listening('message.channels');
  slack.person('ana').say('Hello', { channel: '#support' });
  const [first] = await told(1);
  await slack.events.redeliver(first.event_id).settled;
  const [, second] = await told(2);
  expect(second).toEqual(first);
  expect(bot.received[1]?.headers['x-slack-retry-num']).toBe('1');
});

test.each([
  ['back', (challenge: string) => ({ body: { challenge } }), true],
  ['nothing', () => ({}), false],
])('a request URL is verified by a challenge; the app sends %s', async (_, answer, expected) => {
  const { slack, bot } = await openSlackDesk();
  bot.answer(({ body }) => answer(JSON.parse(body).challenge));
  expect(await slack.verifyRequestUrl()).toBe(expected);
});
