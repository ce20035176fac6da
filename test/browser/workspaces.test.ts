/** Several workspaces in the browser: changing from one to another, installing the bot, and taking it away. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openWorkspaces } from './support/workspaces.ts';

needsChromium();

describe('several workspaces', () => {
  test('each has its own people and channels, is followed live, and has labels, roles and contrast', async () => {
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

    await rail.getByRole('button', { name: 'Initech Support' }).click();
    await ana.page.getByRole('link', { name: 'Install Countermand' }).waitFor();
    // The inspector's first tab is the only one that scrolls without a button or a link in it.
    expect(await violations(ana.page)).toEqual([]);
    await ana.inspector('Workspaces');
    expect(await violations(ana.page)).toEqual([]);
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

test('Slack’s pages that ask whether the bot is allowed, or say what is wrong, have labels, roles and contrast', async () => {
  const { ana, slack, bot } = await openWorkspaces();
  const pages = [
    ['commands,users:read', /is requesting permission/],
    ['make:coffee', /went wrong/],
  ] as const;
  for (const [scope, heading] of pages) {
    const query = new URLSearchParams({ client_id: slack.clientId, redirect_uri: bot.url, scope });
    await ana.page.goto(new URL(`../oauth/v2/authorize?${query}`, slack.apiUrl).href);
    await ana.page.getByRole('heading', { name: heading }).waitFor();
    expect(await violations(ana.page), scope).toEqual([]);
  }
});
