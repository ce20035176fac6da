/** Installing the bot in the browser: the workspace, the bot's own page, Slack's page, and back. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startSandbox } from '../support/processes/sandbox-process.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs, type PersonPage } from './support/person-page.ts';

needsChromium();

/** Presses the link of the workspace, and the bot's own; gives Slack's page, which is another one. */
async function toAuthorizePage({ page }: PersonPage): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Install Countermand' }).press('Enter');
  const install = await opened;
  await install.getByRole('link', { name: 'Add to Slack' }).press('Enter');
  await install.getByRole('heading', { name: /is requesting permission/ }).waitFor();
  return install;
}

test('installing is for the chosen workspace and person; denying it changes nothing, and whoever allows it finds a message', async () => {
  const { address } = await startSandbox('--install');
  const olga = await openAs(address, 'olga');
  const denied = await toAuthorizePage(olga);
  await denied.getByLabel('Workspace').selectOption('Globex');
  await denied.getByRole('button', { name: 'Choose' }).click();
  await denied.getByRole('heading', { name: 'access the Globex workspace' }).waitFor();
  await denied.getByLabel('You are').selectOption('Gus Globex');
  await denied.getByRole('button', { name: 'Deny' }).click();
  await denied.getByText('Countermand was not installed').waitFor();
  await olga.page.getByRole('button', { name: 'Globex, without Countermand' }).waitFor();

  // By keyboard.
  const allowed = await toAuthorizePage(olga);
  await allowed.getByRole('heading', { name: 'access the Acme Support workspace' }).waitFor();
  await allowed.getByText('Send messages as the app').waitFor();
  await allowed.getByLabel('You are').press('Tab');
  await allowed.keyboard.press('Tab');
  await allowed.keyboard.press('Enter');
  await allowed.getByText('Countermand is installed').waitFor();
  await olga.openConversation('Countermand');
  await olga
    .message(/Countermand/)
    .getByRole('button')
    .first()
    .waitFor();
  expect(await olga.page.getByRole('link', { name: 'Install Countermand' }).count()).toBe(0);
});
