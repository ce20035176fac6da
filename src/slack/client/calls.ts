/** Calls Slack for an effect, joins public channels where only a member may call, and says what a failure means. */
import { webApi } from '@slack/bolt';
import type { UpdateResult } from '../../outbox/delivery.ts';
import type { Log } from '../../outbox/ports.ts';
import type { ApproversProblem } from '../../requests/model/policy.ts';
import { NotInstalledError } from './access.ts';
import type { SlackClients, SlackEffect } from './clients.ts';
import { rateLimitOf } from './rate-limits.ts';
import { NotSentError } from './slack-fetch.ts';

export type SlackCalls = { clients: SlackClients; log: Log };

/** Names an effect in the queues of the rate limits. @param messageKey of a request's message */
export const callerOf = (id: string, effect: string, messageKey?: string): string =>
  [id, effect, messageKey].filter((part) => part !== undefined).join(' ');

/** Calls Slack for an effect, which nobody waits for. Never throws: a failure is a result. */
export const callSlack = <T>(
  { clients, log }: SlackCalls,
  effect: SlackEffect,
  act: (client: webApi.WebClient) => Promise<T>,
): Promise<T | SlackFailure> =>
  clients.forEffect(effect, act).catch((error) => {
    const failure = failureOf(error);
    const { workspace, about } = effect;
    // The line about the effect has the code, too.
    log.debug({ workspace, ...about, code: failure.code, type: failure.type }, 'slack call failed');
    return failure;
  });

/**
 * Reads or searches Slack for an effect. Never throws. Reading changes nothing, so a failure that leaves the result in doubt is
 * one after which the read is repeated (`later`).
 */
export async function readSlack<T>(
  calls: SlackCalls,
  effect: SlackEffect,
  read: (client: webApi.WebClient) => Promise<T>,
): Promise<T | Exclude<SlackFailure, { type: 'doubtful' }>> {
  const done = await callSlack(calls, effect, async (client) => ({
    type: 'read' as const,
    result: await read(client),
  }));
  if (done.type === 'read') return done.result;
  return done.type === 'doubtful' ? { ...done, type: 'later' } : done;
}

/**
 * Performs a call in a channel, and joins a public channel first if necessary.
 *
 * @throws whatever `call` throws or, if the bot may not join, Slack's refusal: then nothing was done
 */
export async function ensureMember<T>(
  client: webApi.WebClient,
  channel: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (failureOf(error).code !== 'not_in_channel') throw error;
    await client.conversations.join({ channel });
    return call();
  }
}

/** Slack's answer about a message that was deleted, or never existed. */
export const MESSAGE_GONE = 'message_not_found';

/** The answers to chat.update that mean that nobody can see the message, or reply to it, now or any more. */
export const MESSAGE_OUT_OF_REACH: ReadonlySet<string> = new Set([
  MESSAGE_GONE,
  'channel_not_found',
  'is_archived',
  'is_inactive',
  'not_in_channel',
]);

/** Says what a failed update means for its message. */
export function toUpdateResult(failure: SlackFailure): Exclude<UpdateResult, { type: 'posted' }> {
  if (failure.type !== 'refused') return failure;
  const { code } = failure;
  if (code === MESSAGE_GONE) return { type: 'gone', code };
  return { type: MESSAGE_OUT_OF_REACH.has(code) ? 'out_of_reach' : 'kept', code };
}

/** Slack's answers that say what is wrong with the approvals channel. */
const CHANNEL_PROBLEMS: Record<string, ApproversProblem> = {
  is_archived: 'channel_archived',
  channel_not_found: 'channel_not_visible',
  not_in_channel: 'channel_not_member',
};

/** Gives a failure in the approvals channel the name by which the core knows the problem. */
export function namedProblem<T extends { code: string }>(failure: T): T {
  return { ...failure, code: CHANNEL_PROBLEMS[failure.code] ?? failure.code };
}

/** Classifies a failed call to Slack: it was refused, certainly had no effect, or may have had one. */

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
