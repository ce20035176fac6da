/** Requests as CSV (RFC 4180): a row for each step. */
import type { Answer } from '../../requests/model/cause.ts';
import type { RequestRecord, Step } from '../../requests/model/record.ts';
import { iso } from './times.ts';

type Row = Record<(typeof COLUMNS)[number], string | number | undefined>;

const COLUMNS = [
  'request',
  'workspace',
  'kind',
  'target',
  'reason',
  'asker',
  'asked_at',
  'channel',
  'state',
  'step',
  'entered',
  'at',
  'cause',
  'by',
  'says',
  'code',
  'message',
] as const;

export const csvHeader = (): string => line(COLUMNS);

export function csvRows(record: RequestRecord): string {
  return record.steps
    .map((step) => {
      const row = rowOf(record, step);
      return line(COLUMNS.map((column) => row[column]));
    })
    .join('');
}

function rowOf(record: RequestRecord, step: Step): Row {
  const { id: request, workspace, kind, target, reason, asker, channel, state } = record;
  return {
    request,
    workspace,
    kind,
    target,
    reason,
    asker,
    asked_at: iso(record.askedAt),
    channel,
    state,
    step: step.n,
    entered: step.state,
    at: iso(step.at),
    cause: step.cause.type,
    ...whyOf(step),
  };
}

/** Who caused a step, what was said, and what the service had against it. */
function whyOf({ cause, came }: Step): Pick<Row, 'by' | 'says' | 'code' | 'message'> {
  const nothing = { by: undefined, says: undefined, code: undefined, message: undefined };
  switch (cause.type) {
    case 'asked':
    case 'asked_again':
      return { ...nothing, by: cause.by };
    case 'person':
      return { ...nothing, by: cause.by, says: cause.act };
    case 'decision':
      return { ...nothing, by: cause.by.join(' '), says: cause.choice };
    case 'call_begun':
      return { ...nothing, says: came };
    case 'event':
    case 'canceled_elsewhere':
      return { ...nothing, says: cause.event.word ?? cause.event.status };
    case 'card_refused':
      return { ...nothing, code: cause.code };
    case 'answer':
      return { ...nothing, ...answered(cause.answer) };
    default:
      return nothing;
  }
}

function answered(answer: Answer): Partial<Row> {
  switch (answer.type) {
    case 'said':
      return { says: answer.word ?? answer.status };
    case 'refused':
      return { says: 'refused', code: answer.code ?? answer.httpStatus, message: answer.message };
    default:
      return { says: answer.type, code: answer.why };
  }
}

/** Every field in quotes, and CRLF at the end. */
function line(fields: readonly (string | number | undefined)[]): string {
  return `${fields.map((field) => `"${harmless(`${field ?? ''}`).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/**
 * A spreadsheet takes a text that begins like this for a formula, and runs it, also behind what can't be seen; with an
 * apostrophe in front it stays a text (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^[\s\p{C}=+\-@＝＋－＠]/u;

const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
