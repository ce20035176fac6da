/** Several workspaces, in which the bot is installed or not. */
import { onTestFinished } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { SEVERAL_WORKSPACES, seedGlobex } from '../../../sandbox/start.ts';
import { startReceiver } from '../../../sandbox/test/support/receiver.ts';
import { openAs } from './person-page.ts';
import { servePage } from './sandbox.ts';

/** Four workspaces, the bot installed in two of them, and Ana in front of the page. */
export async function openWorkspaces() {
  const journal = createJournal();
  const slack = await startSlack({ journal, ...SEVERAL_WORKSPACES });
  const bot = await startReceiver();
  onTestFinished(async () => {
    await slack.close();
    await bot.close();
  });
  slack.connectApp({ requestUrl: bot.url });
  seedGlobex(slack.admin);
  for (const team of [SEED.team, SEED.otherTeam]) slack.admin.install(team);
  const { origin } = await servePage({ slack, journal, installUrl: bot.url });
  const ana = await openAs(origin, 'ana');
  const rail = ana.page.getByRole('navigation', { name: 'Workspaces' });
  const dock = ana.page.getByRole('complementary', { name: 'Inspector' });
  return { slack, bot, ana, rail, dock };
}
