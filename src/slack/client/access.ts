/** Whether Slack still lets the bot work in a workspace: its token may be revoked, or lack a scope. */
import type { webApi } from '@slack/bolt';
import type { Log } from '../../requests/ports/ports.ts';
import { SCOPES } from './scopes.ts';

/** Slack has answered that it does not accept a token of the environment: no later attempt will fare better. */
export class TokenRefusedError extends Error {}

/**
 * The answers of any method for a token that will not work until an operator or an admin has done something, `missing_scope`
 * aside (https://docs.slack.dev/reference/methods/chat.postMessage, "Errors").
 */
const TOKEN_REFUSED: ReadonlySet<string> = new Set([
  'account_inactive',
  'invalid_auth',
  'not_allowed_token_type',
  'not_authed',
  'token_expired',
  'token_revoked',
]);

export const isTokenRefused = (code: string | undefined): boolean => TOKEN_REFUSED.has(code ?? '');

/** What Slack answered to a call. `needed` and `provided`: scopes, where one is missing. */
export type Refusal = { error: string; needed?: string | undefined; provided?: string | undefined };

/** Logs that a call failed since the bot has lost its access, or never had it; other refusals are told elsewhere. */
export function logLostAccess(
  log: Log,
  { workspace, method }: { workspace: string; method: string },
  { error: code, needed, provided }: Refusal,
): void {
  if (code === 'missing_scope') {
    log.error(
      { workspace, method, code, needed, provided },
      'Slack refused a call since the bot token lacks a scope: install Countermand there again, with the scopes of manifest.yml',
    );
  } else if (isTokenRefused(code)) {
    log.error(
      { workspace, method, code },
      'Slack does not accept the bot token of this workspace: install Countermand there again and, where SLACK_BOT_TOKEN is set, set it to the new token',
    );
  }
}

/**
 * Compares the scopes that a token has with those that the bot needs, and logs which of them are missing.
 *
 * @param answer of auth.test; the SDK puts the header x-oauth-scopes there (docs.slack.dev/tools/node-slack-sdk/web-api)
 * @returns the missing scopes; none where Slack did not say
 */
export function checkScopes(log: Log, workspace: string, answer: webApi.WebAPICallResult): string[] {
  const { scopes } = answer.response_metadata ?? {};
  const missing = scopes ? SCOPES.filter((scope) => !scopes.includes(scope)) : [];
  if (missing.length > 0) {
    log.error(
      { workspace, missing },
      'the bot token lacks scopes that Countermand needs: install it there again, with the scopes of manifest.yml',
    );
  }
  return missing;
}
