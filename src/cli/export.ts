/** Implements `countermand audit` and `countermand export`, which write what is stored about a workspace. */
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import { auditLine, csvHeader, csvRows, iso, requestLine } from '../export.ts';
import { NO_WORKSPACE, newestFirst } from '../outbox/record-store.ts';
import { type AuditEntry, TERMINAL } from '../requests/model/audit-entry.ts';
import { newestRequests } from '../requests/store/subjects.ts';
import {
  type Command,
  FLAG,
  installationOf,
  limitOf,
  mustBeKnown,
  TEXT,
  UsageError,
  withAdapters,
} from './command.ts';
import { first, orElse, typed, writeAll, writeUntilClosed } from './terminal.ts';

type Stored = Pick<Adapters['storage'], 'requests' | 'auditEntries'>;

export const audit: Command = {
  usage: `  countermand audit [--workspace T...] [--limit N] [--json]
                              lists who did what in a workspace, the newest first; E...: who installed Countermand in
                              an organization; without --workspace, what concerns no workspace: rotated keys,
                              and upgrades of the storage`,
  async run(args) {
    const { values } = parseArgs({ args, options: { workspace: TEXT, limit: TEXT, json: FLAG } });
    const workspace = values.workspace === undefined ? NO_WORKSPACE : installationOf(values);
    const most = values.limit === undefined ? undefined : limitOf(values.limit);
    await withAdapters(async ({ adapters }) => {
      if (workspace !== NO_WORKSPACE) await mustBeKnown(adapters, workspace);
      const { storage } = adapters;
      await writeUntilClosed(
        values.json
          ? auditLines(storage, workspace, auditLine, most)
          : orElse('There are no entries.\n', auditLines(storage, workspace, lineOf, most)),
      );
    });
  },
};

async function* auditLines(
  { auditEntries }: Stored,
  workspace: string,
  of: (entry: AuditEntry) => string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  for await (const entry of first(
    most,
    newestFirst(auditEntries, { workspace }, ({ at }) => at),
  ))
    yield of(entry);
}

function lineOf({ at, by, act, request, setting, from, to, result }: AuditEntry): string {
  const about = request ? `${request.id} (${request.kind} ${typed(request.target)})` : setting;
  const before = from === undefined ? '' : `${shown(from)} `;
  const changed = to === undefined ? undefined : `${before}-> ${shown(to)}`;
  const what = [by.join(', ') || 'Slack', act, about, changed, result].filter((each) => each !== undefined);
  return `${iso(at)}  ${what.join('  ')}\n`;
}

/** Shows a value for a person. A setting that was never set, or is no longer set, has none. */
const shown = (value: unknown): string =>
  typed(typeof value === 'string' ? value : value === null ? 'nothing' : JSON.stringify(value));

const FORMATS = new Map([
  ['jsonl', jsonLines],
  ['csv', csvLines],
]);

export const exportCommand: Command = {
  usage: `  countermand export --workspace T... [--format jsonl|csv]
                              writes the requests of a workspace to standard output, the newest first: one to a line
                              with all that came of it, and then the audit trail (jsonl), or each step of a request in
                              a row (csv). E...: an organization, which has only an audit trail`,
  async run(args) {
    const { values } = parseArgs({
      args,
      options: { workspace: TEXT, format: { ...TEXT, default: 'jsonl' } },
    });
    const workspace = installationOf(values);
    const linesIn = FORMATS.get(values.format);
    if (!linesIn) throw new UsageError('--format must be jsonl or csv.');
    await withAdapters(async ({ adapters }) => {
      await mustBeKnown(adapters, workspace);
      const { recordAct, storage } = adapters;
      // Otherwise a failover could undo the entry of data that somebody has by then.
      await storage.replicated(() =>
        recordAct(
          { workspace, by: [TERMINAL], act: 'exported', to: values.format },
          () => writeAll(linesIn(storage, workspace)),
          () => 'exported',
        ),
      );
    });
  },
};

const requestsOf = ({ requests }: Stored, workspace: string) => newestRequests(requests, { workspace });

async function* jsonLines(storage: Stored, workspace: string): AsyncGenerator<string> {
  for await (const record of requestsOf(storage, workspace)) yield requestLine(record);
  yield* auditLines(storage, workspace, auditLine);
}

/** Yields the steps of requests only: an entry of the audit trail does not fit into a row for a step. */
async function* csvLines(storage: Stored, workspace: string): AsyncGenerator<string> {
  yield csvHeader();
  for await (const record of requestsOf(storage, workspace)) yield csvRows(record);
}
