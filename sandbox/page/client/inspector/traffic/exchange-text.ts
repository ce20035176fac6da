import type { JournalKind } from '../../../../lib/http/journal.ts';
import { type Exchange, fieldsOf } from './exchange.ts';

/** The label of an exchange, by its kind. */
export const KIND_TEXT: Record<JournalKind, string> = {
  web_api: 'Web API',
  response_url: 'response URL',
  command: 'command',
  interactivity: 'interaction',
  options: 'options',
  event: 'event',
  socket: 'connection',
  person: 'act',
  order_service: 'order API',
  service_event: 'event',
  back_office: 'act',
};

/** Formats the time of day as HH:MM:SS.mmm. */
export function timeOf(at: number): string {
  const date = new Date(at);
  return `${date.toTimeString().slice(0, 8)}.${`${date.getMilliseconds()}`.padStart(3, '0')}`;
}

/** Returns the result in a word: the HTTP status, the outcome of an action, or that it has not ended. */
export function statusOf({ ended, response, outcome }: Exchange): string {
  if (ended === undefined) return 'under way';
  if (ended !== 'answered') return ended.replaceAll('_', ' ');
  const led = fieldsOf(outcome)['outcome'];
  return typeof led === 'string' ? led.replaceAll('_', ' ') : `${response?.status ?? ''}`;
}

/** Returns the type of the fault that was applied to it; empty if none was. */
export function faultOf({ fault }: Exchange): string {
  const { type } = fieldsOf(fault);
  return typeof type === 'string' ? type : '';
}

/** Formats JSON for a person. A body that is JSON in a string is parsed. */
export function pretty(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (key, part) => (key === 'body' ? unfolded(part) : part), 2) ?? '';
}

function unfolded(body: unknown): unknown {
  if (typeof body !== 'string' || !/^[{[]/.test(body)) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
