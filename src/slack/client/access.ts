/** Detects when Slack denies the bot access to a workspace, because the token is revoked or lacks a scope, and when that ends. */
import { webApi } from '@slack/bolt';
import { z } from 'zod';
import { createCache } from '../../cache.ts';
import type { HttpAnswer } from '../../http/exchange.ts';
import { parseJson } from '../../json.ts';
import type { Log } from '../../outbox/ports.ts';
import { installedFields, isOrganization } from '../../workspaces/installation/installation-record.ts';

/** Slack does not accept a token of the environment, so every later attempt would fail, too. */
export class TokenRefusedError extends Error {}

/** Slack says that the token of the environment is dead, and data of its workspace are left: they are to be removed. */
export class TokenDeadError extends Error {}

/**
 * Errors of any method for a token that will not work until an operator or an admin acts. `missing_scope` is another matter: the
 * token works (https://docs.slack.dev/reference/methods/chat.postMessage, "Errors").
 */
export const TOKEN_REFUSED: ReadonlySet<string> = new Set([
  'account_inactive',
  'invalid_auth',
  'not_allowed_token_type',
  'not_authed',
  'token_expired',
  'token_revoked',
]);

export const isTokenRefused = (code: string | undefined): boolean => TOKEN_REFUSED.has(code ?? '');

/** Whether a token will never work again; `invalid_auth` may be about the address of this machine. */
export const isTokenDead = (code: string | undefined): boolean =>
  code === 'account_inactive' || code === 'token_revoked';

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
function refusalIn(body: string): z.infer<typeof Refusal> | undefined {
  return /"ok":\s*false/.test(body.slice(0, 1_000)) ? Refusal.safeParse(parseJson(body)).data : undefined;
}

export type TokenWatch = ReturnType<typeof createTokenWatch>;

/**
 * An answered call to Slack, for a workspace or an organization. `organization`: the one whose token the call has, if the app is
 * installed org-wide.
 */
type Called = { workspace: string; organization?: string | undefined; method: string };

type Trouble = { isRefused: boolean; missing: ReadonlySet<string> };

const placeOf = (id: string) => (isOrganization(id) ? 'organization' : 'workspace');

const NONE: Trouble = { isRefused: false, missing: new Set() };
const MOST_TROUBLES = 10_000;

/** Logs that Slack refuses a workspace's bot token, or that the token lacks a scope: once, and once more when that ends. */
export function createTokenWatch(log: Log) {
  const troubles = createCache<Trouble>(MOST_TROUBLES);
  const troubleOf = (workspace: string) => troubles.get(workspace) ?? NONE;

  function note(workspace: string, trouble: Trouble): void {
    if (trouble.isRefused || trouble.missing.size > 0) troubles.set(workspace, trouble);
    else troubles.delete(workspace);
  }

  /** Learns whether Slack accepts the token. @param refused the code of the refusal; undefined: Slack accepts it */
  function learnToken({ workspace, organization, method }: Called, refused: string | undefined): void {
    if (refused === undefined) for (const id of [workspace, organization]) learnAccepted(id);
    const known = troubleOf(workspace);
    if (refused === undefined || known.isRefused) return;
    note(workspace, { ...known, isRefused: true });
    log.error(
      { event: 'slack_token_refused', ...installedFields(workspace), method, code: refused },
      `Slack does not accept the bot token of this ${placeOf(workspace)}: install Countermand there again and, where SLACK_BOT_TOKEN is set, set it to the new token`,
    );
  }

  function learnAccepted(id: string | undefined): void {
    if (id === undefined || !troubleOf(id).isRefused) return;
    note(id, { ...troubleOf(id), isRefused: false });
    log.info(
      { event: 'slack_token_accepted', ...installedFields(id) },
      `Slack accepts the bot token of this ${placeOf(id)} again`,
    );
  }

  /** Learns which scopes are missing; none: they no longer are. @returns whether one of them was not known to be missing */
  function learnMissing(workspace: string, missing: readonly string[]): boolean {
    const [known, place] = [troubleOf(workspace), installedFields(workspace)];
    const isNew = missing.some((scope) => !known.missing.has(scope));
    note(workspace, { ...known, missing: new Set(missing) });
    if (missing.length === 0 && known.missing.size > 0)
      log.info({ event: 'slack_scopes_granted', ...place }, 'the bot token has all scopes again');
    return isNew;
  }

  return {
    /** Learns from an answer of Slack. Refusals for other reasons are reported elsewhere. */
    learn(called: Called, { status, headers, body }: HttpAnswer): void {
      const { workspace, method } = called;
      if (status !== 200) return;
      const granted = headers['x-oauth-scopes'];
      if (troubleOf(workspace).missing.size > 0 && typeof granted === 'string')
        learnMissing(workspace, missingScopes(granted.split(',').map((scope) => scope.trim())));
      const { error: code, needed = '', provided } = refusalIn(body) ?? {};
      learnToken(called, isTokenRefused(code) ? code : undefined);
      const lacking = code === 'missing_scope' ? lackingScopes(needed, provided) : [];
      if (lacking.length > 0 && learnMissing(workspace, [...troubleOf(workspace).missing, ...lacking]))
        log.error(
          { event: 'slack_scopes_missing', ...installedFields(workspace), method, code, needed, provided },
          'Slack refused a call because the bot token lacks a scope: install Countermand there again, with the scopes of manifest.yml',
        );
    },
    /** Learns of a refusal that another part has logged, so that the end of it is logged by this process, too. */
    noteRefused(id: string): void {
      note(id, { ...troubleOf(id), isRefused: true });
    },
    /** @param answer of auth.test @returns the scopes that the token lacks; none if Slack did not say */
    checkScopes(workspace: string, answer: webApi.WebAPICallResult): string[] {
      // The SDK puts the header x-oauth-scopes there (docs.slack.dev/tools/node-slack-sdk/web-api).
      const { scopes } = answer.response_metadata ?? {};
      const missing = scopes ? missingScopes(scopes) : [];
      if (scopes && learnMissing(workspace, missing))
        log.error(
          { event: 'slack_scopes_missing', workspace, missing },
          'the bot token lacks scopes that Countermand needs: install it there again, with the scopes of manifest.yml',
        );
      return missing;
    },
  };
}

/**
 * The scopes that the bot requests and the token lacks, according to a refusal. None if the refusal is about other scopes: Slack
 * tells of a group direct message only with `mpim:read` (https://docs.slack.dev/reference/methods/conversations.info).
 *
 * @param needed scopes of which one would do; '' if Slack did not say
 */
function lackingScopes(needed: string, provided = ''): string[] {
  // The scope without a name: one is lacking, and Slack has not said which.
  if (needed === '') return [needed];
  const granted = provided.split(',');
  return needed.split(',').filter((scope) => SCOPES.includes(scope) && !granted.includes(scope));
}

/** Whether Slack refuses a call because of nothing but scopes that the bot does not request. */
export function lacksOtherScopes(error: unknown): boolean {
  const data = error instanceof webApi.WebAPIPlatformError ? Refusal.safeParse(error.data).data : undefined;
  return data?.error === 'missing_scope' && lackingScopes(data.needed ?? '', data.provided).length === 0;
}

export const missingScopes = (granted: readonly string[]): string[] =>
  SCOPES.filter((scope) => !granted.includes(scope));

/** The scopes that the bot requests. manifest.yml explains each, and a test compares the two. */
export const SCOPES: string[] = [
  'app_mentions:read',
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'commands',
  'groups:history',
  'groups:read',
  'im:history',
  'im:write',
  'reactions:read',
  'usergroups:read',
  'users:read',
];
