/**
 * Reads what Slack sends over a WebSocket (https://docs.slack.dev/apis/events-api/using-socket-mode): a greeting, a
 * request to go, or an envelope around what would come as a request of its own over HTTP. Pure.
 */
import { parseJson } from '../../json.ts';
import { type Delivered, isObject, MAX_BYTES, readCommand, readEvent, readInteraction } from './incoming.ts';

export type Envelope = { type: 'envelope'; id: string; incoming: Delivered };

export type Frame =
  | { type: 'hello' }
  | { type: 'disconnect'; reason: string }
  | Envelope
  /** `what`: for the log; nothing that was sent stands in it as it came. */
  | { type: 'malformed'; what: string };

/** @param text of a message; undefined for a binary one */
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
  const { type, envelope_id: id, payload } = message;
  if (typeof id !== 'string' || id === '') return malformed('no envelope_id');
  const incoming = readPayload(type, payload, message);
  if (!incoming) return malformed(`an envelope of the unknown type ${wordIn(type)}`);
  return incoming.type === 'malformed'
    ? malformed(`a malformed ${wordIn(type)}`)
    : { type: 'envelope', id, incoming };
}

function readPayload(type: unknown, payload: unknown, about: Record<string, unknown>) {
  if (type === 'slash_commands') return readCommand(payload);
  if (type === 'interactive') return readInteraction(payload);
  if (type === 'events_api') return readEvent(payload, about['retry_attempt'], about['retry_reason']);
  return undefined;
}

const malformed = (what: string): Frame => ({ type: 'malformed', what });

/** A word of Slack's; whatever is none is not repeated. */
const wordIn = (value: unknown) =>
  typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : '(unreadable)';
