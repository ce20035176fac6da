/** Reads the audit trail of a workspace, as it is stored: the oldest entry first. */
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { AuditEntry } from '../../../src/requests/model/audit/audit-entry.ts';
import type { AuditStore } from '../../../src/requests/ports/ports.ts';
import type { RecordAct } from '../../../src/requests/store/record-act.ts';

export async function trailOf(
  { auditEntries }: { auditEntries: Pick<AuditStore, 'list'> },
  workspace: string = SEED.team,
): Promise<AuditEntry[]> {
  return (await auditEntries.list(workspace, { limit: 1_000 })).reverse();
}

/** The acts about requests as lines: who, what, about which order, from what, to what. */
export const actsIn = (trail: readonly AuditEntry[]): string[] =>
  trail.flatMap(({ by, act, request, from, to }) =>
    request ? [[by.join('+'), act, request.target, from ?? '-', to ?? '-'].join(' ')] : [],
  );

/** For tests of something else: acts are done, and told nowhere. */
export const unrecorded: RecordAct = (_act, work) => work();
