/** The bot's Web API clients for the workspaces of a local Slack, without any storage. */
import { onTestFinished } from 'vitest';
import type { Slack } from '../../sandbox/slack/start.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { createTokenWatch, type TokenWatch } from '../../src/slack/client/access.ts';
import { boltLogger, createSlackClients, type SlackClients } from '../../src/slack/client/clients.ts';
import { createSlackRateLimits } from '../../src/slack/client/rate-limits.ts';
import { createSlackAgent, type SlackCall, sendOver } from '../../src/slack/client/slack-fetch.ts';
import { createRateLimiter } from '../../src/storage/rate-limiter.ts';

/**
 * @param botTokenOf the token to use in place of the installation's own
 * @param onPause called with each call that Slack answered with a 429
 * @param more `organization`: that of the installation; a test may change it
 */
export function slackClientsTo(
  slack: Slack,
  botTokenOf = (token: string) => token,
  onPause: (call: SlackCall) => void = () => {},
  more: { organization?: string; tokenWatch?: TokenWatch } = {},
): SlackClients {
  const dispatcher = createSlackAgent();
  onTestFinished(() => dispatcher.destroy());
  const { tokenWatch = createTokenWatch(SILENT) } = more;
  const find = async (workspace: string) => {
    const found = slack.world.installations.get(workspace);
    if (!found) return undefined;
    const { token, bot_user_id: botUserId } = found;
    return {
      workspace,
      botToken: botTokenOf(token),
      botUserId,
      ...(more.organization && { organization: more.organization }),
    };
  };
  const rateLimits = createSlackRateLimits(createRateLimiter(), { postsPerMinute: 60 }, SILENT);
  return createSlackClients(
    { find, memberOf: async () => undefined },
    {
      apiUrl: new URL(slack.apiUrl),
      logger: boltLogger(SILENT),
      send: sendOver(dispatcher),
      rateLimits: {
        ...rateLimits,
        pauseAfter(workspace, call, answer) {
          if (answer.status === 429) onPause(call);
          return rateLimits.pauseAfter(workspace, call, answer);
        },
      },
      tokenWatch,
      monotonic: () => performance.now(),
    },
  );
}
