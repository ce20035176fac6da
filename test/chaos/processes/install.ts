/** Installs the bot in a workspace, as a browser does that follows Slack's pages. */
import type { Slack } from '../../../sandbox/slack/start.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';

/** @param url of the bot @param who an admin of that workspace */
export async function install(
  slack: Slack,
  url: string,
  { who, team }: { who: string; team: string },
): Promise<void> {
  const { status } = await openBrowser({ slack, url }).install(who, { team });
  if (status >= 400) throw new Error(`The bot could not be installed: ${status}`);
}
