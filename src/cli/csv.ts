/** Exports requests as CSV (RFC 4180): one row for each step. */
import { type Options, stringify } from 'csv-stringify/sync';
import { iso } from '../export/audit-line.ts';
import type { Answer } from '../requests/model/cause.ts';
import type { RequestRecord, Step } from '../requests/model/record.ts';

type Row = Record<(typeof COLUMNS)[number], string | number | undefined>;

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

/**
 * The start of a text that a spreadsheet runs as a formula, also after invisible characters
 * (https://owasp.org/www-community/attacks/CSV_Injection). The library's own guard checks only the first character.
 */
const FORMULA = /^[\s\p{C}=+\-@＝＋－＠]/u;

/** Quotes every field and ends rows with CRLF. A leading apostrophe keeps a formula a text. */
const FORMAT: Options = {
  columns: [...COLUMNS],
  quoted: true,
  quoted_empty: true,
  record_delimiter: 'windows',
  cast: { string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
};

export const csvHeader = (): string => stringify([], { ...FORMAT, header: true });

export const csvRows = (record: RequestRecord): string =>
  stringify(
    record.steps.map((step) => rowOf(record, step)),
    FORMAT,
  );

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
  const nothing = { by: undefined, says: undefined, code: undefined, message: undefined };
  switch (cause.type) {
    case 'requested':
    case 'approval_requested_again':
      return { ...nothing, by: cause.by };
    case 'person':
      return { ...nothing, by: cause.by, says: cause.action };
    case 'decision':
      return { ...nothing, by: cause.by.join(' '), says: cause.choice };
    case 'call_begun':
      return { ...nothing, says: callResult };
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
