import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { actions, button, SUPPORT, section } from '../../support/slack-harness.ts';
import { messagesOf, openPageHarness, test } from '../support/harness.ts';

const { users, channels } = SEED;

describe('a message', () => {
  test('has its author, its text and its blocks', async ({ see, slack, post }) => {
    const { ts } = slack.person('ana').say('Hello', { channel: '#support' });
    await post({ text: 'A card', blocks: [section('*A card*'), actions(button('go'))] });
    const bot = slack.installation().bot_user_id;
    expect(messagesOf(await see('ben', SUPPORT))).toMatchObject([
      { ts, author: { id: users.ana, name: 'Ana Alvarez', isApp: false }, text: 'Hello', replies: null },
      {
        author: { id: bot, name: 'Countermand', isApp: true },
        text: 'A card',
        blocks: [{ type: 'section' }, { type: 'actions', block_id: 'buttons' }],
      },
    ]);
  });

  test('of another company’s has that company’s name, to either side', async ({ see, slack }) => {
    slack.person('ana').say('Hello', { channel: '#partners' });
    slack.person('gus').say('Hi', { channel: '#partners' });
    const companies = async (person: 'ana' | 'gus') =>
      messagesOf(await see(person, channels.partners)).map(({ author }) => author.company);
    expect(await companies('ana')).toEqual([undefined, 'Globex']);
    expect(await companies('gus')).toEqual(['Acme Support', undefined]);
  });

  test('shows that it was edited, and as what', async ({ see, call, post }) => {
    const { ts } = await post({ text: 'Before' });
    expect(messagesOf(await see('ana', SUPPORT))).toMatchObject([{ text: 'Before', isEdited: false }]);
    await call('chat.update', { channel: SUPPORT, ts, text: 'After' });
    expect(messagesOf(await see('ana', SUPPORT))).toMatchObject([{ text: 'After', isEdited: true }]);
  });

  test('shows who reacted with what, in order', async ({ see, slack }) => {
    const at = slack.person('ana').say('Approve?', { channel: '#support' });
    slack.person('ben').react('+1', at);
    slack.person('cara').react('eyes', at);
    slack.person('ana').react('+1', at);
    expect(messagesOf(await see('gina', SUPPORT))[0]?.reactions).toEqual([
      { name: '+1', users: [users.ben, users.ana] },
      { name: 'eyes', users: [users.cara] },
    ]);
    slack.person('cara').unreact('eyes', at);
    expect(messagesOf(await see('gina', SUPPORT))[0]?.reactions).toHaveLength(1);
  });
});

describe('a thread', () => {
  test('has its replies among the messages, and their count and authors at its parent', async () => {
    const { see, slack } = await openPageHarness();
    const { ts } = slack.person('ana').say('Anyone?', { channel: '#support' });
    const at = { channel: '#support', thread_ts: ts };
    slack.person('ben').say('Here', at);
    slack.person('gina').say('Me, too', at);
    const last = slack.person('ben').say('Bye', at);
    const seen = messagesOf(await see('ana', SUPPORT));
    expect(seen[0]?.replies).toEqual({ count: 3, authors: ['Ben Brandt', 'Gina Guest'], latest: last.ts });
    expect(seen[0]).not.toHaveProperty('reply_to');
    expect(seen.slice(1).map(({ reply_to, replies }) => [reply_to, replies])).toEqual(
      Array(3).fill([ts, null]),
    );
  });

  test('stays when its parent is deleted, under a stone', async ({ see, slack }) => {
    const ana = slack.person('ana');
    const { ts } = ana.say('Anyone?', { channel: '#support' });
    slack.person('ben').say('Here', { channel: '#support', thread_ts: ts });
    ana.deleteMessage({ channel: '#support', ts });
    expect(messagesOf(await see('ana', SUPPORT))).toMatchObject([
      { isTombstone: true, text: 'This message was deleted.', replies: { count: 1 } },
      { isTombstone: false, text: 'Here' },
    ]);
  });
});

describe('a message that is only visible to one', () => {
  test('is seen by its person alone, where it belongs, in its place', async ({ see, slack, call }) => {
    slack.person('ana').say('Before', { channel: '#support' });
    await call('chat.postEphemeral', { channel: SUPPORT, user: users.ana, text: 'Psst' });
    slack.person('ana').say('After', { channel: '#support' });
    const seen = messagesOf(await see('ana', SUPPORT));
    expect(seen.map(({ text, isOnlyVisibleToYou }) => [text, isOnlyVisibleToYou])).toEqual([
      ['Before', false],
      ['Psst', true],
      ['After', false],
    ]);
    expect(seen[1]).toMatchObject({
      author: { name: 'Countermand', isApp: true },
      replies: null,
      reactions: [],
    });
    expect(messagesOf(await see('ben', SUPPORT)).map(({ text }) => text)).toEqual(['Before', 'After']);
    expect(messagesOf(await see('ana', channels.partners))).toEqual([]);
  });

  test('can be a reply in a thread', async ({ see, call, post }) => {
    const { ts } = await post({});
    await post({ thread_ts: ts });
    await call('chat.postEphemeral', { channel: SUPPORT, user: users.ana, text: 'Psst', thread_ts: ts });
    const [parent, , psst] = messagesOf(await see('ana', SUPPORT));
    expect(psst).toMatchObject({ text: 'Psst', reply_to: ts, isOnlyVisibleToYou: true });
    expect(parent?.replies?.count).toBe(1);
  });

  test('can be Slack’s own: the app failed', async ({ see, slack, bot }) => {
    bot.answer(() => ({ status: 500 }));
    await slack.person('ana').command('/cancel-order', { channel: '#support' });
    expect(messagesOf(await see('ana', SUPPORT))).toMatchObject([
      { author: { name: 'Slackbot', isApp: true }, isOnlyVisibleToYou: true },
    ]);
  });
});
