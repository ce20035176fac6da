/** Escape closes the innermost thing that is open, and nothing else. */
import { describe, expect, test } from 'vitest';
import { actions, button, input, modal, option, text } from '../../sandbox/test/support/slack-harness.ts';
import { needsChromium } from './support/chromium.ts';
import { hasFocus } from './support/person-page.ts';
import { openRawApp } from './support/raw-app.ts';

needsChromium();

const select = { type: 'static_select', action_id: 'it', options: [option('Damaged', 'damaged')] };
const confirm = { title: text('Sure?'), text: text('It is gone.'), confirm: text('Do it'), deny: text('No') };
const menu = {
  type: 'overflow',
  action_id: 'more',
  options: [option('Details', 'details'), option('Retry', 'retry')],
};
const VIEW = modal({
  blocks: [
    input('first', { type: 'plain_text_input', action_id: 'it' }),
    input('one', select),
    actions(button('go', 'Go', { confirm }), menu),
  ],
});

/** Ana has a thread open and, over it, the view. */
async function openModalOverThread() {
  const app = await openRawApp(VIEW);
  const { ana, slack } = app;
  const { ts } = slack.person('ben').say('A parent', { channel: '#support' });
  slack.person('ben').say('A reply', { channel: '#support', thread_ts: ts });
  await ana.openThreadOf('A parent');
  await app.openView();
  await ana.modal().waitFor();
  const pressEscape = () => ana.page.keyboard.press('Escape');
  /** Lists the open parts of the page, the outermost first. */
  const open = async () => {
    const seen = {
      thread: ana.thread(),
      modal: ana.page.getByRole('dialog', { name: 'Cancel an order' }),
      confirm: ana.page.getByRole('dialog', { name: 'Sure?' }),
      list: ana.page.getByRole('listbox'),
      menu: ana.modal().getByRole('button', { name: 'Retry' }),
    };
    const names = await Promise.all(
      Object.entries(seen).map(async ([name, at]) => ((await at.count()) > 0 ? [name] : [])),
    );
    return names.flat();
  };
  const closes = (left: string[]) => expect.poll(open).toEqual(left);
  return { ...app, pressEscape, closes };
}

describe('Escape', () => {
  test('closes a list, a question (which it answers with no), a menu or suggestions first, then the modal, then the thread', async () => {
    const { ana, bot, pressEscape, closes } = await openModalOverThread();
    const first = ana.modal().getByRole('textbox', { name: 'The first' });
    await first.fill('Typed before');
    await ana.modal().getByRole('combobox', { name: 'The one' }).pressSequentially('Dam');
    await closes(['thread', 'modal', 'list']);
    await pressEscape();
    await closes(['thread', 'modal']);
    expect(await first.inputValue()).toBe('Typed before');

    await ana.modal().getByRole('button', { name: 'Go' }).click();
    await closes(['thread', 'modal', 'confirm']);
    await pressEscape();
    await closes(['thread', 'modal']);
    const more = ana.modal().getByRole('button', { name: 'More', exact: true });
    await more.click();
    await closes(['thread', 'modal', 'menu']);
    await ana.page.keyboard.press('Tab');
    await pressEscape();
    await closes(['thread', 'modal']);
    await expect.poll(() => hasFocus(more)).toBe(true);
    expect(bot.received).toHaveLength(1);

    await ana.modal().getByRole('combobox', { name: 'The one' }).click();
    await closes(['thread', 'modal', 'list']);
    await pressEscape();
    await closes(['thread', 'modal']);
    await pressEscape();
    await closes(['thread']);
    await expect.poll(() => hasFocus(ana.composer())).toBe(true);
    await pressEscape();
    await closes([]);

    await ana.openThreadOf('A parent');
    const reply = ana.thread().getByRole('textbox', { name: 'Reply' });
    await reply.fill('Hello @be');
    await closes(['thread', 'list']);
    await pressEscape();
    await closes(['thread']);
    expect(await reply.inputValue()).toBe('Hello @be');
    await pressEscape();
    await closes([]);
  });

  test('in a field of the inspector closes nothing of the workspace; pressed again and again at once it leads to no error', async () => {
    const { ana, pressEscape, closes } = await openModalOverThread();
    const asked: string[] = [];
    const { promise: pressed, resolve: goOn } = Promise.withResolvers<void>();
    await ana.page.route('**/close-modal', async (route) => {
      asked.push(route.request().method());
      await pressed;
      await route.continue();
    });
    await ana.inspector('Traffic');
    const search = ana.page.getByRole('complementary', { name: 'Inspector' }).getByRole('searchbox');
    await search.fill('chat');
    await pressEscape();
    expect(await hasFocus(search)).toBe(true);
    // A request to close anything would have been made before this one.
    await ana.page.evaluate(() => fetch('/menu.json').then((answer) => answer.text()));
    expect(asked).toEqual([]);
    await closes(['thread', 'modal']);

    await ana.modal().getByRole('textbox', { name: 'The first' }).focus();
    for (let n = 0; n < 5; n += 1) await pressEscape();
    await expect.poll(() => asked).toEqual(['POST']);
    goOn();
    await closes(['thread']);
    expect(await ana.page.getByRole('status').textContent()).toBe('');
  });
});
