/** Installs the bot in a workspace, as a browser does that follows Slack's pages. */
import type { Slack } from '../../../sandbox/slack/start.ts';

/** @param url of the bot @param who an admin of that workspace */
export async function install(
  slack: Slack,
  url: string,
  { who, team }: { who: string; team: string },
): Promise<void> {
  const page = await fetch(new URL('/slack/install', url), { redirect: 'manual' });
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const [, link = ''] = (await page.text()).match(/class="button" href="([^"]*)"/) ?? [];
  const back = slack.person(who).authorize(link.replaceAll('&amp;', '&'), { team });
  const done = await fetch(back, { headers: { cookie }, redirect: 'manual' });
  await done.text();
  if (done.status >= 400) throw new Error(`The bot could not be installed: ${done.status}`);
}
