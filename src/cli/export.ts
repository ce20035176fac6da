/** Implements `countermand export`. */
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import { loadConfig } from '../config.ts';
import { auditLine, csvHeader, csvRows, requestLine } from '../export.ts';
import { newestFirst } from '../outbox/record-store.ts';
import { type AuditEntry, TERMINAL } from '../requests/model/audit-entry.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { type Command, installationOf, mustBeKnown, UsageError, withAdapters } from './command.ts';
import { writeAll } from './terminal.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  format: { type: 'string', default: 'jsonl' },
} as const;

/** `ofEntry`: formats an entry of the audit trail. CSV has none: an entry has no place in a row for a step of a request. */
type Format = {
  header?: () => string;
  of(record: RequestRecord): string;
  ofEntry?(entry: AuditEntry): string;
};

const FORMATS = new Map<string, Format>([
  ['jsonl', { of: requestLine, ofEntry: auditLine }],
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

/** Yields the requests and then, if the format has them, the entries of the audit trail, both the newest first. */
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
