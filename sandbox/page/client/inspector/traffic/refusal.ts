import type { Ending } from '../../../../lib/http/journal.ts';
import { type Exchange, fieldsOf } from './exchange.ts';

const ENDINGS: Record<Exclude<Ending, 'answered'>, string> = {
  client_gone: 'The client left before the answer.',
  timeout: 'No answer result in time.',
  no_connection: 'The other side could not be reached.',
  dropped: 'The connection was dropped before the request was processed.',
  unanswered: 'The request was processed, but the connection was dropped before the answer.',
  truncated: 'The request was processed, but only half of the answer was sent.',
  sandbox_error: 'The sandbox itself failed.',
};

/** Returns why an exchange was refused or failed, one reason to a line; undefined if it was not, or has not ended. */
export function refusal(exchange: Exchange): string | undefined {
  const { ended, outcome, response } = exchange;
  if (ended === undefined) return undefined;
  if (ended !== 'answered') return lines(ENDINGS[ended], fieldsOf(response?.body)['reason']);
  return refusedAct(outcome) ?? (response && refusedAnswer(response));
}

function refusedAct(outcome: unknown): string | undefined {
  const { refused, trouble, why } = fieldsOf(outcome);
  return lines(refused, trouble, why) || undefined;
}

function refusedAnswer({ status, body }: { status: number; body: unknown }): string | undefined {
  const { ok, error, response_metadata, code, message } = fieldsOf(body);
  if (ok === false)
    return lines(error ?? 'Refused without a reason.', ...listOf(fieldsOf(response_metadata)['messages']));
  if (status < 400) return undefined;
  return lines(code, message) || lines(body) || `The answer was ${status}.`;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const lines = (...given: unknown[]): string =>
  given.filter((each) => typeof each === 'string' && each !== '').join('\n');
