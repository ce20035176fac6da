import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { buttonModal, openModalHarness, test } from '../../support/modal-harness.ts';
import { input, modal, option, payloadOf, text } from '../../support/slack-harness.ts';

const filled = { order_id: 'A-1001', reason: 'Late' };

describe('a submission', () => {
  test('carries the state of every field, typed as Slack types it', async ({ ana, bot, opened }) => {
    expect((await ana.submit(filled)).outcome).toBe('closed');
    expect(ana.modal()).toBeUndefined();
    expect(payloadOf(bot)).toMatchObject({
      type: 'view_submission',
      team: { id: SEED.team, domain: 'acme-support' },
      user: { id: SEED.users.ana, name: 'ana', username: 'ana', team_id: SEED.team },
      api_app_id: expect.stringMatching(/^A/),
      is_enterprise_install: false,
      enterprise: null,
      trigger_id: expect.any(String),
      response_urls: [],
      view: {
        id: opened.view.id,
        callback_id: 'cancel_order',
        state: {
          values: {
            order: { order_id: { type: 'plain_text_input', value: 'A-1001' } },
            why: {
              reason: { type: 'static_select', selected_option: { text: { text: 'Late' }, value: 'late' } },
            },
            where: {
              channel: { type: 'conversations_select', selected_conversation: SEED.channels.support },
            },
            note: { note: { type: 'plain_text_input', value: null } },
          },
        },
      },
    });
  });

  test('with a required field left empty, or with too long a text, is not sent', async ({ ana, bot }) => {
    const before = bot.received.length;
    expect(await ana.submit({ order_id: 'A-1001 and A-1002' })).toMatchObject({
      outcome: 'not_sent',
      errors: {
        order: 'Please enter at most 10 characters.',
        why: 'Please complete this required field.',
      },
    });
    expect(bot.received).toHaveLength(before);
  });

  test('answered with errors shows them at their fields and stays open', async ({ ana, bot }) => {
    bot.answer(() => ({ body: { response_action: 'errors', errors: { order: 'No such order' } } }));
    expect(await ana.submit(filled)).toMatchObject({ outcome: 'errors', errors: { order: 'No such order' } });
    expect(ana.modal()?.errors).toEqual({ order: 'No such order' });
    bot.answer(() => ({}));
    expect((await ana.submit()).outcome).toBe('closed');
  });

  test.for([
    ['update', 'updated', 1],
    ['push', 'pushed', 2],
  ] as const)('answered with %s shows the view', async ([response_action, outcome, depth], { ana, bot }) => {
    bot.answer(() => ({ body: { response_action, view: buttonModal('Sure?') } }));
    expect((await ana.submit(filled)).outcome).toBe(outcome);
    expect(ana.modal()).toMatchObject({ title: 'Sure?', depth });
  });

  test.each([
    ['an error', () => ({ status: 500 })],
    ['nothing, in time', () => 'hang' as const],
    ['a dropped connection', () => 'drop' as const],
    ['a body without a response_action', () => ({ body: { ok: true } })],
    ['an action that is not known', () => ({ body: { response_action: 'clear' } })],
    [
      'errors for a field that is not there',
      () => ({ body: { response_action: 'errors', errors: { nowhere: 'No' } } }),
    ],
    [
      'an invalid view',
      () => ({ body: { response_action: 'update', view: modal({ title: text('x'.repeat(25)) }) } }),
    ],
  ])('answered with %s is trouble, stays open, and can be sent again', async (_, how) => {
    const { ana, bot, opened } = await openModalHarness();
    bot.answer(how);
    const first = await ana.submit(filled);
    expect(first).toMatchObject({ outcome: 'trouble', modal: { view_id: opened.view.id } });
    expect(first.trouble).toContain('We had some trouble connecting. Try again?');
    bot.answer(() => ({}));
    expect((await ana.submit()).outcome).toBe('closed');
    expect(payloadOf(bot).view.id).toBe(opened.view.id);
  });
});

describe('a field takes what the client offers and nothing else', () => {
  test.for<[Record<string, string | string[]>, string]>([
    [{ reason: 'Bored' }, 'does not offer "Bored", but Damaged, Late'],
    [{ channel: '#partners' }, 'does not offer #partners'],
    [{ channel: '#old-returns' }, 'does not offer #old-returns'],
    [{ reason: ['damaged', 'late'] }, 'takes one value'],
    [{ nonsense: 'x' }, '"nonsense" is not there; there is: order_id, reason, channel, note'],
  ])('%j', async ([values, complaint], { ana }) => {
    await expect(ana.fill(values)).rejects.toThrow(complaint);
  });

  test('fields are called by action_id, block_id or label, and can be cleared', async ({ ana }) => {
    await ana.fill({ order: 'A-1', 'The note': 'Please', 'why/reason': 'damaged' });
    expect(ana.modal()?.values).toMatchObject({ order_id: 'A-1', note: 'Please', reason: 'damaged' });
    await ana.fill({ note: null });
    expect(ana.modal()?.values['note']).toBeNull();
  });

  test('a field with dispatch_action tells the app at once', async () => {
    const options = [option('Yes', 'yes'), option('No', 'no')];
    const radio = { type: 'radio_buttons', action_id: 'sure', options };
    const { ana, bot } = await openModalHarness(
      modal({ blocks: [{ ...input('sure', radio), dispatch_action: true }] }),
    );
    await ana.fill({ sure: 'No' });
    expect(payloadOf(bot)).toMatchObject({
      type: 'block_actions',
      container: { type: 'view', view_id: ana.modal()?.view_id },
      actions: [
        { type: 'radio_buttons', action_id: 'sure', block_id: 'sure', selected_option: { value: 'no' } },
      ],
      view: { state: { values: { sure: { sure: { selected_option: { value: 'no' } } } } } },
    });
    expect(payloadOf(bot)).not.toHaveProperty('response_url');
  });
});

describe('an external select', () => {
  const external = modal({
    blocks: [input('brand', { type: 'external_select', action_id: 'brand', min_query_length: 2 })],
  });

  test('asks the app, and takes one of its options', async () => {
    const { ana, bot } = await openModalHarness(external);
    bot.answer(() => ({ body: { options: [option('Acme Home', 'sb-1')] } }));
    expect((await ana.search('brand', 'ac')).options).toMatchObject([{ value: 'sb-1' }]);
    expect(payloadOf(bot)).toMatchObject({
      type: 'block_suggestion',
      action_id: 'brand',
      block_id: 'brand',
      value: 'ac',
    });
    await ana.fill({ brand: 'Acme Home' });
    expect(ana.modal()?.values).toEqual({ brand: 'sb-1' });
  });

  test('takes nothing before a search, and does not ask about a text that is too short', async () => {
    const { ana, bot } = await openModalHarness(external);
    await expect(ana.fill({ brand: 'sb-1' })).rejects.toThrow('search first');
    const before = bot.received.length;
    expect((await ana.search('brand', 'a')).options).toEqual([]);
    expect(bot.received).toHaveLength(before);
  });

  test('shows nothing when the answer is no list of options', async () => {
    const { ana, bot } = await openModalHarness(external);
    bot.answer(() => ({ body: { options: [{ text: 'Acme Home', value: 'sb-1' }] } }));
    const seen = await ana.search('brand', 'ac');
    expect(seen.options).toEqual([]);
    expect(seen.trouble).toBeDefined();
    expect(seen.why).toContain('/options/0/text');
  });
});

test('closing leaves nothing to use, and the app is not told', async ({ ana, bot }) => {
  const before = bot.received.length;
  await ana.closeModal();
  expect(bot.received).toHaveLength(before);
  await expect(ana.submit()).rejects.toThrow('ana has no modal open');
  await expect(ana.closeModal()).rejects.toThrow('ana has no modal open');
});

test('a form that is sent twice at once closes one view, not the one below', async ({ ana, bot }) => {
  bot.answer(() => ({ body: { response_action: 'push', view: modal() } }));
  await ana.submit(filled);
  bot.answer(() => ({}));
  await ana.fill(filled);
  const both = await Promise.all([ana.submit(), ana.submit()]);
  expect(both.map(({ outcome }) => outcome)).toEqual(['closed', 'closed']);
  expect(ana.modal()?.depth).toBe(1);
  expect(payloadOf(bot).view.id).toBe(payloadOf(bot, -2).view.id);
});
