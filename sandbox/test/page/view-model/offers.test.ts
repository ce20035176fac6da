import { describe, expect } from 'vitest';
import { directMessage } from '../../../slack/world/channels.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { buttonModal } from '../../support/modal-harness.ts';
import { actions, input, modal, payloadOf, SUPPORT, section } from '../../support/slack-harness.ts';
import { messagesOf, type openPageHarness, test } from '../support/harness.ts';

const { users, channels } = SEED;
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
