/** Implements `countermand export`. */
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import { loadConfig } from '../config.ts';
import { auditLine, withIsoTimes } from '../export/audit-line.ts';
import { newestFirst } from '../outbox/record-pages.ts';
import type { Approval } from '../requests/model/approvals/approval.ts';
import { type AuditEntry, TERMINAL } from '../requests/model/audit/audit-entry.ts';
import type { RequestMessage } from '../requests/model/message.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { type Command, isKnown, UsageError, unknownError, withAdapters, workspaceOf } from './command.ts';
import { csvHeader, csvRows } from './csv.ts';
import { write } from './output.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  format: { type: 'string', default: 'jsonl' },
} as const;

/** `ofEntry`: of the audit trail. CSV has a row for each step of a request, in which an entry has no place. */
type Format = {
  header: string;
  of(record: RequestRecord): string;
  ofEntry?(entry: AuditEntry): string;
};

const FORMATS = new Map<string, Format>([
  ['jsonl', { header: '', of: jsonLine, ofEntry: auditLine }],
  ['csv', { header: csvHeader(), of: csvRows }],
]);

export const exportCommand: Command = {
  usage: `  countermand export --workspace T... [--format jsonl|csv]
                              writes the requests of a workspace to standard output, the newest first: one to a line
                              with all that came of it, and then the audit trail (jsonl), or each step of a request in
                              a row (csv)`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const workspace = workspaceOf(values);
    const format = FORMATS.get(values.format);
    if (!format) throw new UsageError('--format must be jsonl or csv.');
    await withAdapters(loadConfig(), async (adapters) => {
      if (!(await isKnown(adapters, workspace))) throw unknownError(workspace);
      await adapters.recordAct(
        { workspace, by: [TERMINAL], act: 'exported', to: values.format },
        () => write(lines(adapters.storage, workspace, format)),
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
  if (header) yield header;
  for await (const record of newestFirst(requests, { workspace }, (each) => each.createdAt)) yield of(record);
  if (!ofEntry) return;
  for await (const entry of newestFirst(auditEntries, { workspace }, ({ at }) => at)) yield ofEntry(entry);
}

export function jsonLine(record: RequestRecord): string {
  const { id, workspace, kind, target, reason, requester, createdAt, channel, state, word } = record;
  const exported = {
    type: 'request',
    ...{ id, workspace, kind, target, reason, requester, createdAt, channel, state, word },
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
