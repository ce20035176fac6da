/** Implements `countermand export`: JSON lines, or CSV (RFC 4180) with one row for each step. */
import { parseArgs } from 'node:util';
import { type Options, stringify } from 'csv-stringify/sync';
import type { Adapters } from '../compose/adapters.ts';
import { loadConfig } from '../config.ts';
import { auditLine, iso, withIsoTimes } from '../export/audit-line.ts';
import { newestFirst } from '../outbox/record-store.ts';
import type { Approval } from '../requests/model/approvals/approval.ts';
import { type AuditEntry, TERMINAL } from '../requests/model/audit-entry.ts';
import type { Answer } from '../requests/model/cause.ts';
import type { RequestMessage } from '../requests/model/message.ts';
import type { RequestRecord, Step } from '../requests/model/record.ts';
import { type Command, installationOf, mustBeKnown, UsageError, withAdapters } from './command.ts';
import { writeAll } from './output.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  format: { type: 'string', default: 'jsonl' },
} as const;

/** `ofEntry`: of the audit trail. CSV has a row for each step of a request, in which an entry has no place. */
type Format = {
  header?: () => string;
  of(record: RequestRecord): string;
  ofEntry?(entry: AuditEntry): string;
};

const FORMATS = new Map<string, Format>([
  ['jsonl', { of: jsonLine, ofEntry: auditLine }],
  ['csv', { header: csvHeader, of: csvRows }],
]);

export const exportCommand: Command = {
  usage: `  countermand export --workspace T... [--format jsonl|csv]
                              writes the requests of a workspace to standard output, the newest first: one to a line
                              with all that came of it, and then the audit trail (jsonl), or each step of a request in
                              a row (csv). E...: an organization, which has only an audit trail`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const workspace = installationOf(values);
    const format = FORMATS.get(values.format);
    if (!format) throw new UsageError('--format must be jsonl or csv.');
    await withAdapters(loadConfig(), async (adapters) => {
      await mustBeKnown(adapters, workspace);
      await adapters.recordAct(
        { workspace, by: [TERMINAL], act: 'exported', to: values.format },
        () => writeAll(lines(adapters.storage, workspace, format)),
        () => 'exported',
      );
    });
  },
};

async function* lines(
  { requests, auditEntries }: Pick<Adapters['storage'], 'requests' | 'auditEntries'>,
  workspace: string,
  { header, of, ofEntry }: Format,
): AsyncGenerator<string> {
  if (header) yield header();
  for await (const record of newestFirst(requests, { workspace }, (each) => each.createdAt)) yield of(record);
  if (!ofEntry) return;
  for await (const entry of newestFirst(auditEntries, { workspace }, ({ at }) => at)) yield ofEntry(entry);
}

export function jsonLine(record: RequestRecord): string {
  const { id, workspace, kind, target, reason, requester, createdAt, channel, state, word } = record;
  const { thread, message, ticket, repeats, lateActions, paused } = record;
  const exported = {
    type: 'request',
    ...{ id, workspace, kind, target, reason, requester, createdAt, channel, state, word },
    ...{ thread, message, ticket, repeats, lateActions, paused },
    requestedAt: record.call.requestedAt,
    steps: record.steps.map(({ n, state: entered, at, cause, callResult }) => ({
      n,
      state: entered,
      at,
      cause,
      callResult,
    })),
    approval: record.approval && approvalOf(record.approval),
    messages: record.messages.map(exportedMessage),
  };
  return `${JSON.stringify(withIsoTimes(exported))}\n`;
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

/** A column that is left out is empty. */
type Row = Partial<Record<(typeof COLUMNS)[number], string | number | undefined>>;

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
const CSV: Options = {
  columns: [...COLUMNS],
  quoted: true,
  quoted_empty: true,
  record_delimiter: 'windows',
  cast: { string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
};

export function csvHeader(): string {
  return stringify([], { ...CSV, header: true });
}

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
