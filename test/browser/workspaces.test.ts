/** Several workspaces in the browser: changing from one to another, and taking the bot away. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../sandbox/lib/journal.ts';
import { furnishGlobex, SEVERAL_WORKSPACES } from '../../sandbox/several-workspaces.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed.ts';
import { startReceiver } from '../sandbox/support/receiver.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

/** Four workspaces, the bot installed in two of them, and Ana in front of the page. */
async function openWorkspaces() {
  const journal = createJournal();
  const slack = await startSlack({ journal, ...SEVERAL_WORKSPACES });
  const bot = await startReceiver();
  onTestFinished(async () => {
    await slack.close();
    await bot.close();
  });
  slack.connectApp({ requestUrl: bot.url });
  furnishGlobex(slack.admin);
  for (const team of [SEED.team, SEED.otherTeam]) slack.admin.install(team);
  const { origin } = await servePage({ slack, journal, installUrl: bot.url });
  const ana = await openAs(origin, 'ana');
  const rail = ana.page.getByRole('navigation', { name: 'Workspaces' });
  const dock = ana.page.getByRole('complementary', { name: 'Backstage' });
  return { slack, bot, ana, rail, dock };
}

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
    expect(await violations(ana.page)).toEqual([]);

    await rail.getByRole('button', { name: 'Acme Support' }).click();
    await ana.page.getByRole('main', { name: '#support' }).waitFor();
    expect(await ana.message('Hello Globex').count()).toBe(0);
  });

  test('an admin uninstalls the bot from one of them; the others keep it', async () => {
    const { ana, rail, dock, slack, bot } = await openWorkspaces();
    await ana.backstage('Workspaces');
    expect(await violations(ana.page)).toEqual([]);
    await dock.getByRole('button', { name: 'Uninstall from Acme Support' }).click();
    await dock.getByText('Countermand was uninstalled.').waitFor();
    await rail.getByRole('button', { name: 'Acme Support, without Countermand' }).waitFor();
    await ana.page.getByRole('link', { name: 'Install Countermand' }).waitFor();
    await ana.send('/countermand help');
    await ana.page.getByRole('paragraph').filter({ hasText: 'the app is not installed' }).waitFor();
    expect(slack.installation(SEED.otherTeam).status).toBe('active');

    const opened = ana.page.context().waitForEvent('page');
    await dock.getByRole('link', { name: 'Install in Acme Support', exact: true }).click();
    await (await opened).waitForURL(bot.url);
  });
});
