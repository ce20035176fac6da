/** Implements `countermand requests show`. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../../config.ts';
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';
import { deedOf } from '../../slack/blocks/kind-copy.ts';
import { label, recordedNote } from '../../slack/blocks/labels.ts';
import { escaped } from '../../slack/blocks/text.ts';
import { timeline } from '../../slack/features/status/timeline.ts';
import { sentence } from '../../slack/messages/sentences/sentences.ts';
import { requestedBy } from '../../slack/messages/sentences/summary.ts';
import { print, withAdapters, workspaceOf } from '../command.ts';
import { jsonLine } from '../export/json-line.ts';
import { plainText, typed } from '../terminal-text.ts';
import { idOf, notFound } from './id.ts';

const OPTIONS = { workspace: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

export async function show(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const workspace = workspaceOf(values);
  const id = idOf(positionals);
  await withAdapters(loadConfig(), async ({ storage }) => {
    const found = await storage.requests.get({ workspace, id });
    if (!found) throw notFound(id);
    print(values.json ? [jsonLine(found.record).trimEnd()] : linesOf(found.record));
  });
}

function linesOf(record: RequestRecord): string[] {
  const where = ` in <#${record.channel}>`;
  return [
    ...[
      `${escaped(deedOf(record))} · ${label(record)}${recordedNote(record)}`,
      sentence(record, currentStep(record)),
    ].map(plainText),
    ...(record.reason ? [`Reason: ${typed(record.reason)}`] : []),
    ...[requestedBy(record, where), 'History', ...timeline(record)].map(plainText),
  ];
}
