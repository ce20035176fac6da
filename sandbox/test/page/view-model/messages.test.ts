import { describe, expect } from 'vitest';
import { directMessage } from '../../../slack/world/channels.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { buttonModal } from '../../support/modal-harness.ts';
import { actions, button, input, modal, payloadOf, SUPPORT, section } from '../../support/slack-harness.ts';
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
});

describe('a thread', () => {
  test('has its replies among the messages, and their count at its parent', async () => {
    const { see, slack } = await openPageHarness();
    const { ts } = slack.person('ana').say('Anyone?', { channel: '#support' });
    const at = { channel: '#support', thread_ts: ts };
    slack.person('ben').say('Here', at);
    slack.person('gina').say('Me, too', at);
    const last = slack.person('ben').say('Bye', at);
    const seen = messagesOf(await see('ana', SUPPORT));
    expect(seen[0]?.replies).toEqual({ count: 3, latest: last.ts });
    expect(seen[0]).not.toHaveProperty('reply_to');
    expect(seen.slice(1).map(({ reply_to, replies }) => [reply_to, replies])).toEqual(
      Array(3).fill([ts, null]),
    );
  });

  test('stays under a tombstone when its parent is deleted', async ({ see, slack }) => {
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
  test('is seen by its person alone, in its conversation, in order', async ({ see, slack, call }) => {
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

type Harness = Awaited<ReturnType<typeof openPageHarness>>;

async function openView({ slack, bot, call }: Harness, person: 'ana' | 'cara', view: object) {
  await slack.person(person).command('/cancel-order', { channel: '#support' });
  await call('views.open', { trigger_id: payloadOf(bot).trigger_id, view });
}

const select = (type: string, more: object = {}) =>
  modal({ blocks: [input('it', { type, action_id: 'it', ...more })] });
const labels = (offers: { label: string }[] | undefined) => offers?.map(({ label }) => label);

describe('a modal', () => {
  test('is seen by its person alone, with what stands in its fields', async ({ harness }) => {
    expect((await harness.see('ana')).modal).toBeNull();
    await openView(harness, 'ana', modal());
    await harness.slack.person('ana').fill({ order_id: 'A-1001' });
    expect((await harness.see('ana')).modal).toMatchObject({
      title: 'Cancel an order',
      callback_id: 'cancel_order',
      depth: 1,
      errors: {},
      values: { order_id: 'A-1001', reason: null, channel: channels.support },
    });
    expect((await harness.see('ben')).modal).toBeNull();
    await harness.slack.person('ana').closeModal();
    expect((await harness.see('ana')).modal).toBeNull();
  });

  test('offers what its topmost view needs', async ({ harness }) => {
    await openView(harness, 'ana', buttonModal());
    expect((await harness.see('ana')).modal).toMatchObject({ depth: 1, offers: {} });
    await harness.slack.person('ana').click('Next');
    const view = select('conversations_select', { filter: { include: ['public'] } });
    await harness.call('views.push', { trigger_id: payloadOf(harness.bot).trigger_id, view });
    const seen = (await harness.see('ana')).modal;
    expect(seen?.depth).toBe(2);
    expect(labels(seen?.offers['it/it'])).toEqual(['#support', '#partners']);
  });
});

describe('a select of conversations offers', () => {
  test.for([
    ['ana', ['#support']],
    ['cara', ['#support', '#support-leads', '#approvals']],
  ] as const)('%s what they see and its filter lets through', async ([person, names], { harness }) => {
    await openView(harness, person, modal());
    expect(labels((await harness.see(person)).modal?.offers['where/channel'])).toEqual(names);
  });

  test('direct messages by the name of the other, by the ids that are entered', async ({ harness }) => {
    const { id } = directMessage(harness.slack.world, users.ana, users.ben, SEED.team);
    await openView(harness, 'ana', select('conversations_select', { filter: { include: ['im'] } }));
    const offered = (await harness.see('ana')).modal?.offers['it/it'];
    expect(labels(offered)).toEqual(['Countermand', 'Ben Brandt']);
    expect(offered).toContainEqual({ value: id, label: 'Ben Brandt' });
  });
});

describe('a select', () => {
  test('of people offers those who are there', async ({ harness }) => {
    await openView(harness, 'ana', select('users_select'));
    const offered = (await harness.see('ana')).modal?.offers['it/it'];
    expect(offered).toContainEqual({ value: users.ben, label: 'Ben Brandt' });
    expect(labels(offered)).not.toContain('Dora Departed');
  });

  test('with options of its own, or the app’s, needs no offers', async ({ harness }) => {
    await openView(harness, 'ana', select('external_select'));
    expect((await harness.see('ana')).modal?.offers).toEqual({});
  });

  test('in a message offers what its reader sees', async ({ see, post }) => {
    const filter = { include: ['private'] };
    const blocks = [
      section('Who?', { block_id: 'who', accessory: { type: 'users_select', action_id: 'user' } }),
      actions({ type: 'conversations_select', action_id: 'channel', filter }),
    ];
    await post({ blocks });
    const offersTo = async (person: 'ana' | 'cara') => messagesOf(await see(person, SUPPORT))[0]?.offers;
    expect(labels((await offersTo('ana'))?.['buttons/channel'])).toEqual([]);
    const offers = await offersTo('cara');
    expect(labels(offers?.['buttons/channel'])).toEqual(['#support-leads', '#approvals']);
    expect(labels(offers?.['who/user'])).toContain('Ana Alvarez');
  });
});
