/** Implements `countermand export`. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../../config.ts';
import { TERMINAL } from '../../requests/model/audit/audit-entry.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { RequestStore } from '../../requests/ports/ports.ts';
import { newestFirst } from '../../requests/store/newest-first.ts';
import { type Command, isKnown, UsageError, unknownError, withAdapters, workspaceOf } from '../command.ts';
import { write } from '../output.ts';
import { csvHeader, csvRows } from './csv.ts';
import { jsonLine } from './json-line.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  format: { type: 'string', default: 'jsonl' },
} as const;

type Format = { header: string; of(record: RequestRecord): string };

const FORMATS = new Map<string, Format>([
  ['jsonl', { header: '', of: jsonLine }],
  ['csv', { header: csvHeader(), of: csvRows }],
]);

export const exportCommand: Command = {
  usage: `  countermand export --workspace T... [--format jsonl|csv]
                              writes the requests of a workspace to standard output, the newest first: one to a line
                              with all that came of it (jsonl), or each of its steps in a row (csv)`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const workspace = workspaceOf(values);
    const format = FORMATS.get(values.format);
    if (!format) throw new UsageError('--format must be jsonl or csv.');
    await withAdapters(loadConfig(), async (adapters) => {
      if (!(await isKnown(adapters, workspace))) throw unknownError(workspace);
      await adapters.recordAct(
        { workspace, by: [TERMINAL], act: 'exported', to: values.format },
        () => write(lines(adapters.storage.requests, workspace, format)),
        () => 'exported',
      );
    });
  },
};

async function* lines(
  store: RequestStore,
  workspace: string,
  { header, of }: Format,
): AsyncGenerator<string> {
  if (header) yield header;
  for await (const record of newestFirst(store, { workspace }, (each) => each.createdAt)) yield of(record);
}
