/** Parses traffic between Slack and an app for recording: forms become their fields, JSON its value. */
import { parseJson } from '../../src/json.ts';
import { jsonOrText } from '../lib/json.ts';
import type { Exchange } from './recording.ts';

/** Parses a form; fields that hold JSON become its value. */
export function readForm(body: string): Record<string, unknown> {
  const fields = Object.entries(Object.fromEntries(new URLSearchParams(body)));
  return Object.fromEntries(
    fields.map(([key, value]) => [key, /^[[{]/.test(value) ? jsonOrText(value) : value]),
  );
}

type Classified = Pick<Exchange, 'folder' | 'name'> & { body: Record<string, unknown> };

/** Parses a request of Slack to the app; undefined for requests of no interest, such as Slack's check that a server is there. */
export function readDelivery(body: string, contentType = ''): Classified | undefined {
  const isForm = contentType.startsWith('application/x-www-form-urlencoded');
  const fields = isForm ? readForm(body) : parseJson(body);
  if (!isObject(fields)) return undefined;
  const payload = fields['payload'];
  return isObject(payload) ? classify(payload) : classify(fields);
}

/** Classifies a payload, from HTTP or from an envelope of Socket Mode; undefined for one of no interest. */
export function classify(body: Record<string, unknown>): Classified | undefined {
  const { event, type, command } = body;
  if (typeof command === 'string') return { folder: 'commands', name: command, body };
  if (type === 'app_rate_limited') return { folder: 'events', name: type, body };
  if (isObject(event)) return { folder: 'events', name: String(event['type']), body };
  if (type === 'block_suggestion') return { folder: 'options', name: type, body };
  return typeof type === 'string' && type !== 'url_verification'
    ? { folder: 'interactivity', name: type, body }
    : undefined;
}

/** Returns an event's fields for the timeline: its time, and the name of the emoji. The order of reactions is read from these. */
export function timelineFieldsOf({ event }: Record<string, unknown>): Exchange['timeline'] {
  if (!isObject(event)) return {};
  const { event_ts: at, reaction } = event;
  return {
    event_ts: typeof at === 'string' ? at : undefined,
    reaction: typeof reaction === 'string' && EMOJI.test(reaction) ? reaction : undefined,
  };
}

const EMOJI = /^[\w+:'-]{1,100}$/;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
