/** Several workspaces in the browser: changing from one to another, installing the bot, and taking it away. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openWorkspaces } from './support/workspaces.ts';

needsChromium();

describe('several workspaces', () => {
  test('each has its own people and channels, and is followed live', async () => {
    const { slack, ana, rail } = await openWorkspaces();
    const globex = rail.getByRole('button', { name: 'Globex' });
    await globex.focus();
    await globex.press('Enter');
    await ana.page.getByRole('heading', { name: 'Globex', level: 1 }).waitFor();
    expect(await globex.getAttribute('aria-current')).toBe('true');
    const people = await ana.page.getByLabel('Act as').getByRole('option').allTextContents();
    expect(people).toEqual(['Gus Globex', 'Greta Globex · admin']);
    await ana.openConversation('#globex-support');
    slack.person('greta').say('Hello Globex', { channel: '#globex-support' });
    await ana.message('Hello Globex').waitFor();

    await rail.getByRole('button', { name: 'Acme Support' }).click();
    await ana.page.getByRole('main', { name: '#support' }).waitFor();
    expect(await ana.message('Hello Globex').count()).toBe(0);
  });

  test('an admin uninstalls the bot from one of them; the others keep it', async () => {
    const { ana, rail, dock, slack, bot } = await openWorkspaces();
    await ana.inspector('Workspaces');
    await dock.getByRole('button', { name: 'Uninstall from Acme Support' }).click();
    await dock.getByText('Countermand was uninstalled.').waitFor();
    await rail.getByRole('button', { name: 'Acme Support, without Countermand' }).waitFor();
    await ana.page.getByRole('link', { name: 'Install Countermand' }).waitFor();
    await ana.send('/countermand help');
    await ana.page
      .getByRole('status')
      .filter({ hasText: 'Countermand is not installed in Acme Support.' })
      .waitFor();
    expect(slack.installation(SEED.otherTeam).status).toBe('active');

    const opened = ana.page.context().waitForEvent('page');
    await dock.getByRole('link', { name: 'Install in Acme Support', exact: true }).click();
    await (await opened).waitForURL(bot.url);
  });
});

describe('labels, roles and contrast, as axe checks them, are there for everybody', () => {
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
