import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { buttonModal, openModalHarness, test } from '../../support/modal-harness.ts';
import {
  input,
  modal,
  openSlackHarness,
  option,
  payloadOf,
  section,
  text,
} from '../../support/slack-harness.ts';

describe('views.open', () => {
  test('shows the modal to the person, and answers with the view as Slack keeps it', async () => {
    const { opened, ana, slack } = await openModalHarness();
    expect(ana.modal()).toMatchObject({ title: 'Cancel an order', callback_id: 'cancel_order', depth: 1 });
    expect(opened.view).toMatchObject({
      id: expect.stringMatching(/^V/),
      type: 'modal',
      team_id: SEED.team,
      app_installed_team_id: SEED.team,
      app_id: slack.installation().app_id,
      bot_id: slack.installation().bot_id,
      root_view_id: opened.view.id,
      previous_view_id: null,
      hash: expect.any(String),
      private_metadata: '',
      close: null,
    });
  });

  test('a trigger is good for one view', async () => {
    const { slack, bot, call } = await openSlackHarness();
    await slack.person('ana').command('/cancel-order', { channel: '#support' });
    const { trigger_id } = payloadOf(bot);
    expect((await call('views.open', { trigger_id, view: modal() })).ok).toBe(true);
    expect((await call('views.open', { trigger_id, view: modal() })).error).toBe('exchanged_trigger_id');
  });

  test('a trigger is good for three seconds', async () => {
    let now = 1_700_000_000_000;
    const { slack, bot, call } = await openSlackHarness({ now: () => now });
    await slack.person('ana').command('/cancel-order', { channel: '#support' });
    now += 3_001;
    const { error } = await call('views.open', { trigger_id: payloadOf(bot).trigger_id, view: modal() });
    expect(error).toBe('expired_trigger_id');
  });

  test('a made-up trigger, or one of another workspace, is no trigger', async ({ call, trigger, slack }) => {
    expect((await call('views.open', { trigger_id: '1.2.3', view: modal() })).error).toBe(
      'invalid_trigger_id',
    );
    const other = slack.admin.install(SEED.otherTeam);
    const stolen = { trigger_id: await trigger(), view: modal() };
    expect((await call('views.open', stolen, other.token)).error).toBe('invalid_trigger_id');
  });

  test('an invalid view is refused with the reason, and the trigger stays good', async () => {
    const { call, trigger } = await openModalHarness();
    const trigger_id = await trigger();
    const long = modal({ title: text('A title that is much too long') });
    expect(await call('views.open', { trigger_id, view: long })).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'],
      },
    });
    expect((await call('views.open', { trigger_id, view: modal() })).ok).toBe(true);
  });

  test('a view over 250 kB is too large', async ({ call, trigger }) => {
    const blocks = Array.from({ length: 100 }, () => section('a'.repeat(2_999)));
    const { error } = await call('views.open', { trigger_id: await trigger(), view: modal({ blocks }) });
    expect(error).toBe('view_too_large');
  });
});

describe('values', () => {
  test('start with what the blocks say', async () => {
    const damaged = option('Damaged', 'damaged');
    const elements = {
      plain: { type: 'plain_text_input', initial_value: 'A-1' },
      select: { type: 'static_select', options: [damaged], initial_option: damaged },
      radio: { type: 'radio_buttons', options: [damaged], initial_option: damaged },
      checks: { type: 'checkboxes', options: [damaged], initial_options: [damaged] },
      external: { type: 'external_select', initial_option: damaged },
      user: { type: 'users_select', initial_user: SEED.users.ben },
      conversation: { type: 'conversations_select', initial_conversation: SEED.channels.support },
      users: { type: 'multi_users_select', initial_users: [SEED.users.ben] },
      day: { type: 'datepicker', initial_date: '2026-11-24' },
    };
    const blocks = Object.entries(elements).map(([id, element]) => input(id, { ...element, action_id: id }));
    const { ana } = await openModalHarness(modal({ blocks }));
    expect(ana.modal()?.values).toEqual({
      plain: 'A-1',
      select: 'damaged',
      radio: 'damaged',
      checks: ['damaged'],
      external: 'damaged',
      user: SEED.users.ben,
      conversation: SEED.channels.support,
      users: [SEED.users.ben],
      day: '2026-11-24',
    });
  });

  test.each([
    ['#support', SEED.channels.support],
    ['#partners', null],
  ])('the current conversation is %s, if the filter offers it', async (channel, expected) => {
    const { ana } = await openModalHarness(modal(), { channel });
    expect(ana.modal()?.values['channel']).toBe(expected);
  });
});

describe('views.update', () => {
  test('keeps what was entered in the fields that stay, and clears errors', async ({ ana, call, opened }) => {
    await ana.fill({ order_id: 'A-1001', reason: 'Late' });
    const { blocks } = modal();
    const note = input('extra', { type: 'plain_text_input', action_id: 'extra', initial_value: 'new' });
    await call('views.update', {
      view_id: opened.view.id,
      view: modal({ blocks: [...blocks.slice(0, 1), note] }),
    });
    expect(ana.modal()?.values).toEqual({ order_id: 'A-1001', extra: 'new' });
  });

  test('checks the hash, so that two updates do not overwrite each other', async ({ call, opened }) => {
    const { id: view_id, hash } = opened.view;
    const update = (args: object) => call('views.update', { view_id, view: modal(), ...args });
    const { view } = await update({ hash });
    expect(view.hash).not.toBe(hash);
    expect((await update({ hash })).error).toBe('hash_conflict');
    expect((await update({ hash: view.hash })).ok).toBe(true);
  });

  test('an external_id stays with its view, and no other view of the workspace gets it', async () => {
    const { call, trigger, ana, opened } = await openModalHarness(modal({ external_id: 'mine' }));
    const view = modal({ external_id: 'mine', title: text('Once more') });
    expect((await call('views.update', { view_id: opened.view.id, view })).ok).toBe(true);
    const open = async () => (await call('views.open', { trigger_id: await trigger(), view })).error;
    expect(await open()).toBe('duplicate_external_id');
    await ana.closeModal();
    expect(await open()).toBe('duplicate_external_id');
  });

  test('a view that was closed, or that another workspace asks for, is not found', async () => {
    const { call, opened, ana, slack } = await openModalHarness();
    const args = { view_id: opened.view.id, view: modal() };
    expect((await call('views.update', args, slack.admin.install(SEED.otherTeam).token)).error).toBe(
      'not_found',
    );
    await ana.closeModal();
    expect((await call('views.update', args)).error).toBe('not_found');
  });
});

describe('views.push', () => {
  test('stacks three views and no more; closing shows the one below', async () => {
    const { ana, bot, call, opened } = await openModalHarness(buttonModal());
    const push = async (title: string) => {
      await ana.click('Next');
      return call('views.push', { trigger_id: payloadOf(bot).trigger_id, view: buttonModal(title) });
    };
    expect((await push('Second')).view).toMatchObject({
      root_view_id: opened.view.id,
      previous_view_id: opened.view.id,
    });
    await push('Third');
    expect(ana.modal()).toMatchObject({ title: 'Third', depth: 3 });
    expect((await push('Fourth')).error).toBe('push_limit_reached');
    await ana.closeModal();
    expect(ana.modal()).toMatchObject({ title: 'Second', depth: 2 });
    await ana.closeModal({ all: true });
    expect(ana.modal()).toBeUndefined();
  });

  test('needs a trigger from within the modal', async () => {
    const { call, trigger } = await openModalHarness(buttonModal());
    const pushed = await call('views.push', { trigger_id: await trigger(), view: buttonModal() });
    expect(pushed.error).toBe('invalid_trigger_id');
  });

  test('finds no modal that was closed meanwhile', async () => {
    const { call, bot, ana } = await openModalHarness(buttonModal());
    await ana.click('Next');
    await ana.closeModal();
    const late = { trigger_id: payloadOf(bot).trigger_id, view: buttonModal() };
    expect((await call('views.push', late)).error).toBe('not_found');
  });
});
