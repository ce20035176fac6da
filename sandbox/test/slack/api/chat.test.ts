import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { actions, button, openSlackHarness, SUPPORT, section, test } from '../../support/slack-harness.ts';

const { users } = SEED;

describe('chat.postMessage', () => {
  test('posts, and answers with the message as Slack keeps it', async ({ post, slack }) => {
    const metadata = { event_type: 'request', event_payload: { id: 'r1' } };
    const { ok, channel, ts, message } = await post({
      text: 'A card',
      blocks: [section('*A card*')],
      metadata,
    });
    expect({ ok, channel }).toEqual({ ok: true, channel: SUPPORT });
    expect(ts).toMatch(/^\d{10}\.\d{6}$/);
    expect(message).toMatchObject({
      type: 'message',
      ts,
      text: 'A card',
      user: slack.installation().bot_user_id,
      bot_id: slack.installation().bot_id,
      blocks: [{ type: 'section', block_id: expect.any(String), text: { verbatim: false } }],
      metadata,
    });
  });

  test('timestamps strictly increase', async () => {
    const { post } = await openSlackHarness({ now: () => 1_700_000_000_000 });
    const all = await Promise.all([1, 2, 3].map(() => post({})));
    const times = all.map(({ ts }) => ts);
    expect(times).toEqual([...new Set(times)].sort());
  });

  test('cuts what is longer than 40,000 characters', async ({ post, slack }) => {
    expect((await post({ text: 'a'.repeat(40_001) })).ok).toBe(true);
    expect(slack.messages('#support').map(({ text }) => text.length)).toEqual([40_000]);
  });

  test('is refused in direct messages, and nowhere else, while the messages tab of the app is off', async () => {
    const { call, post, slack } = await openSlackHarness({ messagesTab: false });
    const opened = await call('conversations.open', { users: users.ana });
    expect(opened.ok).toBe(true);
    for (const channel of [opened.channel.id, users.ana])
      expect((await post({ channel })).error).toBe('messages_tab_disabled');
    expect((await post({})).ok).toBe(true);
    slack.admin.setApp({ messagesTab: true });
    expect((await post({ channel: users.ana })).ok).toBe(true);
  });

  test('a user id, even of somebody deactivated, stands for the direct message, which only they see', async ({
    post,
    slack,
  }) => {
    const { channel } = await post({ channel: users.ana, text: 'For you' });
    expect(channel).toMatch(/^D/);
    expect(slack.person('ana').directMessages()).toMatchObject([{ text: 'For you' }]);
    expect(() => slack.person('ben').messages(channel)).toThrow('does not see');
    expect((await post({ channel: users.dora })).ok).toBe(true);
  });
});

describe('a reply', () => {
  test('to a parent that was deleted is posted to the channel, and only the answer shows it', async () => {
    const { post, call, slack } = await openSlackHarness();
    const { ts } = await post({ text: 'Parent' });
    await call('chat.delete', { channel: SUPPORT, ts });
    const { ok, message } = await post({ text: 'Late', thread_ts: ts });
    expect(ok).toBe(true);
    expect(message).not.toHaveProperty('thread_ts');
    expect(slack.messages('#support')).toMatchObject([{ text: 'Late' }]);
  });

  test('keeps its place under a tombstone when the parent had replies before', async () => {
    const { post, call, slack } = await openSlackHarness();
    const { ts } = await post({ text: 'Parent' });
    await post({ text: 'First', thread_ts: ts });
    await call('chat.delete', { channel: SUPPORT, ts });
    const { message } = await post({ text: 'Second', thread_ts: ts });
    expect(message.thread_ts).toBe(ts);
    expect((await call('chat.update', { channel: SUPPORT, ts, text: 'Back' })).error).toBe(
      'message_not_found',
    );
    expect(slack.renderThread('#support', ts)).toBe(
      'This message was deleted.\n  Countermand: First\n  Countermand: Second',
    );
  });
});

describe('chat.update', () => {
  test('replaces text, blocks and metadata, and keeps what is left out', async ({ post, call, slack }) => {
    const metadata = { event_type: 'request', event_payload: { id: 'r1' } };
    const { ts } = await post({ text: 'One', blocks: [section('One')], metadata });
    await call('chat.update', { channel: SUPPORT, ts, text: 'Two', blocks: [actions(button('retry'))] });
    expect(slack.messages('#support')).toMatchObject([
      { text: 'Two', blocks: [{ type: 'actions' }], metadata },
    ]);

    await call('chat.update', { channel: SUPPORT, ts, text: 'Three', metadata: {} });
    const [message] = slack.messages('#support');
    expect(message).toMatchObject({ text: 'Three', edited: { user: slack.installation().bot_user_id } });
    expect([message?.blocks, message?.metadata]).toEqual([undefined, undefined]);
  });

  test('refuses a text of more than 4,000 characters, and leaves the message as it was', async () => {
    const { post, call, slack } = await openSlackHarness();
    const { ts } = await post({ text: 'One' });
    const update = (length: number) =>
      call('chat.update', { channel: SUPPORT, ts, text: 'a'.repeat(length), blocks: [section('Two')] });
    expect((await update(4_001)).error).toBe('msg_too_long');
    expect(slack.messages('#support')).toMatchObject([{ text: 'One' }]);
    expect((await update(4_000)).ok).toBe(true);
  });

  test('takes the last rich text only from a message that has other blocks, too', async ({ post, call }) => {
    const words = [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'A reason' }] }];
    const richText = { type: 'rich_text', elements: words };
    const [rich, plain] = [[richText], [section('No reason')]];
    const replace = async (before: object[], blocks: object[]) => {
      const { ts } = await post({ text: 'x', blocks: before });
      return (await call('chat.update', { channel: SUPPORT, ts, text: 'x', blocks })).error;
    };
    expect(await replace(rich, plain)).toBe('block_mismatch');
    expect(await replace(rich, [...plain, ...rich])).toBeUndefined();
    expect(await replace([...plain, ...rich], plain)).toBeUndefined();
  });

  test("refuses a message that is missing, not the bot's own, or in an archived channel", async () => {
    const { post, call, slack } = await openSlackHarness();
    const said = slack.person('ana').say('Mine', { channel: '#support' });
    const { ts } = await post({});
    const update = (at: string) => call('chat.update', { channel: SUPPORT, ts: at, text: 'Changed' });
    expect((await update('1.000001')).error).toBe('message_not_found');
    expect((await update(said.ts)).error).toBe('cant_update_message');
    slack.admin.archive(SUPPORT);
    expect((await update(ts)).error).toBe('is_inactive');
  });
});

describe('chat.delete', () => {
  test("deletes only the bot's own messages", async ({ post, call, slack }) => {
    const said = slack.person('ana').say('Mine', { channel: '#support' });
    const { ts } = await post({});
    expect((await call('chat.delete', { channel: SUPPORT, ts })).ok).toBe(true);
    expect((await call('chat.delete', { channel: SUPPORT, ts })).error).toBe('message_not_found');
    expect((await call('chat.delete', { channel: SUPPORT, ts: said.ts })).error).toBe('cant_delete_message');
  });
});

describe('chat.postEphemeral', () => {
  test('is seen by one person and by no API', async ({ call, slack }) => {
    await call('chat.postEphemeral', { channel: SUPPORT, user: users.ana, text: 'Psst' });
    expect(slack.person('ana').ephemerals('#support')).toMatchObject([{ text: 'Psst' }]);
    expect(slack.person('ben').ephemerals()).toEqual([]);
    expect((await call('conversations.history', { channel: SUPPORT })).messages).toEqual([]);
  });

  test('is seen in a thread only if the thread has replies', async () => {
    const { call, slack, post } = await openSlackHarness();
    const { ts } = await post({ text: 'A card' });
    const whisper = (text: string) =>
      call('chat.postEphemeral', { channel: SUPPORT, user: users.ana, thread_ts: ts, text });
    expect((await whisper('Too early')).ok).toBe(true);
    expect(slack.person('ana').ephemerals()).toEqual([]);
    slack.person('ben').say('On it', { channel: '#support', thread_ts: ts });
    await whisper('Psst');
    expect(slack.person('ana').ephemerals()).toMatchObject([{ text: 'Psst', thread_ts: ts }]);
  });
});

test('chat.getPermalink leads to a message, and to a reply in its thread', async ({ post, call }) => {
  const { ts } = await post({});
  const { ts: reply } = await post({ thread_ts: ts });
  const link = (message_ts: string) => call('chat.getPermalink', { channel: SUPPORT, message_ts });
  const base = `https://acme-support.slack.test/archives/${SUPPORT}/p`;
  expect((await link(ts)).permalink).toBe(base + ts.replace('.', ''));
  expect((await link(reply)).permalink).toBe(
    `${base}${reply.replace('.', '')}?thread_ts=${ts}&cid=${SUPPORT}`,
  );
  expect((await link('1.000001')).error).toBe('message_not_found');
});
