/** Asks Slack whether a bot token still works, and where. */
import { failureOf } from '../client/failure.ts';
import { type SlackApi, webClient } from '../client/web-client.ts';

const TIMEOUT_MS = 7_000;

/** `unknown`: Slack gave no answer that tells. */
export type Check = 'stands' | 'gone' | 'unknown';

/** The answers of `auth.test` for a token that will never work again (https://docs.slack.dev/reference/methods/auth.test). */
const GONE: ReadonlySet<string> = new Set(['account_inactive', 'token_revoked', 'invalid_auth']);

/** @param token undefined where none is stored: nobody can tell. Never throws */
export async function checkInstalled(token: string | undefined, api: SlackApi): Promise<Check> {
  if (token === undefined) return 'unknown';
  try {
    await webClient(token, api, TIMEOUT_MS).auth.test();
    return 'stands';
  } catch (error) {
    return toCheck(error);
  }
}

/** Slack's largest page (https://docs.slack.dev/reference/methods/auth.teams.list). */
const PAGE = 1_000;

/**
 * Whether the installation of an organization still has access to one of the workspaces.
 *
 * @param token of the organization; undefined where none is stored: nobody can tell. Never throws
 */
export async function checkAccess(
  token: string | undefined,
  workspace: string,
  api: SlackApi,
): Promise<Check> {
  if (token === undefined) return 'unknown';
  try {
    const client = webClient(token, api, TIMEOUT_MS);
    for await (const page of client.paginate('auth.teams.list', { limit: PAGE })) {
      const { teams = [] } = page as { teams?: { id?: string }[] };
      if (teams.some(({ id }) => id === workspace)) return 'stands';
    }
    return 'gone';
  } catch (error) {
    return toCheck(error);
  }
}

const toCheck = (error: unknown): Check => (GONE.has(failureOf(error).code) ? 'gone' : 'unknown');
