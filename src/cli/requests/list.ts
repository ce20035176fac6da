/** Implements `countermand requests list`. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../../config.ts';
import { iso } from '../../export/iso-times.ts';
import { KIND_NAMES } from '../../requests/model/kinds.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import { STATE_NAMES } from '../../requests/model/states.ts';
import { historySubject, UNFINISHED } from '../../requests/store/entry.ts';
import { newestFirst } from '../../requests/store/newest-first.ts';
import { deedOf } from '../../slack/blocks/kind-copy.ts';
import { label, recordedNote } from '../../slack/blocks/labels.ts';
import { escaped } from '../../slack/blocks/text.ts';
import { isKnown, UsageError, unknownError, withAdapters, workspaceOf } from '../command.ts';
import { jsonLine } from '../export/json-line.ts';
import { write } from '../output.ts';
import { plainText } from '../terminal-text.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  open: { type: 'boolean', default: false },
  state: { type: 'string' },
  kind: { type: 'string' },
  requester: { type: 'string' },
  limit: { type: 'string', default: '20' },
  json: { type: 'boolean', default: false },
} as const;

type Filter = Pick<ReturnType<typeof parse>, 'open' | 'state' | 'kind' | 'requester'>;

export async function list(args: string[]): Promise<void> {
  const { limit, json, ...filter } = parse(args);
  const workspace = workspaceOf(filter);
  const most = limitOf(limit);
  await withAdapters(loadConfig(), async (adapters) => {
    if (!(await isKnown(adapters, workspace))) throw unknownError(workspace);
    const { requests } = adapters.storage;
    const all = newestFirst(requests, { workspace, subject: subjectOf(filter) }, (each) => each.createdAt);
    await write(lines(all, { filter, most, of: json ? jsonLine : lineOf }));
  });
}

function parse(args: string[]) {
  const { values } = parseArgs({ args, options: OPTIONS });
  oneOf('--state', values.state, STATE_NAMES);
  oneOf('--kind', values.kind, KIND_NAMES);
  return values;
}

function oneOf(option: string, value: string | undefined, names: readonly string[]): void {
  if (value !== undefined && !names.includes(value))
    throw new UsageError(`${option} must be one of ${names.join(', ')}.`);
}

/** @throws UsageError */
export function limitOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('--limit must be a whole number from 1.');
}

/** The shortest list that holds all that the filter lets through. */
function subjectOf({ open, requester, state, kind }: Filter): string | undefined {
  if (open) return UNFINISHED;
  if (requester !== undefined) return historySubject('requester', requester);
  if (state !== undefined) return historySubject('state', state);
  return kind === undefined ? undefined : historySubject('kind', kind);
}

async function* lines(
  records: AsyncIterable<RequestRecord>,
  { filter, most, of }: { filter: Filter; most: number; of: (record: RequestRecord) => string },
): AsyncGenerator<string> {
  let shown = 0;
  for await (const record of records) {
    if (!fits(record, filter)) continue;
    yield of(record);
    shown += 1;
    if (shown === most) return;
  }
}

const fits = (record: RequestRecord, { state, kind, requester }: Filter): boolean =>
  (state === undefined || record.state === state) &&
  (kind === undefined || record.kind === kind) &&
  (requester === undefined || record.requester === requester);

function lineOf(record: RequestRecord): string {
  const what = plainText(`${escaped(deedOf(record))} · ${label(record)}${recordedNote(record)}`);
  return `${record.id}  ${iso(record.createdAt)}  ${what.replaceAll('\n', ' ')} · ${record.requester}\n`;
}
