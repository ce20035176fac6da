/** Asks Slack what a token may do, for the terminal commands that check the configuration. */
import { webApi } from '@slack/bolt';
import { z } from 'zod';
import { dateOf, type HttpAnswer } from '../../http/exchange.ts';
import { missingScopes } from './access.ts';
import { failureOf, platformCode, rateLimitOf } from './call-slack.ts';
import { type SlackApi, webClient } from './clients.ts';

const TIMEOUT_MS = 7_000;

/** `refused`: by Slack's answer. `unreachable`: there was no answer that can be read. */
export type Refused = { type: 'refused' | 'unreachable'; code: string };

/**
 * `missing`: scopes that the bot needs. `offsetMs`: how far our clock is ahead of Slack's, to the second; undefined: Slack
 * did not tell.
 */
export type BotProbe =
  | { type: 'accepted'; workspace: string; name: string; missing: string[]; offsetMs: number | undefined }
  | Refused;

/** Calls auth.test (https://docs.slack.dev/reference/methods/auth.test). @param now epoch milliseconds */
export async function probeBotToken(botToken: string, api: SlackApi, now: () => number): Promise<BotProbe> {
  let offsetMs: number | undefined;
  const onAnswer = async (_call: unknown, answer: HttpAnswer) => {
    const date = dateOf(answer);
    if (!Number.isNaN(date)) offsetMs = Math.floor(now() / 1_000) * 1_000 - date;
  };
  const client = webClient(botToken, api, TIMEOUT_MS, { onAnswer });
  try {
    const answer = await client.auth.test();
    const { scopes } = answer.response_metadata ?? {};
    const workspace = answer.team_id ?? answer.enterprise_id ?? '';
    const missing = scopes ? missingScopes(scopes) : [];
    return { type: 'accepted', workspace, name: answer.team ?? workspace, missing, offsetMs };
  } catch (error) {
    return refusalOf(error);
  }
}

/** Asks for a connection of Socket Mode and opens none (https://docs.slack.dev/reference/methods/apps.connections.open). */
export function probeAppToken(appToken: string, api: SlackApi): Promise<Answered> {
  const client = webClient(appToken, api, TIMEOUT_MS);
  return answered(client.apps.connections.open({}));
}

/**
 * Sends a person a direct message, which Slack refuses while the messages tab of the app is off (`messages_tab_disabled`,
 * https://docs.slack.dev/reference/methods/chat.postMessage).
 */
export function probeDirectMessage(
  { botToken, person, text }: { botToken: string; person: string; text: string },
  api: SlackApi,
): Promise<Answered> {
  const client = webClient(botToken, api, TIMEOUT_MS);
  return answered(client.chat.postMessage({ channel: person, text }));
}

type Answered = { type: 'accepted' } | Refused;

const answered = (call: Promise<unknown>): Promise<Answered> =>
  call.then(() => ({ type: 'accepted' as const }), refusalOf);

/** `invalid`: what Slack would refuse, and where. */
export type Judged =
  | Answered
  | { type: 'invalid'; errors: string[] }
  | { type: 'rate_limited'; retryAfterMs: number };

const INVALID = ['invalid_blocks', 'invalid_message', 'invalid_view'];

const ValidationErrors = z.object({
  errors: z.array(z.object({ pointer: z.string().optional(), message: z.string().optional() })),
});

/** Asks whether Slack would take this (https://docs.slack.dev/reference/methods/blocks.validate). Nothing is posted. */
export async function probeBlocks(
  { botToken, given }: { botToken: string; given: webApi.BlocksValidateArguments },
  api: SlackApi,
): Promise<Judged> {
  try {
    await webClient(botToken, api, TIMEOUT_MS).blocks.validate(given);
    return { type: 'accepted' };
  } catch (error) {
    const limited = rateLimitOf(error);
    if (limited) return { type: 'rate_limited', retryAfterMs: limited.retryAfterMs ?? TIMEOUT_MS };
    const code = platformCode(error);
    if (code === undefined || !INVALID.includes(code)) return refusalOf(error);
    const told = ValidationErrors.safeParse(error instanceof webApi.WebAPIPlatformError ? error.data : {});
    const errors = told.data?.errors.map(({ pointer = '', message = code }) =>
      `${pointer} ${message}`.trim(),
    );
    return { type: 'invalid', errors: errors?.length ? errors : [code] };
  }
}

function refusalOf(error: unknown): Refused {
  const type = platformCode(error) === undefined ? 'unreachable' : 'refused';
  return { type, code: failureOf(error).code };
}
