/** Implements `countermand audit`. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { auditLine, iso } from '../export.ts';
import { NO_WORKSPACE, newestFirst } from '../outbox/record-store.ts';
import type { AuditEntry } from '../requests/model/audit-entry.ts';
import { type Command, installationOf, limitOf, mustBeKnown, withAdapters } from './command.ts';
import { linesOf, typed, writeUntilClosed } from './terminal.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

export const audit: Command = {
  usage: `  countermand audit [--workspace T...] [--limit N] [--json]
                              lists who did what in a workspace, the newest first; E...: who installed Countermand in
                              an organization; without --workspace, what concerns no workspace: rotated keys`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const workspace = values.workspace === undefined ? NO_WORKSPACE : installationOf(values);
    const most = values.limit === undefined ? Number.POSITIVE_INFINITY : limitOf(values.limit);
    await withAdapters(loadConfig(), async (adapters) => {
      if (workspace !== NO_WORKSPACE) await mustBeKnown(adapters, workspace);
      const all = newestFirst(adapters.storage.auditEntries, { workspace }, ({ at }) => at);
      await writeUntilClosed(linesOf(all, { most, of: values.json ? auditLine : lineOf }));
    });
  },
};

function lineOf({ at, by, act, request, setting, from, to, result }: AuditEntry): string {
  const about = request ? `${request.id} (${request.kind} ${typed(request.target)})` : setting;
  const before = from === undefined ? '' : `${shown(from)} `;
  const changed = to === undefined ? undefined : `${before}-> ${shown(to)}`;
  const what = [by.join(', ') || 'Slack', act, about, changed, result].filter((each) => each !== undefined);
  return `${iso(at)}  ${what.join('  ')}\n`;
}

/** A setting that was never set, or is set no more, has no value. */
const shown = (value: unknown): string =>
  typed(typeof value === 'string' ? value : value === null ? 'nothing' : JSON.stringify(value));
