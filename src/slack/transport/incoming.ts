/** Reads what Slack sends over HTTP: forms for commands and interactions, JSON for events. Pure. */

import { type HttpRequest, type HttpResponse, json } from '../../http/route.ts';
import { parseJson } from '../../json.ts';

/** Far above what Slack sends (a view holds at most 250 KB), far below what would hurt. */
export const MAX_BYTES = 1024 * 1024;

type Body = Record<string, unknown>;

/** `name`: the event's type, for the log. */
export type IncomingEvent = {
  type: 'event';
  body: Body;
  name: string;
  retry: { retryNum?: number; retryReason?: string };
};

/** `name`: the command, or the kind of interaction, for the log. */
export type IncomingInteraction = { type: 'interaction'; body: Body; name: string };

/**
 * Slack holds events of a workspace back. It has no event in it, and no subscription is needed for it
 * (https://docs.slack.dev/reference/events/app_rate_limited). `since`: an ISO time, where Slack says when it began.
 */
export type IncomingRateLimit = {
  type: 'rate_limit';
  name: 'app_rate_limited';
  workspace: string;
  since: string | undefined;
};

/** Everything that is handed on and acknowledged. */
export type Delivered = IncomingEvent | IncomingInteraction | IncomingRateLimit;

type Malformed = { type: 'malformed' };

export type Incoming =
  | Delivered
  /** Slack only wants to see that somebody is here. */
  | { type: 'answer'; response: HttpResponse }
  | Malformed;

/** @param request whose signature was found right */
export function parseIncoming({ headers, body }: HttpRequest): Incoming {
  const text = body.toString('utf8');
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return isForm ? parseForm(text) : parseJsonBody(text, headers);
}

function parseForm(text: string): Incoming {
  const form: Body = Object.fromEntries(new URLSearchParams(text));
  if (form['ssl_check'] === '1') return { type: 'answer', response: { status: 200 } };
  const { payload } = form;
  if (typeof form['command'] === 'string') return readCommand(form);
  return readInteraction(typeof payload === 'string' ? parseJson(payload) : undefined);
}

function parseJsonBody(text: string, headers: HttpRequest['headers']): Incoming {
  const body = parseJson(text);
  if (isObject(body) && body['type'] === 'url_verification') {
    return { type: 'answer', response: json(200, { challenge: String(body['challenge']) }) };
  }
  return readEvent(body, headers['x-slack-retry-num'], headers['x-slack-retry-reason']);
}

/** @param body the fields of a command */
export function readCommand(body: unknown): IncomingInteraction | Malformed {
  if (!isObject(body) || typeof body['command'] !== 'string') return { type: 'malformed' };
  return { type: 'interaction', body, name: body['command'] };
}

/** @param body the payload of a button, a form, a shortcut or a question for options */
export function readInteraction(body: unknown): IncomingInteraction | Malformed {
  return isObject(body) ? { type: 'interaction', body, name: String(body['type']) } : { type: 'malformed' };
}

/**
 * @param body the Events API's envelope around an event
 * @param attempt how often Slack has tried before; absent or 0 the first time
 */
export function readEvent(
  body: unknown,
  attempt: unknown,
  reason: unknown,
): IncomingEvent | IncomingRateLimit | Malformed {
  if (isObject(body) && body['type'] === 'app_rate_limited') return readRateLimit(body);
  const event = isObject(body) ? innermost(body['event']) : undefined;
  if (!isObject(body) || !event) return { type: 'malformed' };
  const retryNum = Number(attempt);
  const retry =
    retryNum > 0 ? { retryNum, ...(typeof reason === 'string' ? { retryReason: reason } : {}) } : {};
  return { type: 'event', body: { ...body, event }, name: String(event['type']), retry };
}

/**
 * The event itself. The page of team_access_revoked shows it within an envelope of its own within the event
 * (https://docs.slack.dev/reference/events/team_access_revoked); the SDK's types know no such thing.
 */
function innermost(event: unknown): Body | undefined {
  if (!isObject(event)) return undefined;
  return event['type'] === undefined && isObject(event['event']) ? event['event'] : event;
}

function readRateLimit({ team_id, minute_rate_limited: minute }: Body): IncomingRateLimit {
  const workspace =
    typeof team_id === 'string' && /^[A-Z0-9]{1,40}$/.test(team_id) ? team_id : '(unreadable)';
  const began = new Date(typeof minute === 'number' ? minute * 1_000 : Number.NaN);
  const since = Number.isNaN(began.getTime()) ? undefined : began.toISOString();
  return { type: 'rate_limit', name: 'app_rate_limited', workspace, since };
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
