import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness, SUPPORT, test } from '../../support/slack-harness.ts';

const { users, channels } = SEED;

describe('authentication', () => {
  test('auth.test says who the bot is', async ({ call, slack }) => {
    const { bot_id, bot_user_id } = slack.installation();
    expect(await call('auth.test')).toMatchObject({
      ok: true,
      url: 'https://acme-support.slack.test/',
      team: 'Acme Support',
      team_id: SEED.team,
      user_id: bot_user_id,
      bot_id,
    });
  });

  test('a call without a token, with an unknown, a revoked or an uninstalled one is refused', async () => {
    const { call, slack } = await openSlackHarness();
    expect((await call('auth.test', {}, '')).error).toBe('not_authed');
    expect((await call('auth.test', {}, 'xoxb-unknown')).error).toBe('invalid_auth');
    slack.admin.revokeToken(SEED.team);
    expect((await call('auth.test')).error).toBe('token_revoked');
    slack.admin.uninstall(SEED.team);
    expect((await call('auth.test')).error).toBe('account_inactive');
  });

  test('a missing scope is named', async ({ call, slack }) => {
    slack.admin.setScopes(SEED.team, ['commands', 'channels:read']);
    expect(await call('chat.postMessage', { channel: SUPPORT, text: 'Hello' })).toMatchObject({
      error: 'missing_scope',
      needed: 'chat:write',
      provided: 'commands,channels:read',
    });
    expect(await call('users.conversations', { types: 'private_channel' })).toMatchObject({
      needed: 'groups:read',
    });
  });

  test('every workspace grants what the app asks for', async () => {
    const { slack, call } = await openSlackHarness({ scopes: ['commands'] });
    expect(slack.admin.install(SEED.otherTeam).scopes).toEqual(['commands']);
    expect((await call('users.list')).error).toBe('missing_scope');
  });

  test('answers carry the granted and the accepted scopes', async ({ call }) => {
    const { response_metadata } = await call('users.list');
    expect(response_metadata).toMatchObject({ acceptedScopes: ['users:read'] });
    expect(response_metadata.scopes).toContain('chat:write');
  });
});

describe('the wire', () => {
  const raw = async (init: RequestInit, path = 'auth.test') => {
    const { slack } = await openSlackHarness();
    return (await fetch(slack.apiUrl + path, { method: 'POST', ...init })).json();
  };

  test('a body that is no form is refused', async () => {
    const json = { body: '{}', headers: { 'content-type': 'application/json' } };
    expect(await raw(json)).toEqual({ ok: false, error: 'invalid_post_type' });
  });

  test('an unknown method is refused as such', async () => {
    expect(await raw({}, 'chat.whisper')).toMatchObject({ error: 'unknown_method' });
  });

  test('a body over a megabyte is refused', async ({ slack }) => {
    const status = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST', body: 'a'.repeat(1_000_001) })
      .then((response) => response.status)
      .catch(() => 413);
    expect(status).toBe(413);
  });

  test('a hostile target leaves the server up', async ({ slack }) => {
    await fetch(`${new URL(slack.apiUrl).origin}//`).then((response) => expect(response.status).toBe(404));
    expect((await fetch(`${slack.apiUrl}auth.test`)).status).toBe(200);
  });
});

/** The arguments of a call that is not refused, besides the channel #support. */
const USUAL: Record<string, object> = {
  'chat.postMessage': { text: 'Hello' },
  'chat.postEphemeral': { text: 'Hello', user: users.ana },
  'conversations.open': { channel: undefined },
  'reactions.get': { channel: undefined },
};

test.for<[method: string, error: string, args: object]>([
  ['chat.postMessage', 'channel_not_found', { channel: 'C0NOWHERE1' }],
  ['chat.postMessage', 'channel_not_found', { channel: channels.supportLeads }],
  ['chat.postMessage', 'not_in_channel', { channel: channels.partners }],
  ['chat.postMessage', 'is_archived', { channel: channels.oldReturns }],
  ['chat.postMessage', 'no_text', { text: '' }],
  ['chat.postMessage', 'invalid_blocks_format', { blocks: 'not json' }],
  ['chat.postMessage', 'invalid_blocks', { blocks: [{ type: 'nonsense' }] }],
  ['chat.postMessage', 'invalid_metadata_format', { metadata: { event_type: 'x' } }],
  [
    'chat.postMessage',
    'invalid_metadata_format',
    { metadata: { event_type: 'request.made', event_payload: {} } },
  ],
  [
    'chat.postMessage',
    'metadata_too_large',
    { metadata: { event_type: 'x', event_payload: { a: 'a'.repeat(16_000) } } },
  ],
  ['chat.postEphemeral', 'user_not_in_channel', { user: users.dora }],
  ['chat.postEphemeral', 'not_in_channel', { channel: channels.partners }],
  ['conversations.join', 'is_archived', { channel: channels.oldReturns }],
  ['conversations.join', 'channel_not_found', { channel: channels.supportLeads }],
  ['conversations.open', 'users_list_not_supplied', {}],
  ['conversations.open', 'user_not_found', { users: 'U0NOBODY01' }],
  ['conversations.open', 'user_disabled', { users: users.dora }],
  ['conversations.open', 'method_not_supported_for_channel_type', { users: `${users.ana},${users.ben}` }],
  ['conversations.history', 'not_in_channel', { channel: channels.partners }],
  ['conversations.history', 'channel_not_found', { channel: channels.supportLeads }],
  ['conversations.history', 'invalid_ts_oldest', { oldest: 'yesterday' }],
  ['conversations.history', 'invalid_ts_latest', { latest: 'tomorrow' }],
  ['conversations.history', 'invalid_cursor', { cursor: 'nonsense' }],
  ['reactions.get', 'no_item_specified', {}],
  ['reactions.get', 'bad_timestamp', { channel: SUPPORT, timestamp: 'soon' }],
  ['reactions.get', 'message_not_found', { channel: SUPPORT, timestamp: '1.000001' }],
  ['reactions.get', 'channel_not_found', { channel: channels.supportLeads, timestamp: '1.000001' }],
  ['conversations.replies', 'thread_not_found', { ts: '1.000001' }],
])('%s is refused: %s', async ([method, error, args], { call }) => {
  expect((await call(method, { channel: SUPPORT, ...USUAL[method], ...args })).error).toBe(error);
});

test.each<[method: string, name: string, args?: object]>([
  ['conversations.info', 'channel'],
  ['conversations.members', 'channel'],
  ['conversations.join', 'channel'],
  ['conversations.history', 'channel'],
  ['conversations.replies', 'ts', { channel: SUPPORT }],
  ['chat.postMessage', 'channel', { text: 'Hello' }],
  ['chat.postEphemeral', 'user', { channel: SUPPORT, text: 'Hello' }],
  ['chat.update', 'ts', { channel: SUPPORT, text: 'Hello' }],
  ['users.info', 'user'],
  ['usergroups.users.list', 'usergroup'],
])(
  '%s without the argument %s is refused, and one that is empty names nothing',
  async (method, name, args = {}) => {
    const { call } = await openSlackHarness();
    const { error, response_metadata } = await call(method, args);
    expect({ error, response_metadata }).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: [`[ERROR] missing required field: ${name}`] },
    });
    expect((await call(method, { ...args, [name]: '' })).error).toMatch(/not_found|not_in_channel|no_such/);
  },
);

test('an argument that no method reads is refused, not ignored', async ({ post }) => {
  const messages = ['[ERROR] invalid additional property: reply_broadcast'];
  expect(await post({ reply_broadcast: true })).toMatchObject({
    error: 'invalid_arguments',
    response_metadata: { messages },
  });
});

test('faults of the Web API have Slack’s own answers', async ({ slack, call, post }) => {
  slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'error', code: 'restricted_action' } });
  expect((await post({})).error).toBe('restricted_action');
  slack.faults.schedule({ on: 'users.list', fault: { type: 'rate_limit', retryAfterSeconds: 9 } });
  await expect(call('users.list')).rejects.toThrow(/rate-limit|rate limit/i);
});
