/** The one workspace that SLACK_BOT_TOKEN belongs to. */
import { webApi } from '@slack/bolt';
import type { Logger } from './bolt-logger.ts';
import type { Installation, Installations } from './clients.ts';

const TIMEOUT_MS = 5_000;

/** Slack is asked once whose token it is; a question that failed is asked again the next time. */
export function createSingleInstallation(
  botToken: string,
  { apiUrl, logger }: { apiUrl: URL; logger: Logger },
): Installations & { identify(): Promise<Installation> } {
  const client = new webApi.WebClient(botToken, {
    slackApiUrl: apiUrl.href,
    logger,
    timeout: TIMEOUT_MS,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
  let known: Installation | undefined;

  async function identify(): Promise<Installation> {
    if (known) return known;
    const { team_id, bot_id, user_id } = await client.auth.test();
    if (!team_id || !bot_id || !user_id) throw new Error('Slack did not say whose token SLACK_BOT_TOKEN is.');
    known = { workspace: team_id, botToken, botId: bot_id, botUserId: user_id };
    return known;
  }

  return {
    identify,
    find: async (workspace) => {
      const installation = await identify();
      return installation.workspace === workspace ? installation : undefined;
    },
  };
}
