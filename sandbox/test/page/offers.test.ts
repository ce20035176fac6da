import { describe, expect, test } from 'vitest';
import { directMessage } from '../../slack/world/channels.ts';
import { SEED } from '../../slack/world/seed/seed.ts';
import { actions, input, modal, payloadOf, SUPPORT, section } from '../support/slack-desk.ts';
import { buttonModal } from '../support/views.ts';
import { messagesOf, openPageDesk } from './support.ts';

const { users, channels } = SEED;
type Desk = Awaited<ReturnType<typeof openPageDesk>>;

async function openView({ slack, bot, call }: Desk, person: 'ana' | 'cara', view: object) {
  await slack.person(person).command('/cancel-order', { channel: '#support' });
  await call('views.open', { trigger_id: payloadOf(bot).trigger_id, view });
}

const select = (type: string, more: object = {}) =>
  modal({ blocks: [input('it', { type, action_id: 'it', ...more })] });
const labels = (offers: { label: string }[] | undefined) => offers?.map(({ label }) => label);

describe('a modal', () => {
  test('is seen by its person alone, with what stands in its fields', async () => {
    const desk = await openPageDesk();
    expect((await desk.see('ana')).modal).toBeNull();
    await openView(desk, 'ana', modal());
    await desk.slack.person('ana').fill({ order_id: 'A-1001' });
    expect((await desk.see('ana')).modal).toMatchObject({
      title: 'Cancel an order',
      callback_id: 'cancel_order',
      depth: 1,
      errors: {},
      values: { order_id: 'A-1001', reason: null, channel: channels.support },
    });
    expect((await desk.see('ben')).modal).toBeNull();
    await desk.slack.person('ana').closeModal();
    expect((await desk.see('ana')).modal).toBeNull();
  });

  test('shows the errors that the app answered with', async () => {
    const desk = await openPageDesk();
    await openView(desk, 'ana', modal());
    desk.bot.answer(() => ({ body: { response_action: 'errors', errors: { order: 'Unknown' } } }));
    await desk.slack.person('ana').submit({ order_id: 'A-9999', reason: 'Late' });
    expect((await desk.see('ana')).modal?.errors).toEqual({ order: 'Unknown' });
  });

  test('offers what its topmost view needs', async () => {
    const desk = await openPageDesk();
    await openView(desk, 'ana', buttonModal());
    expect((await desk.see('ana')).modal).toMatchObject({ depth: 1, offers: {} });
    await desk.slack.person('ana').click('Next');
    const view = select('channels_select');
    await desk.call('views.push', { trigger_id: payloadOf(desk.bot).trigger_id, view });
    const seen = (await desk.see('ana')).modal;
    expect(seen?.depth).toBe(2);
    expect(labels(seen?.offers['it/it'])).toEqual(['#support', '#partners']);
  });
});

describe('a select of conversations offers', () => {
  test.each([
    ['ana', ['#support']],
    ['cara', ['#support', '#support-leads', '#approvals']],
  ] as const)('%s what they see and its filter lets through', async (person, names) => {
    const desk = await openPageDesk();
    await openView(desk, person, modal());
    expect(labels((await desk.see(person)).modal?.offers['where/channel'])).toEqual(names);
  });

  test('direct messages by the name of the other, by the ids that are entered', async () => {
    const desk = await openPageDesk();
    const { id } = directMessage(desk.slack.world, users.ana, users.ben, SEED.team);
    await openView(desk, 'ana', select('multi_conversations_select', { filter: { include: ['im'] } }));
    const offered = (await desk.see('ana')).modal?.offers['it/it'];
    expect(labels(offered)).toEqual(['Countermand', 'Ben Brandt']);
    expect(offered).toContainEqual({ value: id, label: 'Ben Brandt' });
  });
});

describe('a select', () => {
  test.each(['channels_select', 'multi_channels_select'])(
    '%s offers public channels that are in use',
    async (type) => {
      const desk = await openPageDesk();
      await openView(desk, 'cara', select(type));
      expect((await desk.see('cara')).modal?.offers['it/it']).toEqual([
        { value: channels.support, label: '#support' },
        { value: channels.partners, label: '#partners' },
      ]);
    },
  );

  test.each(['users_select', 'multi_users_select'])('%s offers people who are there', async (type) => {
    const desk = await openPageDesk();
    await openView(desk, 'ana', select(type));
    const offered = (await desk.see('ana')).modal?.offers['it/it'];
    expect(offered).toContainEqual({ value: users.ben, label: 'Ben Brandt' });
    expect(labels(offered)).not.toContain('Dora Departed');
  });

  test('with options of its own, or the app’s, needs no offers', async () => {
    const desk = await openPageDesk();
    await openView(desk, 'ana', select('external_select'));
    expect((await desk.see('ana')).modal?.offers).toEqual({});
  });

  test('in a message offers what its reader sees', async () => {
    const { see, post } = await openPageDesk();
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
