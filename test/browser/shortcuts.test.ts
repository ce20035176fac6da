/** The shortcuts that the app's manifest adds to Slack's menus. */
import { describe, expect, test } from 'vitest';
import { needsChromium } from './support/chromium.ts';
import { openRawApp } from './support/raw-app.ts';

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
