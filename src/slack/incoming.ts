/** Reads what Slack sends over HTTP: forms for commands and interactions, JSON for events. Pure. */

import { type HttpRequest, type HttpResponse, json } from '../http/route.ts';
import { parseJson } from '../json.ts';

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

type Malformed = { type: 'malformed' };

export type Incoming =
  | IncomingEvent
  | IncomingInteraction
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
export function readEvent(body: unknown, attempt: unknown, reason: unknown): IncomingEvent | Malformed {
  if (!isObject(body) || !isObject(body['event'])) return { type: 'malformed' };
  const retryNum = Number(attempt);
  const retry =
    retryNum > 0 ? { retryNum, ...(typeof reason === 'string' ? { retryReason: reason } : {}) } : {};
  return { type: 'event', body, name: String(body['event']['type']), retry };
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
