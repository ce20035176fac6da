/** Implements installations for the one workspace of SLACK_BOT_TOKEN. */
import { isTokenRefused, TokenRefusedError, type TokenWatch } from '../client/access.ts';
import { type SlackApi, webClient } from '../client/clients.ts';
import { platformCode } from '../client/failure.ts';
import type { Installation, Installations } from '../client/installations.ts';

const TIMEOUT_MS = 5_000;

/** Asks Slack once for the workspace of the token; a failed call is repeated the next time. */
export function createSingleInstallation(
  botToken: string,
  api: SlackApi,
  { checkScopes }: Pick<TokenWatch, 'checkScopes'>,
): Installations {
  const client = webClient(botToken, api, TIMEOUT_MS);
  let known: Installation | undefined;

  async function identify(): Promise<Installation> {
    if (known) return known;
    const answer = await client.auth.test();
    const { team_id, bot_id, user_id } = answer;
    if (!team_id || !bot_id || !user_id)
      throw new Error('Slack did not name the workspace of SLACK_BOT_TOKEN.');
    checkScopes(team_id, answer);
    known = { workspace: team_id, botToken, botId: bot_id, botUserId: user_id };
    return known;
  }

  async function find(workspace: string): Promise<Installation | undefined> {
    const installation = await identify();
    return installation.workspace === workspace ? installation : undefined;
  }

  return {
    find,
    prepare: async () => ({
      installed: 'SLACK_BOT_TOKEN',
      workspace: (await identify().catch(explain)).workspace,
    }),
    async *workspaces() {
      yield (await identify()).workspace;
    },
    servedBy: async (workspace) => (await find(workspace))?.workspace,
    // The token identifies the installation: a reinstall needs a new token and a restart.
    installed: async ({ workspace, organization }) =>
      organization === undefined && (await find(workspace))
        ? { generation: 'SLACK_BOT_TOKEN', workspaces: [workspace] }
        : undefined,
    token: async ({ workspace }) => (await find(workspace))?.botToken,
    // Only an operator can remove it from the environment.
    remove: async () => true,
    // Nobody can install another one.
    claimRemoval: async () => ({ owner: 'the operator', isHeld: async () => true, release: async () => {} }),
  };
}

/** @throws TokenRefusedError if every later attempt would fail, too */
function explain(error: unknown): never {
  const code = platformCode(error);
  if (!isTokenRefused(code)) throw error;
  throw new TokenRefusedError(
    `Slack does not accept SLACK_BOT_TOKEN (${code}). Copy it again from the page "OAuth & Permissions" of the app.`,
    { cause: error },
  );
}
