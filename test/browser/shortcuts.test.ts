/** Ways to the app beside its commands: the shortcuts in Slack's menus, mentions and direct messages. */
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startHarness } from '../support/e2e/harness.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { openRawApp } from './support/raw-app.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

describe('shortcuts', () => {
  test('of messages stand in the menu of a message, and tell the app which one it was', async () => {
    const { ana, slack, received } = await openRawApp();
    const { ts } = slack.person('ben').say('Please cancel A-2001', { channel: '#support' });
    const message = ana.message('Please cancel A-2001');
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await message.getByRole('button', { name: 'Cancel this order' }).click();
    expect(await received('message_action')).toMatchObject({ callback_id: 'cancel_it', message_ts: ts });
  });

  test('of the whole workspace stand beside the composer', async () => {
    const { ana, received } = await openRawApp();
    await ana.page.getByRole('button', { name: 'Shortcuts' }).click();
    await ana.page.getByRole('button', { name: 'Look up an order' }).click();
    expect(await received('shortcut')).toMatchObject({ callback_id: 'look_up' });
  });
});

describe('the real app, as in Slack', () => {
  /** Ana, and what she reads after she has pressed the app's button to its form. */
  async function openDesk() {
    const harness = await startHarness();
    const { origin } = await servePage(harness);
    const ana = await openAs(origin, 'ana');
    const openForm = async (within: Locator) => {
      await within.getByRole('button', { name: /^Cancel/ }).click();
      return ana.modal().getByRole('textbox', { name: 'Order id' });
    };
    return { ...harness, ana, openForm };
  }

  test('is mentioned in a thread by its name, and answers there with a button that opens the form', async () => {
    const { ana, ben, openForm } = await openDesk();
    const { ts } = ben.say('A-1001, please', { channel: '#support' });
    ben.say('Anybody?', { channel: '#support', thread_ts: ts });
    await ana.openThreadOf('A-1001, please');
    const reply = ana.thread().getByRole('textbox', { name: 'Reply' });
    await reply.fill('@coun');
    await ana.page.getByRole('option', { name: /@Countermand/ }).click();
    await reply.pressSequentially('cancel A-1001');
    await reply.press('Enter');
    const answer = ana.message(/Only visible to you/, ana.thread());
    const id = await openForm(answer);
    await expect.poll(() => id.inputValue()).toBe('A-1001');
  });

  test('takes a direct message', async () => {
    const { ana, openForm } = await openDesk();
    await ana.openConversation('Countermand');
    await ana.page.getByRole('main', { name: 'Countermand', exact: true }).waitFor();
    await ana.send('cancel A-1002');
    const id = await openForm(ana.channel());
    await expect.poll(() => id.inputValue()).toBe('A-1002');
  });

  test('opens its form from the shortcuts beside the composer', async () => {
    const { ana } = await openDesk();
    await ana.page.getByRole('button', { name: 'Shortcuts' }).click();
    await ana.page.getByRole('button', { name: 'Send an offer', exact: true }).click();
    await ana.modal().getByRole('textbox', { name: 'Offer id' }).waitFor();
  });
});
