import { describe, expect } from 'vitest';
import { SEED_ENTERPRISE } from '../../../slack/world/seed/enterprise.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness, SUPPORT, test } from '../../support/slack-harness.ts';

const { channels, users } = SEED;

describe('conversations.info', () => {
  test('shows membership, archiving and other companies', async ({ call }) => {
    const info = async (channel: string) => (await call('conversations.info', { channel })).channel;
    expect(await info(SUPPORT)).toMatchObject({ name: 'support', is_member: true, is_ext_shared: false });
    expect(await info(channels.oldReturns)).toMatchObject({ is_archived: true, is_member: false });
    expect(await info(channels.partners)).toMatchObject({
      is_ext_shared: true,
      connected_team_ids: [SEED.otherTeam],
    });
  });

  test('shows who has a shared channel, and who hosts it', async () => {
    const { call, slack } = await openSlackHarness({ enterprise: true });
    const { id, support, returns, channels: theirs } = SEED_ENTERPRISE;
    slack.admin.install(id);
    const info = async () =>
      (await call('conversations.info', { channel: theirs.support }, slack.installation(id).token)).channel;
    expect(await info()).toMatchObject({
      is_shared: false,
      is_org_shared: false,
      is_ext_shared: false,
      context_team_id: support,
      shared_team_ids: [support],
    });
    slack.admin.share(theirs.support, returns);
    const withinOne = { is_shared: true, is_org_shared: true, conversation_host_id: support };
    expect(await info()).toMatchObject({ ...withinOne, is_ext_shared: false });
    slack.admin.share(theirs.support, SEED.team);
    expect(await info()).toMatchObject({
      ...withinOne,
      is_ext_shared: true,
      connected_team_ids: [SEED.team],
      shared_team_ids: [support, returns, SEED.team],
    });
  });

  test('a private channel is known once the bot is in it, and needs its own scope', async () => {
    const { call, slack } = await openSlackHarness();
    const info = () => call('conversations.info', { channel: channels.supportLeads });
    expect((await info()).error).toBe('channel_not_found');
    slack.admin.invite(channels.supportLeads, slack.installation().bot_user_id);
    expect((await info()).channel).toMatchObject({ is_private: true, is_member: true });
    slack.admin.setScopes(SEED.team, ['channels:read']);
    expect(await info()).toMatchObject({ error: 'missing_scope', needed: 'groups:read' });
  });
});

describe('conversations.join', () => {
  test('joins a public channel, and may be repeated', async ({ call }) => {
    const join = () => call('conversations.join', { channel: channels.partners });
    expect((await join()).channel).toMatchObject({ is_member: true });
    expect((await join()).channel).toMatchObject({ is_member: true });
  });

  test('a private channel that the bot is in cannot be joined', async ({ call, slack }) => {
    slack.admin.invite(channels.supportLeads, slack.installation().bot_user_id);
    const { error } = await call('conversations.join', { channel: channels.supportLeads });
    expect(error).toBe('method_not_supported_for_channel_type');
  });
});

describe('conversations.open', () => {
  test('opens one direct message, once', async ({ call }) => {
    const { channel } = await call('conversations.open', { users: users.ana });
    expect(channel.id).toMatch(/^D/);
    expect((await call('conversations.open', { users: users.ana })).channel).toEqual({ id: channel.id });
  });
});

describe('users.conversations and conversations.members', () => {
  test('lists the channels of a person that the bot can see, page by page', async ({ call }) => {
    const asked = { user: users.olga, types: 'public_channel,private_channel', limit: 2 };
    const first = await call('users.conversations', asked);
    const cursor = first.response_metadata.next_cursor;
    const second = await call('users.conversations', { ...asked, cursor });
    const names = [...first.channels, ...second.channels].map(({ name }) => name);
    expect(names).toEqual(['support', 'approvals', 'partners']);
    expect(second.response_metadata.next_cursor).toBe('');
  });

  test.each(['telegram', 'constructor'])('refuses the unknown type %s', async (types) => {
    const { call } = await openSlackHarness();
    expect((await call('users.conversations', { types })).error).toBe('invalid_types');
  });

  test('members are listed by id, those of other companies included', async ({ call }) => {
    const { members } = await call('conversations.members', { channel: channels.partners });
    expect(new Set(members as string[])).toEqual(new Set([users.ana, users.ben, users.olga, users.gus]));
    expect(members).toEqual([...(members as string[])].sort());
  });

  test('no member is skipped when another one leaves between two pages', async ({ call, slack }) => {
    const all = (await call('conversations.members', { channel: SUPPORT })).members as string[];
    const page = await call('conversations.members', { channel: SUPPORT, limit: 1 });
    slack.admin.kick(SUPPORT, all[1] ?? '');
    const { next_cursor: cursor } = page.response_metadata as { next_cursor: string };
    const rest = await call('conversations.members', { channel: SUPPORT, cursor });
    expect([...(page.members as string[]), ...(rest.members as string[])]).toEqual([all[0], ...all.slice(2)]);
  });
});

describe('conversations.history', () => {
  test('gives the newest first, without replies, and metadata only on request', async ({ call, post }) => {
    const metadata = { event_type: 'request', event_payload: { id: 'r1' } };
    const { ts } = await post({ text: 'One', metadata });
    await post({ text: 'Reply', thread_ts: ts });
    await post({ text: 'Two' });
    const history = (args = {}) => call('conversations.history', { channel: SUPPORT, ...args });
    const { messages } = await history();
    expect(messages.map(({ text }) => text)).toEqual(['Two', 'One']);
    expect(messages[1]).toMatchObject({ thread_ts: ts, reply_count: 1 });
    expect(messages[1]).not.toHaveProperty('metadata');
    expect((await history({ include_all_metadata: true })).messages[1]?.metadata).toEqual(metadata);
  });

  test('is bounded by time and by pages', async ({ call, post }) => {
    const all: string[] = [];
    for (const text of ['a', 'b', 'c', 'd']) all.push((await post({ text })).ts);
    const history = (args: object) => call('conversations.history', { channel: SUPPORT, ...args });
    const texts = async (args: object) => (await history(args)).messages.map(({ text }) => text).join('');
    expect(await texts({ oldest: all[1], latest: all[3] })).toBe('c');
    expect(await texts({ oldest: all[1], limit: 1 })).toBe('d');
    expect(await texts({ oldest: '5', latest: '9999999999' })).toBe('dcba');
    const page = await history({ limit: 3 });
    expect(page.has_more).toBe(true);
    expect(await texts({ limit: 3, cursor: page.response_metadata.next_cursor })).toBe('a');
  });

  test.each([
    ['an earlier message', 3, 'ba'],
    ['the next message', 1, 'a'],
  ])('leaves no other message out where %s is deleted between two pages', async (_, deleted, rest) => {
    const { call, post } = await openSlackHarness();
    const all: string[] = [];
    for (const text of ['a', 'b', 'c', 'd']) all.push((await post({ text })).ts);
    const page = await call('conversations.history', { channel: SUPPORT, limit: 2 });
    await call('chat.delete', { channel: SUPPORT, ts: all[deleted] });
    const { next_cursor: cursor } = page.response_metadata;
    const next = await call('conversations.history', { channel: SUPPORT, limit: 2, cursor });
    expect(next.messages.map(({ text }) => text).join('')).toBe(rest);
  });
});

describe('conversations.replies', () => {
  test('gives the thread, oldest first, with its parent on every page', async ({ call, post }) => {
    const { ts } = await post({ text: 'Parent' });
    for (const text of ['a', 'b']) await post({ text, thread_ts: ts });
    const replies = (args = {}) => call('conversations.replies', { channel: SUPPORT, ts, ...args });
    const first = await replies({ limit: 1 });
    expect(first.messages.map(({ text }) => text)).toEqual(['Parent', 'a']);
    const second = await replies({ limit: 1, cursor: first.response_metadata.next_cursor });
    expect(second.messages.map(({ text }) => text)).toEqual(['Parent', 'b']);
  });
});
