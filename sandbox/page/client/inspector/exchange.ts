import type { Ending, JournalEntry, Underway } from '../../../lib/http/journal.ts';

export type Begun = Omit<Underway, 'end'>;

/** An exchange or an action in the inspector; one that is under way lacks the fields that are known at its end. */
export type Exchange = Begun & Partial<Omit<JournalEntry, keyof Begun>>;

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

/** Returns the order or offer, the typed text, the modal or the button; empty if a few words cannot name the subject. */
export function subjectOf({ request }: Exchange): string {
  const body = fieldsOf(fieldsOf(request)['body']);
  const found = [...subjects(fieldsOf(request)), ...subjects(body), fieldsOf(body['data'])['orderId']].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return typeof found === 'string' ? found : '';
}

function subjects(given: Record<string, unknown>): unknown[] {
  const { id, orderId, line, reaction, button, text, view, actions, callback_id } = given;
  const pressed = Array.isArray(actions) ? fieldsOf(actions[0])['action_id'] : undefined;
  return [id, orderId, line, reaction, button, pressed, text, fieldsOf(view)['callback_id'], callback_id];
}

const ENDINGS: Record<Exclude<Ending, 'answered'>, string> = {
  client_gone: 'The client left before the answer.',
  timeout: 'No answer came in time.',
  no_connection: 'The other side could not be reached.',
  connection_lost: 'The connection was lost before the whole answer had come.',
  dropped: 'The connection was dropped before the request was processed.',
  unanswered: 'The request was processed, but the connection was dropped before the answer.',
  truncated: 'The request was processed, but only half of the answer was sent.',
  sandbox_error: 'The sandbox itself failed.',
};

/** Returns why an exchange was refused or failed, one reason to a line; undefined if it was not, or has not ended. */
export function refusal({ ended, outcome, response }: Exchange): string | undefined {
  if (ended === undefined) return undefined;
  if (ended !== 'answered') return lines(ENDINGS[ended], fieldsOf(response?.body)['reason']);
  const { refused, trouble, why } = fieldsOf(outcome);
  return lines(refused, trouble, why) || (response && refusedAnswer(response));
}

function refusedAnswer({ status, body }: { status: number; body: unknown }): string | undefined {
  const { ok, error, response_metadata, code, message } = fieldsOf(body);
  if (ok === false) {
    const { messages } = fieldsOf(response_metadata);
    return lines(error ?? 'Refused without a reason.', ...(Array.isArray(messages) ? messages : []));
  }
  if (status < 400) return undefined;
  return lines(code, message) || lines(body) || `The answer was ${status}.`;
}

const lines = (...given: unknown[]): string =>
  given.filter((each) => typeof each === 'string' && each !== '').join('\n');

export function contains({ from, to, name, request, response, outcome }: Exchange, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  const all = JSON.stringify([from, to, name, request, response?.body, outcome]).toLowerCase();
  // The text as a person reads it, or as JSON escapes it in the bodies.
  return all.includes(wanted) || all.includes(JSON.stringify(wanted).slice(1, -1));
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

export const fieldsOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
