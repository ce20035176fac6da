/**
 * Parses what Slack sends: over HTTP, forms for commands and interactions, and JSON for events; over a WebSocket
 * (https://docs.slack.dev/apis/events-api/using-socket-mode), a greeting, a request to disconnect, or an envelope around a
 * command, an interaction or an event.
 */
import { type HttpRequest, type HttpResponse, json } from '../../http/server.ts';
import { isObject, parseJson } from '../../json.ts';

/** The size limit of a request: far more than Slack sends (a view holds at most 250 KB), and still harmless. */
export const MAX_BYTES = 1024 * 1024;

type Body = Record<string, unknown>;

/** `name`: the event's type, for the log. */
type DeliveredEvent = {
  type: 'event';
  body: Body;
  name: string;
  retry: { retryNum?: number };
};

/** `name`: the command, or the kind of interaction, for the log. */
type DeliveredInteraction = { type: 'interaction'; body: Body; name: string };

/**
 * Slack withholds events of a workspace. The message contains no event and needs no subscription
 * (https://docs.slack.dev/reference/events/app_rate_limited). `sinceIso`: when it began, if Slack says so.
 */
type DeliveredRateLimit = {
  type: 'rate_limit';
  name: 'app_rate_limited';
  workspace: string;
  sinceIso: string | undefined;
};

/** The requests that are dispatched and acknowledged. */
export type Delivered = DeliveredEvent | DeliveredInteraction | DeliveredRateLimit;

type Malformed = { type: 'malformed' };

type Incoming =
  | Delivered
  /** A request with which Slack only checks that the endpoint works. */
  | { type: 'answer'; response: HttpResponse }
  | Malformed;

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
  return readEvent(body, headers['x-slack-retry-num']);
}

function readCommand(body: unknown): DeliveredInteraction | Malformed {
  if (!isObject(body) || typeof body['command'] !== 'string') return { type: 'malformed' };
  return { type: 'interaction', body, name: body['command'] };
}

/** @param body the payload of a button, a form, a shortcut or an options request */
function readInteraction(body: unknown): DeliveredInteraction | Malformed {
  return isObject(body) ? { type: 'interaction', body, name: String(body['type']) } : { type: 'malformed' };
}

/**
 * @param body the Events API's envelope around an event
 * @param attempt the number of Slack's earlier tries; absent or 0 on the first
 */
function readEvent(body: unknown, attempt: unknown): DeliveredEvent | DeliveredRateLimit | Malformed {
  if (isObject(body) && body['type'] === 'app_rate_limited') return readRateLimit(body);
  const event = isObject(body) ? innermost(body['event']) : undefined;
  if (!isObject(body) || !event) return { type: 'malformed' };
  const retryNum = Number(attempt);
  const retry = retryNum > 0 ? { retryNum } : {};
  return { type: 'event', body: { ...body, event }, name: String(event['type']), retry };
}

/**
 * Unwraps the event. The page of team_access_revoked shows it inside an envelope inside the event
 * (https://docs.slack.dev/reference/events/team_access_revoked); the SDK's types do not.
 */
function innermost(event: unknown): Body | undefined {
  if (!isObject(event)) return undefined;
  return event['type'] === undefined && isObject(event['event']) ? event['event'] : event;
}

function readRateLimit({ team_id, minute_rate_limited: minute }: Body): DeliveredRateLimit {
  const workspace =
    typeof team_id === 'string' && /^[A-Z0-9]{1,40}$/.test(team_id) ? team_id : '(unreadable)';
  const began = new Date(typeof minute === 'number' ? minute * 1_000 : Number.NaN);
  const sinceIso = Number.isNaN(began.getTime()) ? undefined : began.toISOString();
  return { type: 'rate_limit', name: 'app_rate_limited', workspace, sinceIso };
}

type Envelope = { type: 'envelope'; id: string; incoming: Delivered };

export type Frame =
  | { type: 'hello' }
  | { type: 'disconnect'; reason: string }
  | Envelope
  /** `what`: a description for the log, without unchecked data. */
  | { type: 'malformed'; what: string };

/** @param text the text of a message; undefined for a binary one */
export function readFrame(text: string | undefined): Frame {
  if (text === undefined) return malformed('a binary message');
  if (text.length > MAX_BYTES) return malformed('a message that is too large');
  const message = parseJson(text);
  if (!isObject(message)) return malformed('no JSON object');
  const { type } = message;
  if (type === 'hello') return { type };
  if (type === 'disconnect') return { type, reason: wordIn(message['reason']) };
  return readEnvelope(message);
}

function readEnvelope(message: Record<string, unknown>): Frame {
  const { type, envelope_id: id } = message;
  if (typeof id !== 'string' || id === '') return malformed('no envelope_id');
  const incoming = readPayload(message);
  if (!incoming) return malformed(`an envelope of the unknown type ${wordIn(type)}`);
  return incoming.type === 'malformed'
    ? malformed(`a malformed ${wordIn(type)}`)
    : { type: 'envelope', id, incoming };
}

function readPayload({ type, payload, retry_attempt }: Record<string, unknown>) {
  if (type === 'slash_commands') return readCommand(payload);
  if (type === 'interactive') return readInteraction(payload);
  if (type === 'events_api') return readEvent(payload, retry_attempt);
  return undefined;
}

const malformed = (what: string): Frame => ({ type: 'malformed', what });

/** Returns a word of Slack's; anything else is not repeated. */
const wordIn = (value: unknown) =>
  typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : '(unreadable)';
