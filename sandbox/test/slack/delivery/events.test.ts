import { describe, expect } from 'vitest';
import type { Slack } from '../../../slack/start.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness, SUPPORT } from '../../support/slack-harness.ts';
import { testWith } from '../../support/test-with.ts';

const { users, channels, team, otherTeam } = SEED;
const { approvers } = SEED.groups;

const test = testWith(
  () => openSlackHarness({ subscriptions: ['message.channels'] }),
  ['slack', 'bot', 'call', 'post', 'told'],
);

test('an event comes in an envelope that says for whom it is', async ({ slack, told }) => {
  const { ts } = slack.person('ana').say('Hello', { channel: '#support' });
  const [envelope] = await told(1);
  expect(envelope).toMatchObject({
    type: 'event_callback',
    team_id: team,
    context_team_id: team,
    api_app_id: slack.installation().app_id,
    event_id: expect.stringMatching(/^Ev/),
    event_time: expect.any(Number),
    authorizations: [{ team_id: team, user_id: slack.installation().bot_user_id, is_bot: true }],
    is_ext_shared_channel: false,
    event: { type: 'message', channel: SUPPORT, channel_type: 'channel', user: users.ana, text: 'Hello', ts },
  });
});

test('the app gets only subscribed events, from channels that its bot is in', async ({ slack, told }) => {
  slack.person('ana').say('Elsewhere', { channel: '#partners' });
  slack.admin.archive(channels.partners);
  slack.person('ana').say('Here', { channel: '#support' });
  expect(await told(1)).toMatchObject([{ event: { text: 'Here' } }]);
  expect(slack.events.list()).toHaveLength(1);
});

test('edits and deletions are events of their own', async ({ post, call, told }) => {
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

test.for<[string, (slack: Slack) => unknown, object]>([
  ['member_joined_channel', ({ admin }) => admin.invite(SUPPORT, users.dora), { user: users.dora }],
  [
    'member_left_channel',
    ({ admin }) => admin.kick(SUPPORT, users.ben),
    { user: users.ben, channel: SUPPORT, team },
  ],
  [
    'subteam_members_changed',
    ({ admin }) => admin.setUserGroup(approvers, { users: [users.cara, users.ben] }),
    { subteam_id: approvers, team_id: team, added_users: [users.ben], removed_users: [users.dev] },
  ],
  [
    'subteam_updated',
    ({ admin }) => admin.setUserGroup(approvers, { deleted: true }),
    { subteam: { id: approvers, team_id: team, users: [users.cara, users.dev], date_delete: 1 } },
  ],
  ['channel_left', ({ admin, installation }) => admin.kick(SUPPORT, installation().bot_user_id), {}],
  ['channel_archive', ({ admin }) => admin.archive(SUPPORT), { channel: SUPPORT }],
  ['channel_unarchive', ({ admin }) => admin.unarchive(SUPPORT), { channel: SUPPORT }],
  [
    'channel_shared',
    ({ admin }) => admin.share(SUPPORT, otherTeam),
    { channel: SUPPORT, connected_team_id: otherTeam },
  ],
  ['app_uninstalled', ({ admin }) => admin.uninstall(team), {}],
  ['tokens_revoked', ({ admin }) => admin.revokeToken(team), { tokens: { oauth: [] } }],
])('%s', async ([type, happen, expected]) => {
  const { slack, told } = await openSlackHarness({ subscriptions: [type] });
  happen(slack);
  expect(await told(1)).toMatchObject([{ event: { type, ...expected } }]);
});

describe('an event that is not acknowledged', () => {
  test('comes three times more, and says why', async ({ slack, bot }) => {
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

  test.each([
    ['in time', 'hang', 'timeout', 'http_timeout'],
    ['before the connection is lost', 'drop', 'connection_lost', 'connection_failed'],
    ['with a whole answer', 'cut', 'connection_lost', 'connection_failed'],
  ] as const)('%s is tried again at once', async (_, how, ended, reason) => {
    const ackTimeoutMs = how === 'hang' ? 200 : 3_000;
    const { slack, bot } = await openSlackHarness({ subscriptions: ['message.channels'], ackTimeoutMs });
    bot.answer(() => (bot.received.length === 1 ? how : {}));
    slack.person('ana').say('Hello', { channel: '#support' });
    const [delivery] = slack.events.list();
    await delivery?.settled;
    expect(delivery?.attempts[0]).toBe(ended);
    expect(bot.received[1]?.headers['x-slack-retry-reason']).toBe(reason);
  });
});

test('an event can be delivered again by hand, after it was acknowledged', async ({ slack, told, bot }) => {
  slack.person('ana').say('Hello', { channel: '#support' });
  const [first] = await told(1);
  await slack.events.redeliver(first?.event_id ?? '').settled;
  const [, second] = await told(2);
  expect(second).toEqual(first);
  expect(bot.received[1]?.headers['x-slack-retry-num']).toBe('1');
});
