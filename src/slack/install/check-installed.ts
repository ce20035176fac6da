/** Asks Slack whether a bot token still works, and where. */

import { type SlackApi, webClient } from '../client/clients.ts';
import { failureOf } from '../client/failure.ts';

const TIMEOUT_MS = 7_000;

/** `unknown`: Slack's answer was inconclusive. */
export type Check = 'stands' | 'gone' | 'unknown';

/**
 * Errors of `auth.test` for a token that will never work again (https://docs.slack.dev/reference/methods/auth.test).
 */
const GONE: ReadonlySet<string> = new Set(['account_inactive', 'token_revoked', 'invalid_auth']);

/** @param token undefined if none is stored: the result is unknown. Never throws */
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
 * Checks whether an organization's installation still has access to a workspace.
 *
 * @param token the organization's token; undefined if none is stored: the result is unknown. Never throws
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
