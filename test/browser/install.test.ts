/** Installing the bot in the browser: the workspace, the bot's own page, Slack's page, and back. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
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

describe('installing in the browser', () => {
  test('goes by keyboard; whoever allows it finds a direct message', async () => {
    const { address } = await startSandbox('--install');
    const olga = await openAs(address, 'olga');
    const install = await toAuthorizePage(olga);
    await install.getByRole('heading', { name: 'access the Acme Support workspace' }).waitFor();
    await install.getByText('Send messages as the app').waitFor();

    await install.getByLabel('You are').press('Tab');
    await install.keyboard.press('Tab');
    await install.keyboard.press('Enter');
    await install.getByText('Countermand is installed').waitFor();

    await olga.openConversation('Countermand');
    await olga
      .message(/Countermand/)
      .getByRole('button')
      .first()
      .waitFor();
    expect(await olga.page.getByRole('link', { name: 'Install Countermand' }).count()).toBe(0);
  });

  test('is for the workspace and the person that are chosen; who denies it has changed nothing', async () => {
    const { address } = await startSandbox('--install');
    const olga = await openAs(address, 'olga');
    const install = await toAuthorizePage(olga);
    await install.getByLabel('Workspace').selectOption('Globex');
    await install.getByRole('button', { name: 'Choose' }).click();
    await install.getByRole('heading', { name: 'access the Globex workspace' }).waitFor();
    await install.getByLabel('You are').selectOption('Gus Globex');
    await install.getByRole('button', { name: 'Deny' }).click();
    await install.getByText('Countermand was not installed').waitFor();
    await olga.page.getByRole('button', { name: 'Globex, without Countermand' }).waitFor();
    await olga.page.getByRole('link', { name: 'Install Countermand' }).waitFor();
  });
});
