import type { JournalKind } from '../../../../lib/http/journal.ts';
import { type Exchange, fieldsOf } from './exchange.ts';

/** What an exchange is called, by its kind. */
export const KIND_WORDS: Record<JournalKind, string> = {
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

/** The time of day, as HH:MM:SS.mmm. */
export function timeOf(at: number): string {
  const date = new Date(at);
  return `${date.toTimeString().slice(0, 8)}.${`${date.getMilliseconds()}`.padStart(3, '0')}`;
}

/** How it ended, in a word: the HTTP status, what an act led to, or that it has not ended. */
export function statusOf({ ended, response, outcome }: Exchange): string {
  if (ended === undefined) return 'under way';
  if (ended !== 'answered') return ended.replaceAll('_', ' ');
  const led = fieldsOf(outcome)['outcome'];
  return typeof led === 'string' ? led.replaceAll('_', ' ') : `${response?.status ?? ''}`;
}

/** The fault that struck it, by its type. Empty where none did. */
export function faultOf({ fault }: Exchange): string {
  const { type } = fieldsOf(fault);
  return typeof type === 'string' ? type : '';
}

/** JSON for a person to read. A body that is JSON in a string is unfolded. */
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
