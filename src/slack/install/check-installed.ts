/** Checks whether the bot is still installed, and with the scopes that it needs. */
import type { Log } from '../../outbox/ports.ts';
import { ifUnopened } from '../../workspaces/cipher.ts';
import type { InstallationStore } from '../../workspaces/installation/installations.ts';
import type { Check, InstallationRef } from '../../workspaces/installation/uninstall-record.ts';
import { isTokenDead, missingScopes, SCOPES } from '../client/access.ts';
import { failureOf } from '../client/call-slack.ts';
import { type SlackApi, webClient } from '../client/clients.ts';
import type { Installations } from '../client/installation.ts';
import { listTeams } from './listed-workspaces.ts';

const TIMEOUT_MS = 7_000;

export function createChecks(
  { token, isNotRenewed }: Pick<Installations, 'token' | 'isNotRenewed'>,
  api: SlackApi,
) {
  const tokenOf = (id: string) => token(id).catch(() => undefined);

  /**
   * Reads Slack's refusal of a token. It says nothing about the installation once another token is stored: Slack keeps two of an
   * installation, so one that a process read hours ago may be dead while the app is installed.
   */
  async function refused(id: string, asked: string, error: unknown): Promise<'gone' | 'refused' | 'unknown'> {
    return (await tokenOf(id)) === asked ? toCheck(error) : 'unknown';
  }

  async function access(organization: string): Promise<ReadonlySet<string> | Exclude<Check, 'stands'>> {
    const botToken = await tokenOf(organization);
    if (botToken === undefined) return 'unknown';
    return listTeams(botToken, api, TIMEOUT_MS).catch((error) => refused(organization, botToken, error));
  }

  return {
    /**
     * Asks whether an installation's bot token works, or whether an organization still has access to a workspace: it has
     * none with a dead token. Never throws.
     */
    async checkInstalled({ workspace, organization }: InstallationRef): Promise<Check> {
      if (organization !== undefined) {
        const listed = await access(organization);
        if (typeof listed === 'string') return listed;
        return listed.has(workspace) ? 'stands' : 'gone';
      }
      const botToken = await tokenOf(workspace);
      if (botToken === undefined) return 'unknown';
      const client = webClient(botToken, api, TIMEOUT_MS);
      return client.auth.test().then(
        () => 'stands' as const,
        async (error) => {
          const isOver =
            failureOf(error).code === 'token_expired' && (await isNotRenewed(workspace).catch(() => false));
          return isOver ? 'expired' : refused(workspace, botToken, error);
        },
      );
    },
    /** Lists the workspaces to which an organization has access. Never throws. @returns undefined if Slack did not say */
    async listAccess(organization: string): Promise<ReadonlySet<string> | undefined> {
      const listed = await access(organization);
      return typeof listed === 'string' ? undefined : listed;
    },
  };
}

/** Reads an error of any method (https://docs.slack.dev/reference/methods/auth.test#errors). */
function toCheck(error: unknown): 'gone' | 'refused' | 'unknown' {
  const { code } = failureOf(error);
  if (isTokenDead(code)) return 'gone';
  // "Either the provided token is invalid or the request originates from an IP address disallowed from making the request."
  return code === 'invalid_auth' ? 'refused' : 'unknown';
}

/**
 * Compares the scopes granted to each installation with those that the bot needs, and logs one line about all that lack
 * any.
 */
export async function checkScopesOfAll(
  store: Pick<InstallationStore, 'ids' | 'facts'>,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  const lacking: string[] = [];
  const missing = new Set<string>();
  for await (const id of store.ids()) {
    if (stopping.aborted) return;
    // An installation that can't be read is counted by the check of the keys.
    const facts = await store.facts(id).catch(ifUnopened(undefined));
    const scopes = missingScopes(facts?.scopes ?? SCOPES);
    if (scopes.length > 0) lacking.push(id);
    for (const scope of scopes) missing.add(scope);
  }
  if (lacking.length === 0) return;
  log.error(
    {
      event: 'slack_scopes_missing',
      installations: lacking.length,
      // All of them: the metrics count each until it is granted the scopes.
      lacking,
      missing: [...missing],
    },
    'bot tokens lack scopes that Countermand needs: install it in these workspaces again',
  );
}
