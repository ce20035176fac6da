/** What Slack says of a bot token now. */
import { failureOf } from '../failure.ts';
import { type SlackApi, webClient } from '../web-client.ts';

const TIMEOUT_MS = 7_000;

/** The answers of `auth.test` for a token that will never work again (https://docs.slack.dev/reference/methods/auth.test). */
const GONE: ReadonlySet<string> = new Set(['account_inactive', 'token_revoked', 'invalid_auth']);

/** @param token undefined where none is stored: nobody can tell. Never throws */
export async function checkInstalled(
  token: string | undefined,
  api: SlackApi,
): Promise<'stands' | 'gone' | 'unknown'> {
  if (token === undefined) return 'unknown';
  try {
    await webClient(token, api, TIMEOUT_MS).auth.test();
    return 'stands';
  } catch (error) {
    return GONE.has(failureOf(error).code) ? 'gone' : 'unknown';
  }
}
