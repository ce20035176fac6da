/** Formats requests for spreadsheets: as CSV (RFC 4180), with a row for each step. */
import { type Options, stringify } from 'csv-stringify/sync';
import type { Answer } from '../requests/model/cause.ts';
import type { RequestRecord, Step } from '../requests/model/record.ts';
import { iso } from './json-lines.ts';

const COLUMNS = [
  'request',
  'workspace',
  'kind',
  'target',
  'reason',
  'requester',
  'created_at',
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

/** A missing column is empty. */
type Row = Partial<Record<(typeof COLUMNS)[number], string | number | undefined>>;

/**
 * The start of a text that a spreadsheet runs as a formula, also after invisible characters
 * (https://owasp.org/www-community/attacks/CSV_Injection). The library's own guard checks only the first character.
 */
const FORMULA = /^[\s\p{C}=+\-@＝＋－＠]/u;

/** Quotes every field and ends rows with CRLF. A leading apostrophe keeps a formula a text. */
const CSV: Options = {
  columns: [...COLUMNS],
  quoted: true,
  quoted_empty: true,
  record_delimiter: 'windows',
  cast: { string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
};

/** @returns the row with the names of the columns */
export const csvHeader = (): string => stringify([], { ...CSV, header: true });

/** @returns a row for each step of a request */
export function csvRows(record: RequestRecord): string {
  return stringify(
    record.steps.map((step) => rowOf(record, step)),
    CSV,
  );
}

function rowOf(record: RequestRecord, step: Step): Row {
  const { id: request, workspace, kind, target, reason, requester, channel, state } = record;
  return {
    request,
    workspace,
    kind,
    target,
    reason,
    requester,
    created_at: iso(record.createdAt),
    channel,
    state,
    step: step.n,
    entered: step.state,
    at: iso(step.at),
    cause: step.cause.type,
    ...whyOf(step),
  };
}

/** The person who caused a step, the answer, and the service's objection. */
function whyOf({ cause, callResult }: Step): Pick<Row, 'by' | 'says' | 'code' | 'message'> {
  switch (cause.type) {
    case 'requested':
    case 'approval_requested_again':
      return { by: cause.by };
    case 'person':
      return { by: cause.by, says: cause.action };
    case 'decision':
      return { by: cause.by.join(' '), says: cause.choice };
    case 'call_begun':
      return { says: callResult };
    case 'event':
    case 'canceled_elsewhere':
      return { says: cause.event.word ?? cause.event.status };
    case 'card_refused':
      return { code: cause.code };
    case 'answer':
      return answered(cause.answer);
    default:
      return {};
  }
}

function answered(answer: Answer): Pick<Row, 'says' | 'code' | 'message'> {
  switch (answer.type) {
    case 'said':
      return { says: answer.word ?? answer.status };
    case 'refused':
      return { says: 'refused', code: answer.code ?? answer.httpStatus, message: answer.message };
    case 'no_answer':
      return { says: 'no_answer', code: answer.code ?? answer.why, message: answer.message };
    case 'not_received':
      return { says: 'not_received', code: answer.why };
  }
}
