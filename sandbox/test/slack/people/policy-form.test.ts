import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openModalHarness } from '../../support/modal-harness.ts';
import { actions, button, input, modal, option, payloadOf, text } from '../../support/slack-harness.ts';
import { testWith } from '../../support/test-with.ts';

const { users, channels } = SEED;

describe('a form with every kind of field, and another form on top of it', () => {
  const blocks = [
    input('who', { type: 'multi_users_select', action_id: 'approvers', max_selected_items: 2 }),
    input('where', { type: 'conversations_select', action_id: 'channel', filter: { include: ['private'] } }),
    input('what', {
      type: 'checkboxes',
      action_id: 'kinds',
      options: [option('Cancel', 'c'), option('Send', 's')],
    }),
    input('how', {
      type: 'radio_buttons',
      action_id: 'style',
      options: [option('Emoji', 'e'), option('Buttons', 'b')],
    }),
    input('brand', {
      type: 'external_select',
      action_id: 'brand',
      initial_option: option('Acme Home', 'sb-1'),
    }),
    actions(button('add', 'Add a rule')),
  ];
  const filled = { approvers: ['cara', '@dev'], channel: '#approvals', kinds: ['Send'], style: 'Emoji' };
  const kept = {
    approvers: [users.cara, users.dev],
    channel: channels.approvals,
    kinds: ['s'],
    style: 'e',
    brand: 'sb-1',
  };
  const test = testWith(
    () => openModalHarness(modal({ blocks }), { person: 'olga' }),
    ['person', 'bot', 'call', 'opened'],
  );

  test.for<[Record<string, string | string[]>, string]>([
    [{ approvers: ['ana', 'ben', 'cara'] }, 'takes 2 at most'],
    [{ approvers: ['dora'] }, 'does not offer dora'],
    [{ channel: '#support' }, 'does not offer #support'],
    [{ kinds: ['Explode'] }, 'does not offer "Explode"'],
  ])('refuses %j', async ([values, complaint], { person }) => {
    await expect(person.fill(values)).rejects.toThrow(complaint);
  });

  test.for(['before', 'after'])(
    'keeps what was entered, updated %s the other gives way',
    async (when, { harness }) => {
      const { person, bot, call, opened } = harness;
      const update = () =>
        call('views.update', { view_id: opened.view.id, view: modal({ title: text('Changed'), blocks }) });
      await person.fill(filled);
      await person.click('Add a rule');
      await call('views.push', {
        trigger_id: payloadOf(bot).trigger_id,
        view: modal({ title: text('A rule') }),
      });
      expect(person.modal()).toMatchObject({ title: 'A rule', depth: 2 });
      if (when === 'before') expect((await update()).ok).toBe(true);
      expect(person.modal()?.title).toBe('A rule');
      expect((await person.submit({ order: 'A-1001', why: 'Late' })).outcome).toBe('closed');
      const { id } = opened.view;
      expect(payloadOf(bot)).toMatchObject({ view: { root_view_id: id, previous_view_id: id } });
      expect(person.modal()).toMatchObject({ view_id: id, depth: 1 });
      if (when === 'after') expect((await update()).ok).toBe(true);
      expect(person.modal()).toMatchObject({ title: 'Changed', values: kept });
      expect((await person.submit()).outcome).toBe('closed');
    },
  );
});
