/** Reads the audit trail of a workspace from the storage, and the audit stream from its file. */
import { existsSync, readFileSync } from 'node:fs';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { AuditEntry } from '../../../src/requests/model/audit-entry.ts';
import type { AuditStore } from '../../../src/requests/ports/ports.ts';

/** @returns the entries, the oldest first */
export async function trailOf(
  { auditEntries }: { auditEntries: Pick<AuditStore, 'list'> },
  workspace: string = SEED.team,
): Promise<AuditEntry[]> {
  return (await auditEntries.list(workspace, { limit: 1_000 })).reverse();
}

/** @param path AUDIT_FILE */
export const auditLinesIn = (path: string): Pick<AuditEntry, 'id' | 'act' | 'result'>[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

/** The acts about requests as lines: who, what, about which order, from what, to what. */
export const actsIn = (trail: readonly AuditEntry[]): string[] =>
  trail.flatMap(({ by, act, request, from, to }) =>
    request ? [[by.join('+'), act, request.target, from ?? '-', to ?? '-'].join(' ')] : [],
  );
