/**
 * Tells the outbox how a workspace is removed that has uninstalled Countermand. Slack reports an uninstall twice, in either
 * order, late, and even after a reinstall. So Slack's current answer about the bot token decides, and a later installation is
 * never touched. Each step may be repeated, after whatever was cut short.
 */
import type { Further } from '../../outbox/record-store.ts';
import type { RecordType } from '../../outbox/record-type.ts';
import { audited } from '../../requests/store/audit-trail.ts';
import { asError } from '../connection/token/revoke-former.ts';
import { installedFields } from '../log-fields.ts';
import { remove, sweep } from './removal.ts';
import {
  pendingOfUninstall,
  type StepName,
  type UninstallRecord,
  uninstallEntry,
} from './uninstall-record.ts';
import {
  askAgain,
  findReported,
  goOn,
  later,
  type Step,
  toSweep,
  type UninstallDeps,
} from './uninstall-steps.ts';

export function createUninstallType(deps: UninstallDeps): RecordType<UninstallRecord, StepName> {
  const { uninstalls, timings } = deps;
  return {
    store: uninstalls,
    fieldsOf: ({ workspace }) => installedFields(workspace),
    level: 'info',
    nameOf: (step) => `uninstall_${step}`,
    pending: pendingOfUninstall,
    begin: async ({ record, now }, effect, { owner }) => ({
      type: 'claim',
      record: { ...record, claim: { effect, owner, startedAt: now, expiresAt: now + timings.removingMs } },
      isSeen: false,
    }),
    async perform(_step, uninstall) {
      const now = uninstall.claim.startedAt;
      try {
        const next = await takeStep(deps, uninstall, now);
        return { outcome: { result: next?.step.type ?? 'done' }, apply: () => ({ record: next }) };
      } catch (error) {
        const err = asError(error);
        return { outcome: { result: 'failed', err }, apply: () => ({ record: later(deps, uninstall, now) }) };
      }
    },
    write: (before, after) =>
      uninstalls.update(uninstallEntry(after), before.version, [], uninstalled(before, after)),
  };
}

/** Tells the audit trail that the workspace has left: the entry is removed with everything else, unless it comes back at once. */
function uninstalled({ workspace, id, generation, step }: UninstallRecord, next: UninstallRecord): Further[] {
  if (step.type !== 'verify' || next.step.type !== 'remove') return [];
  return audited([{ workspace, id: `${id}:${generation}`, at: next.notBefore, by: [], act: 'uninstalled' }]);
}

/** @returns the next record of the uninstall; undefined if it is complete */
function takeStep(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | undefined> {
  switch (uninstall.step.type) {
    case 'verify':
      return verify(deps, uninstall, uninstall.step, now);
    case 'remove':
      return remove(deps, uninstall, uninstall.step, now);
    case 'sweep':
      return sweep(deps, uninstall, now);
  }
}

async function verify(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  { stood }: Step<'verify'>,
  now: number,
): Promise<UninstallRecord | undefined> {
  const { workspace: id, at, uninstalled } = uninstall;
  const { recheckMs, revokeForMs, graceMs } = deps.timings;
  if (!(await findReported(deps, uninstall))) return toSweep(deps, uninstall, now);
  switch (await deps.checkInstalled(uninstall)) {
    case 'unknown':
      return askAgain(deps, uninstall, now);
    case 'stands':
      if (stood > 0) return toSweep(deps, uninstall, now);
      return goOn(uninstall, { type: 'verify', stood: stood + 1 }, now + recheckMs);
    case 'gone': {
      if (!uninstalled && now < at + graceMs) return later(deps, uninstall, now);
      deps.log.info(installedFields(id), 'Countermand was uninstalled: its data will be removed');
      // Counted from the first report: the daily search reports it again, and each report begins anew.
      const revokeUntil = (uninstalled ? at : at + graceMs) + revokeForMs;
      return goOn(uninstall, { type: 'remove', revokeUntil }, now);
    }
  }
}
