/** Implements how the bot finds the installation of SLACK_BOT_TOKEN. */
import { createHash } from 'node:crypto';
import type { Log } from '../../outbox/ports.ts';
import { isOrganization } from '../../workspaces/installation/installation-record.ts';
import type { TokenWorkspaces } from '../../workspaces/installation/token-workspace.ts';
import {
  isTokenDead,
  isTokenRefused,
  TokenDeadError,
  TokenRefusedError,
  type TokenWatch,
} from '../client/access.ts';
import { platformCode } from '../client/call-slack.ts';
import { type SlackApi, webClient } from '../client/clients.ts';
import type { Installation, Installations } from '../client/installation.ts';

const TIMEOUT_MS = 5_000;

type Deps = { api: SlackApi; tokenWorkspaces: TokenWorkspaces; log: Log } & Pick<TokenWatch, 'checkScopes'>;

/**
 * Finds the one workspace of SLACK_BOT_TOKEN. Slack is asked for it once, and daily; a failed call is repeated the next time. If
 * the token is dead at the start, the stored workspace is used.
 */
export function createSingleInstallation(botToken: string, deps: Deps): Installations {
  const { tokenWorkspaces } = deps;
  // The token identifies the installation: a reinstall needs a new token and a restart.
  const generation = createHash('sha256').update(botToken).digest('base64url');
  const ask = () => askWorkspace(deps, botToken, generation);
  /** Undefined before Slack has named the workspace, and again once the token is found dead or its data are removed. */
  let known: Installation | undefined;

  async function find(workspace: string): Promise<Installation | undefined> {
    known ??= await ask();
    return known.workspace === workspace ? known : undefined;
  }

  const isReplaced = (workspace: string) => tokenWorkspaces.isReplaced({ generation, workspace });
  const findAccepted = (workspace: string) => find(workspace).catch(unless(isTokenRefused));

  async function* ownWorkspace(): AsyncGenerator<string, void> {
    // Slack is asked each time, so that the workspace is stored again after a purge beside the running bot.
    if (!known || !(await isReplaced(known.workspace)))
      known = await ask().catch((error) => known ?? unless(isTokenRefused)(error));
    if (known) yield known.workspace;
  }

  return {
    find,
    // Slack names the one workspace of the token, and no other one is served.
    memberOf: async () => undefined,
    async prepare() {
      known = await ask().catch(async (error) => {
        const code = platformCode(error);
        // While the storage can't be read, the start goes on waiting: the error is then Slack's own.
        const finding = isTokenDead(code) ? tokenWorkspaces.find(generation) : undefined;
        const stored = await finding?.catch(() => Promise.reject(error));
        if (stored) known = { ...stored, botToken };
        throw explained(error, stored?.workspace);
      });
      return { installed: 'SLACK_BOT_TOKEN', workspace: known.workspace };
    },
    ids: ownWorkspace,
    async *workspacesOf() {},
    hasOthers: async () => false,
    isBot: async (user) => user === known?.botUserId,
    /** Asks Slack each time: the token may have been revoked since its workspace was read, and then it serves none. */
    async servedBy(workspace) {
      if (await isReplaced(workspace)) return workspace;
      if (!(await findAccepted(workspace))) return undefined;
      known = await ask().catch(unless(isTokenDead));
      return known?.workspace;
    },
    // While replicas are restarted with a new token, those with the dead one must remove nothing.
    installed: async ({ workspace, organization }) =>
      organization === undefined && (await findAccepted(workspace)) && !(await isReplaced(workspace))
        ? { generation, workspaces: [workspace] }
        : undefined,
    organizationOf: async () => undefined,
    setOrganization: async () => {},
    token: async (id) => (await find(id))?.botToken,
    isNotRenewed: async () => false,
    // The stored workspace is forgotten last, after the sweep: it is needed after a restart in between.
    async removeInstallation({ workspace }) {
      if (known?.workspace === workspace) known = undefined;
      else if (!(await isReplaced(workspace))) await tokenWorkspaces.forget(workspace);
      return true;
    },
    claimRemoval: async (workspace) => ({
      owner: 'the operator',
      // A restarted replica may have another token by now.
      isHeld: async () => !(await isReplaced(workspace)),
      release: async () => {},
    }),
  };
}

/** Asks Slack for the workspace of the token, and stores it. */
async function askWorkspace(
  { api, checkScopes, tokenWorkspaces, log }: Deps,
  botToken: string,
  generation: string,
): Promise<Installation> {
  const answer = await webClient(botToken, api, TIMEOUT_MS).auth.test();
  const { team_id, user_id } = answer;
  if (!team_id || !user_id) throw new Error('Slack did not name the workspace of SLACK_BOT_TOKEN.');
  const problem = problemOfPlace(team_id);
  if (problem !== undefined) throw new TokenRefusedError(problem);
  checkScopes(team_id, answer);
  const named = { workspace: team_id, botUserId: user_id };
  // A full Redis must not keep the bot from starting: retention makes room there.
  await tokenWorkspaces
    .learn({ ...named, generation })
    .catch((err) => log.warn({ workspace: team_id, err }, 'workspace of SLACK_BOT_TOKEN not stored'));
  return { ...named, botToken };
}

/**
 * @param id the place that auth.test names for SLACK_BOT_TOKEN: of an organization's token, the organization
 * @returns a sentence, if the token serves no workspace
 */
export const problemOfPlace = (id: string): string | undefined =>
  isOrganization(id)
    ? `SLACK_BOT_TOKEN is the token of an organization (${id}), and the bot works with that of one workspace. Set it to the token of a workspace, or use OAuth (docs/configuration.md, "Several workspaces").`
    : undefined;

/**
 * Adds to an error what to do if Slack refuses the token.
 *
 * @param stored the workspace of a dead token
 */
function explained(error: unknown, stored: string | undefined): unknown {
  const code = platformCode(error);
  if (!isTokenRefused(code)) return error;
  const refusal = `Slack does not accept SLACK_BOT_TOKEN (${code}).`;
  if (stored !== undefined)
    return new TokenDeadError(
      `${refusal} Install the app again, set the new token and restart: otherwise all data of ${stored} are removed, at the latest a day after the token was first found dead.`,
      { cause: error },
    );
  return new TokenRefusedError(
    `${refusal} Copy it again from the page "OAuth & Permissions" of the app. If the app was removed for good, "countermand purge" removes what is stored.`,
    { cause: error },
  );
}

/** Returns a handler of errors: undefined for these codes of Slack. @throws any other error */
const unless =
  (isOf: (code: string | undefined) => boolean) =>
  (error: unknown): undefined => {
    if (!isOf(platformCode(error))) throw error;
  };
