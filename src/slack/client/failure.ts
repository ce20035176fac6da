/** Classifies a failed call to Slack: it was refused, certainly had no effect, or may have had one. */
import { webApi } from '@slack/bolt';
import { NotInstalledError } from './installations.ts';
import { rateLimitOf } from './rate-limits.ts';
import { NotSentError } from './slack-fetch.ts';

export type SlackFailure =
  | { type: 'refused'; code: string }
  | { type: 'later'; code: string; retryAfterMs?: number }
  | { type: 'doubtful'; code: string };

/** "It's possible some aspect of the operation succeeded before the error was raised" (chat.postMessage, errors). */
const DOUBTFUL: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'update_failed',
]);

const RATE_LIMITED = 'ratelimited';
/** The code of some methods in place of a 429 (https://docs.slack.dev/reference/methods/chat.postMessage). */
const ALSO_RATE_LIMITED = 'rate_limited';

/** Problems of the app or the workspace as a whole, not of this message: nothing was posted, and the problem may pass. */
const LATER: ReadonlySet<string> = new Set([
  RATE_LIMITED,
  // "Members on this team are sending too many messages" (https://docs.slack.dev/reference/methods/chat.postMessage).
  'message_limit_exceeded',
  'not_authed',
  'invalid_auth',
  'not_allowed_token_type',
  'account_inactive',
  'token_expired',
  'token_revoked',
  'missing_scope',
  'org_login_required',
  'team_access_not_granted',
  'team_added_to_org',
  'accesslimited',
  'external_channel_migrating',
]);

/** Matches an error code, but not the word that takes the place of an answer that can't be read (`UNREADABLE_BODY`). */
const CODE = /^[a-z0-9_]{1,80}$/;

/** Classifies what a call to Slack has thrown. @returns `later`: nothing was done, and the call may work later */
export function failureOf(error: unknown): SlackFailure {
  if (error instanceof webApi.WebAPIPlatformError) {
    const { error: said } = error.data;
    const code = said === ALSO_RATE_LIMITED ? RATE_LIMITED : said;
    if (!CODE.test(code)) return { type: 'doubtful', code: 'unreadable' };
    if (DOUBTFUL.has(code)) return { type: 'doubtful', code };
    return LATER.has(code) ? { type: 'later', code } : { type: 'refused', code };
  }
  const limited = rateLimitOf(error);
  if (limited) return limited;
  // A workspace without the app gets no more messages.
  if (error instanceof NotInstalledError) return { type: 'refused', code: 'not_installed' };
  if (error instanceof webApi.WebAPIHTTPError) return { type: 'doubtful', code: `http_${error.statusCode}` };
  if (error instanceof webApi.WebAPIRequestError) return requestFailure(error.original);
  return { type: 'doubtful', code: error instanceof Error ? error.name : 'unknown' };
}

/** Classifies a call without an answer by whether anything was sent. */
function requestFailure(error: Error): SlackFailure {
  if (error instanceof NotSentError) {
    const { code, retryAfterMs } = error;
    return { type: 'later', code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  const { name, cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return { type: 'doubtful', code: typeof code === 'string' ? code : name };
}

/** The error code of Slack's answer; undefined for any other error. */
export function platformCode(error: unknown): string | undefined {
  return error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;
}
