/** Detects that Slack denies the bot access to a workspace: its token is revoked, or lacks a scope. */
import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import type { HttpAnswer } from '../../http/exchange.ts';
import { parseJson } from '../../json.ts';
import type { Log } from '../../outbox/ports.ts';
import { SCOPES } from './scopes.ts';

/** Slack does not accept a token of the environment: every later attempt would fail, too. */
export class TokenRefusedError extends Error {}

/**
 * Errors of any method for a token that will not work until an operator or an admin acts, except `missing_scope`
 * (https://docs.slack.dev/reference/methods/chat.postMessage, "Errors").
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

/** Slack's refusal of a call. `needed` and `provided`: scopes, if one is missing. */
const Refusal = z.object({
  ok: z.literal(false),
  error: z.string(),
  needed: z.string().optional(),
  provided: z.string().optional(),
});

/**
 * Reads Slack's refusal and its reason (https://docs.slack.dev/apis/web-api/#responses); undefined for any other
 * answer.
 */
function refusalIn({ body }: HttpAnswer): z.infer<typeof Refusal> | undefined {
  return /"ok":\s*false/.test(body.slice(0, 1_000)) ? Refusal.safeParse(parseJson(body)).data : undefined;
}

/** Logs a call that failed because the bot has lost, or never had, access. Other refusals are reported elsewhere. */
export function logLostAccess(
  log: Log,
  { workspace, method }: { workspace: string; method: string },
  answer: HttpAnswer,
): void {
  const { error: code, needed, provided } = refusalIn(answer) ?? {};
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

export const missingScopes = (granted: readonly string[]): string[] =>
  SCOPES.filter((scope) => !granted.includes(scope));

/**
 * Compares a token's scopes with those that the bot needs, and logs the missing ones.
 *
 * @param answer of auth.test; the SDK puts the header x-oauth-scopes there
 *   (docs.slack.dev/tools/node-slack-sdk/web-api)
 * @returns the missing scopes; none if Slack did not say
 */
export function checkScopes(log: Log, workspace: string, answer: webApi.WebAPICallResult): string[] {
  const { scopes } = answer.response_metadata ?? {};
  const missing = scopes ? missingScopes(scopes) : [];
  if (missing.length > 0) {
    log.error(
      { workspace, missing },
      'the bot token lacks scopes that Countermand needs: install it there again, with the scopes of manifest.yml',
    );
  }
  return missing;
}
