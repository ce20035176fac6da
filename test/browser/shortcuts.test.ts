/** Ways to the app beside its commands: the shortcuts in Slack's menus, mentions and direct messages. */
import { expect, test } from 'vitest';
import { startHarness } from '../support/e2e/harness.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { openRawApp } from './support/raw-app.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

test('shortcuts stand in the menu of a message, whose time the app is told, and beside the composer', async () => {
  const { ana, slack, received } = await openRawApp();
  const { ts } = slack.person('ben').say('Please cancel A-2001', { channel: '#support' });
  await ana.chooseOf('Please cancel A-2001', 'Cancel this order');
  expect(await received('message_action')).toMatchObject({ callback_id: 'cancel_it', message_ts: ts });
  await ana.page.getByRole('button', { name: 'Shortcuts' }).click();
  await ana.page.getByRole('button', { name: 'Look up an order' }).click();
  expect(await received('shortcut')).toMatchObject({ callback_id: 'look_up' });
});

test('the real app opens its form from a mention in a thread, from a direct message, and from a shortcut', async () => {
  const harness = await startHarness();
  const { origin } = await servePage(harness);
  const ana = await openAs(origin, 'ana');
  const { ts } = harness.ben.say('A-1001, please', { channel: '#support' });
  harness.ben.say('Anybody?', { channel: '#support', thread_ts: ts });
  const id = ana.modal().getByRole('textbox', { name: 'Order id' });
  const close = async () => {
    await ana.page.keyboard.press('Escape');
    await ana.modal().waitFor({ state: 'detached' });
  };

  await ana.openThreadOf('A-1001, please');
  const reply = ana.thread().getByRole('textbox', { name: 'Reply' });
  await reply.fill('@coun');
  await ana.page.getByRole('option', { name: /@Countermand/ }).click();
  await reply.pressSequentially('cancel A-1001');
  await reply.press('Enter');
  const answer = ana.message(/Only visible to you/, ana.thread());
  await answer.getByRole('button', { name: /^Cancel/ }).click();
  await expect.poll(() => id.inputValue()).toBe('A-1001');
  await close();

  await ana.openConversation('Countermand');
  await ana.page.getByRole('main', { name: 'Countermand', exact: true }).waitFor();
  await ana.send('cancel A-1002');
  await ana
    .channel()
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await expect.poll(() => id.inputValue()).toBe('A-1002');
  await close();

  await ana.page.getByRole('button', { name: 'Shortcuts' }).click();
  await ana.page.getByRole('button', { name: 'Send an offer', exact: true }).click();
  await ana.modal().getByRole('textbox', { name: 'Offer id' }).waitFor();
});
