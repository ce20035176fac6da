/**
 * Formats requests and entries of the audit trail for other programs, with times as ISO 8601: as a line of JSON each; requests
 * also for spreadsheets, as CSV (RFC 4180) with a row for each step.
 */
import { type Options, stringify } from 'csv-stringify/sync';
import type { Approval } from './requests/model/approval.ts';
import { type AuditEntry, contentOf } from './requests/model/audit-entry.ts';
import type { Answer } from './requests/model/cause.ts';
import { requestTimes } from './requests/model/events-and-calls.ts';
import type { RequestMessage, RequestRecord, Step } from './requests/model/record.ts';

/**
 * Writes JSON on a line. `JSON.stringify` leaves controls from U+007F on, which a terminal obeys, and characters that set the
 * direction of text: they are escaped, too.
 */
const jsonLine = (value: object): string =>
  `${JSON.stringify(value, withIsoTimes).replace(/[\p{Cc}\p{Bidi_Control}]/gu, escapedInJson)}\n`;

const escapedInJson = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** @returns an entry of the audit trail as a line of JSON. `type` tells it from a line of the log, and from a request */
export const auditLine = (entry: AuditEntry): string =>
  jsonLine({ type: 'audit_entry', ...contentOf(entry) });

/** @returns a request as a line of JSON, without what is pending for it */
export function requestLine(record: RequestRecord): string {
  const { id, workspace, kind, target, reason, requester, createdAt, channel, state, word } = record;
  const { thread, message, ticket, repeats, lateActions, paused } = record;
  const exported = {
    type: 'request',
    ...{ id, workspace, kind, target, reason, requester, createdAt, channel, state, word },
    ...{ thread, message, ticket, repeats, lateActions, paused },
    requestedAt: requestTimes(record).at(-1),
    steps: record.steps.map(({ heard: _internal, ...step }) => step),
    approval: record.approval && approvalOf(record.approval),
    messages: record.messages.map(exportedMessage),
  };
  return jsonLine(exported);
}

function approvalOf(approval: Approval) {
  const { policy, round, since, votes, history, forgotten, problem, decision, earlier } = approval;
  return { policy, round, since, votes, history, forgotten, problem, decision, earlier };
}

/** A message without what is pending about it. */
const exportedMessage = ({ delivery, upkeep: _pending, ...message }: RequestMessage) => ({
  ...message,
  delivery: delivery.status,
});

/** @param at epoch milliseconds @returns ISO 8601 in UTC; of an invalid time the number */
export function iso(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.valueOf()) ? String(at) : date.toISOString();
}

/** The names of the fields that hold epoch milliseconds. */
const MILLISECONDS = new Set([
  'at',
  'since',
  'createdAt',
  'updatedAt',
  'requestedAt',
  'arrivedAt',
  'reasonAt',
  'refusedAt',
]);
/** The names of the fields that hold epoch microseconds by Slack's clock, of votes and clicks; 0: never. */
const MICROSECONDS = new Set(['addedAt', 'removedAt', 'moment']);

/** Replaces times by ISO 8601 (for JSON.stringify). */
function withIsoTimes(key: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (MILLISECONDS.has(key)) return iso(value);
  if (MICROSECONDS.has(key)) return value === 0 ? null : iso(value / 1_000);
  return value;
}

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
    ...{ request, workspace, kind, target, reason, requester, channel, state },
    created_at: iso(record.createdAt),
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
    case 'reconsidered':
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
