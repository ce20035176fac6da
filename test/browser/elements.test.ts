/** Every element of a modal, used as a person uses it: the app receives the values that were entered. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import {
  actions,
  button,
  input,
  modal,
  option,
  section,
  text,
} from '../../sandbox/test/support/slack-harness.ts';
import { needsChromium } from './support/chromium.ts';
import { openRawApp } from './support/raw-app.ts';

needsChromium();

const CHOICES = [option('Damaged', 'damaged'), option('Too late', 'late')];
const of = (type: string, more: object = {}) => ({ type, action_id: 'it', ...more });

describe('elements of a modal', () => {
  test('tell the app what was entered in them; a menu at the end of the modal lies over what is beneath', async () => {
    const blocks = [
      input('line', of('plain_text_input')),
      input('lines', of('plain_text_input', { multiline: true })),
      input('one', of('static_select', { options: CHOICES })),
      input('found', of('external_select', { min_query_length: 2 })),
      input('channel', of('conversations_select', { default_to_current_conversation: true })),
      input('people', of('multi_users_select')),
      input('day', of('datepicker')),
      input('radio', of('radio_buttons', { options: CHOICES })),
      input('boxes', of('checkboxes', { options: CHOICES })),
      actions(of('overflow', { options: ['One', 'Two', 'Three'].map((name) => option(name, name)) })),
    ];
    const { ana, bot, openView, received } = await openRawApp(modal({ blocks }));
    bot.answer(({ body }) =>
      body.includes('block_suggestion') ? { body: { options: [option('A-2001', 'a2001')] } } : {},
    );
    await openView();
    const field = (role: 'textbox' | 'radio' | 'checkbox', name: string) =>
      ana.modal().getByRole(role, { name });
    await field('textbox', 'The line').first().fill('One');
    await field('textbox', 'The lines').fill('Two\nthree');
    await ana.choose('The one', 'Too late');
    await ana.modal().getByRole('combobox', { name: 'The found' }).pressSequentially('A-2');
    await ana.page.getByRole('option', { name: 'A-2001' }).click();
    await ana.choose('The people', 'Ben Brandt');
    await ana.choose('The people', 'Cara Conti');
    await ana.modal().getByLabel('The day').fill('2026-11-24');
    await field('radio', 'Damaged').check();
    await field('checkbox', 'Too late').check();

    await ana.modal().getByRole('button', { name: 'More', exact: true }).click();
    const last = ana.modal().getByRole('button', { name: 'Three' });
    const isOnTop = () =>
      last.evaluate((item) => {
        const { x, y, width, height } = item.getBoundingClientRect();
        return item.contains(item.ownerDocument.elementFromPoint(x + width / 2, y + height / 2));
      });
    await expect.poll(isOnTop).toBe(true);
    await ana.page.keyboard.press('Escape');
    await ana.submit();

    const { view } = await received('view_submission');
    const values = Object.fromEntries(
      Object.entries(view.state.values).map(([id, held]) => [id, held['it']]),
    );
    expect(values).toMatchObject({
      line: { value: 'One' },
      lines: { value: 'Two\nthree' },
      one: { selected_option: { value: 'late' } },
      found: { selected_option: { value: 'a2001' } },
      channel: { selected_conversation: SEED.channels.support },
      people: { selected_users: [SEED.users.ben, SEED.users.cara] },
      day: { selected_date: '2026-11-24' },
      radio: { selected_option: { value: 'damaged' } },
      boxes: { selected_options: [{ value: 'late' }] },
    });
  });

  test('ask first where they have a dialog for that; in a message it keeps the value that was seen, whatever an update changes', async () => {
    const confirm = {
      title: text('Sure?'),
      text: text('It is gone then.'),
      confirm: text('Do it'),
      deny: text('No'),
    };
    const blocks = [section('Careful'), actions(button('go', 'Go', { confirm }))];
    const { ana, bot, call, openView, post, received } = await openRawApp(modal({ blocks }));
    await openView();
    const dialog = ana.page.getByRole('dialog', { name: 'Sure?' });
    await ana.modal().getByRole('button', { name: 'Go' }).click();
    await dialog.getByText('It is gone then.').waitFor();
    await dialog.getByRole('button', { name: 'No' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(bot.received).toHaveLength(1);
    await ana.modal().getByRole('button', { name: 'Go' }).click();
    await dialog.getByRole('button', { name: 'Do it' }).click();
    expect((await received('block_actions')).actions).toHaveLength(1);
    await ana.page.keyboard.press('Escape');
    await ana.modal().waitFor({ state: 'detached' });

    const go = (value: string) => actions(button('go', 'Go', { confirm, value }));
    const updates = {
      changed: [section('Changed'), go('as it is now')],
      'put in a new block': [section('Changed'), { ...go('as it is now'), block_id: 'new' }],
      'taken away': [section('It is over')],
    };
    for (const [how, updated] of Object.entries(updates)) {
      const seen = `as it was before it was ${how}`;
      const { ts, channel } = await post({ text: 'A card', blocks: [section('A card'), go(seen)] });
      await ana.message('A card').getByRole('button', { name: 'Go' }).click();
      await dialog.waitFor();
      expect((await call('chat.update', { channel, ts, text: 'Updated', blocks: updated })).ok).toBe(true);
      await ana.message('A card').waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Do it' }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect
        .poll(async () => (await received('block_actions')).actions)
        .toMatchObject([{ action_id: 'go', value: seen }]);
    }
  });

  test('keep what was typed and the focus when the app updates the view, or does not answer; and views stack', async () => {
    const more = input('more', of('plain_text_input'));
    const first = input('first', of('plain_text_input'));
    const go = actions(button('go', 'Go'));
    const { ana, bot, openView, received, call } = await openRawApp(modal({ blocks: [first, go] }));
    const opened = await openView();
    const field = ana.modal().getByRole('textbox', { name: 'The first' });
    await field.fill('Typed before');
    await ana.modal().getByRole('button', { name: 'Go' }).click();
    await received('block_actions');
    const updated = await call('views.update', {
      view_id: opened.view.id,
      hash: opened.view.hash,
      view: modal({ blocks: [first, go, more] }),
    });
    expect(updated.ok).toBe(true);
    await ana.modal().getByRole('textbox', { name: 'The more' }).waitFor();
    expect(await ana.page.evaluate('document.activeElement.textContent')).toBe('Go');
    await ana.modal().getByRole('textbox', { name: 'The more' }).fill('More');
    expect(await field.inputValue()).toBe('Typed before');

    const stale = await call('views.update', {
      view_id: opened.view.id,
      hash: opened.view.hash,
      view: modal(),
    });
    expect(stale.error).toBe('hash_conflict');

    bot.answer(() => ({ status: 500 }));
    await ana.submit();
    await ana
      .modal()
      .getByRole('alert')
      .filter({ hasText: /trouble|connect/i })
      .waitFor();
    bot.answer(() => ({
      body: { response_action: 'push', view: modal({ title: text('On top'), blocks: [more] }) },
    }));
    await ana.submit();
    const top = ana.page.getByRole('dialog', { name: 'On top' });
    await top.waitFor();
    expect((await received('view_submission')).view.state.values).toMatchObject({
      first: { it: { value: 'Typed before' } },
      more: { it: { value: 'More' } },
    });
    await top.getByRole('button', { name: 'Back' }).click();
    await ana.page.getByRole('dialog', { name: 'Cancel an order' }).waitFor();
    expect(await field.inputValue()).toBe('Typed before');
  });
});
