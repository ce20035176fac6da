/** Calls Slack for an effect, joins public channels where only a member may call, and classifies what a call has thrown. */
import { webApi } from '@slack/bolt';
import type { Failed, Later } from '../../outbox/delivery.ts';
import type { Log } from '../../outbox/ports.ts';
import { TOKEN_REFUSED } from './access.ts';
import type { SlackClients, SlackEffect } from './clients.ts';
import { NotInstalledError } from './installation.ts';
import { NotSentError } from './slack-fetch.ts';

export type SlackCalls = { clients: SlackClients; log: Log };

/** Calls Slack for an effect, which nobody waits for. Never throws: a failure is a result. */
export const callSlack = <T>(
  { clients, log }: SlackCalls,
  effect: SlackEffect,
  act: (client: webApi.WebClient) => Promise<T>,
): Promise<T | Failed> =>
  clients.forEffect(effect, act).catch((error) => {
    const failure = failureOf(error);
    const { workspace, about } = effect;
    // For debugging alone: the line about the effect has the code, too. A mistake of our own shows only here where it is.
    log.debug(
      { workspace, ...about, code: failure.code, type: failure.type, err: error },
      'slack call failed',
    );
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
): Promise<T | Exclude<Failed, { type: 'doubtful' }>> {
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
 * @throws whatever `call` throws or, if the bot may not join, Slack's refusal, or NotSentError if the answer to joining was lost:
 *   then nothing was done in the channel
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
    await client.conversations.join({ channel }).catch((refusal) => {
      const { type, code } = failureOf(refusal);
      throw type === 'doubtful' ? new NotSentError(code, { cause: refusal }) : refusal;
    });
    return call();
  }
}

/** Slack's answer about a message that was deleted, or never existed. */
export const MESSAGE_GONE = 'message_not_found';

/** The answers that mean that nobody can see a message that was not deleted, or reply to it, now or any more. */
const OUT_OF_REACH = ['channel_not_found', 'is_archived', 'is_inactive', 'not_in_channel'] as const;
export type OutOfReach = (typeof OUT_OF_REACH)[number];
export const MESSAGE_OUT_OF_REACH: ReadonlySet<string> = new Set(OUT_OF_REACH);

/** "It's possible some aspect of the operation succeeded before the error was raised" (chat.postMessage, errors). */
const DOUBTFUL: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'update_failed',
]);

/** Problems of the app or the workspace as a whole, not of this message: nothing was posted, and the problem may pass. */
const LATER: ReadonlySet<string> = new Set([
  ...TOKEN_REFUSED,
  'ratelimited',
  // "Members on this team are sending too many messages" (https://docs.slack.dev/reference/methods/chat.postMessage).
  'message_limit_exceeded',
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
export function failureOf(error: unknown): Failed {
  if (error instanceof webApi.WebAPIPlatformError) {
    const { error: said } = error.data;
    // Some methods answer with this code in place of a 429 (https://docs.slack.dev/reference/methods/chat.postMessage).
    const code = said === 'rate_limited' ? 'ratelimited' : said;
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
  if (error instanceof NotSentError) return notSent(error);
  return { type: 'doubtful', code: error instanceof Error ? error.name : 'unknown' };
}

/** Classifies a call without an answer by whether anything was sent. */
function requestFailure(error: Error): Failed {
  if (error instanceof NotSentError) return notSent(error);
  const { name, cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return { type: 'doubtful', code: typeof code === 'string' ? code : name };
}

const notSent = ({ code, retryAfterMs }: NotSentError): Later => ({
  type: 'later',
  code,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** The SDK's message for a 429 without a number of seconds: it throws an error without a class of its own. */
const LIMITED_WITHOUT_TIME = 'Retry header did not contain a valid timeout';

/** The failure of a call that was answered with a 429: nothing was done. @returns undefined for any other error */
export function rateLimitOf(error: unknown): Later | undefined {
  if (error instanceof webApi.WebAPIRateLimitedError)
    return { type: 'later', code: 'ratelimited', retryAfterMs: error.retryAfter * 1_000 };
  return error instanceof Error && error.message.startsWith(LIMITED_WITHOUT_TIME)
    ? { type: 'later', code: 'ratelimited' }
    : undefined;
}

/** The error code of Slack's answer; undefined for any other error. */
export function platformCode(error: unknown): string | undefined {
  return error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;
}

/** Whether Slack refuses a call because the bot token lacks a scope: nothing helps until the bot is installed again. */
export const lacksScope = (error: unknown): boolean => platformCode(error) === 'missing_scope';
