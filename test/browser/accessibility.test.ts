/** Accessibility for people who use a screen reader or the keyboard, as axe checks it. */
import { describe, expect, test } from 'vitest';
import { startHarness } from '../support/e2e/harness.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';
import { openWorkspaces } from './support/workspaces.ts';

needsChromium();

describe('for everybody, there are labels, roles and contrast', () => {
  test('in the workspace and a thread', async () => {
    const harness = await startHarness();
    const ana = await openAs((await servePage(harness)).origin, 'ana');
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await ana.react('Cancel order A-2001', 'x');
    await ana.openThreadOf('Cancel order A-2001');
    expect(await violations(ana.page)).toEqual([]);
  });

  test.each(['Order service', 'Traffic'] as const)('the inspector, under %s', async (tab) => {
    const harness = await startHarness();
    const ana = await openAs((await servePage(harness)).origin, 'ana');
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await ana.inspector(tab);
    expect(await violations(ana.page)).toEqual([]);
  });

  test('in a modal, and at the field that is wrong', async () => {
    const harness = await startHarness();
    const ana = await openAs((await servePage(harness)).origin, 'ana');
    await ana.send('/cancel-order');
    await ana.modal().getByRole('textbox', { name: 'Order id' }).waitFor();
    await ana.submit();
    await ana.modal().getByText('Please complete this required field.').waitFor();
    expect(await violations(ana.page)).toEqual([]);
  });

  test('with several workspaces, and in the list of them in the inspector', async () => {
    const { ana, rail } = await openWorkspaces();
    await rail.getByRole('button', { name: 'Initech Support' }).click();
    await ana.page.getByRole('link', { name: 'Install Countermand' }).waitFor();
    expect(await violations(ana.page)).toEqual([]);
    await ana.inspector('Workspaces');
    expect(await violations(ana.page)).toEqual([]);
  });

  test.each([
    ['asks whether the bot is allowed', 'commands,users:read', /is requesting permission/],
    ['says what is wrong', 'make:coffee', /went wrong/],
  ])('on Slack’s page that %s', async (_, scope, heading) => {
    const { ana, slack, bot } = await openWorkspaces();
    const query = new URLSearchParams({ client_id: slack.clientId, redirect_uri: bot.url, scope });
    await ana.page.goto(new URL(`../oauth/v2/authorize?${query}`, slack.apiUrl).href);
    await ana.page.getByRole('heading', { name: heading }).waitFor();
    expect(await violations(ana.page)).toEqual([]);
  });
});
