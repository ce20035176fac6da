/** Refuses a terminal command for a workspace in which the bot is not installed. */
import type { Adapters } from '../compose/adapters.ts';
import { SILENT } from '../compose/adapters.ts';
import type { Config } from '../config.ts';
import { boltLogger } from '../slack/client/bolt-logger.ts';
import { failureOf } from '../slack/client/failure.ts';
import { createSlackAgent, sendOver } from '../slack/client/slack-fetch.ts';
import { INSTALL_PATH } from '../slack/install/installer.ts';
import { createSingleInstallation } from '../slack/install/single-installation.ts';
import { createStoredInstallations } from '../slack/install/stored-installations.ts';

/** @throws with a message that says what to do */
export async function mustBeInstalledIn(
  workspace: string,
  config: Config,
  stores: Pick<Adapters, 'installations' | 'organizations'>,
): Promise<void> {
  const { installing } = config.slack;
  if (installing.type === 'token') await mustBeOf(workspace, config, installing.botToken);
  else await mustBeStored(workspace, config, stores);
}

/** Asks Slack for the workspace of the bot token (https://docs.slack.dev/reference/methods/auth.test). */
async function mustBeOf(workspace: string, { slack }: Config, botToken: string): Promise<void> {
  const api = { apiUrl: slack.apiUrl, logger: boltLogger(SILENT), send: sendOver(createSlackAgent()) };
  const installation = createSingleInstallation(botToken, api, SILENT);
  const [known] = await Array.fromAsync(installation.workspaces()).catch((error) => {
    throw new Error(
      `Slack did not answer in which workspace the bot is installed (${failureOf(error).code}). Nothing was saved. Check SLACK_BOT_TOKEN, and try again.`,
    );
  });
  if (known === workspace) return;
  throw new Error(
    `The bot is installed in ${known}, not in ${workspace}. Nothing was saved. Use --workspace ${known}, or set SLACK_BOT_TOKEN to the bot token of ${workspace}.`,
  );
}

async function mustBeStored(
  workspace: string,
  { publicUrl }: Config,
  { installations, organizations }: Pick<Adapters, 'installations' | 'organizations'>,
): Promise<void> {
  const freshen = async <T>(stored: T) => stored;
  const { servedBy } = createStoredInstallations(installations, organizations, { freshen });
  if ((await servedBy(workspace)) !== undefined) return;
  const page = new URL(INSTALL_PATH.slice(1), publicUrl).href;
  throw new Error(
    `Countermand is not installed in ${workspace}. Nothing was saved. Install it there first: ${page}. If its organization has installed it, type /countermand help in that workspace once, and try again.`,
  );
}
