/**
 * Use case: a workspace has uninstalled Countermand, and all its data are removed. Slack reports this twice, in either
 * order, late, and even after a reinstall. So Slack's current answer about the bot token decides, and a later
 * installation is never touched.
 */
import type { Further, RecordRef } from '../../outbox/record-store.ts';
import { audited } from '../../requests/store/audit-trail.ts';
import { installedFields } from '../log-fields.ts';
import { type Busy, remove, sweep } from './removal.ts';
import { type UninstallRecord, uninstallEntry } from './uninstall-record.ts';
import {
  addRemoved,
  askAgain,
  findReported,
  goOn,
  later,
  type Step,
  toSweep,
  type UninstallDeps,
} from './uninstall-steps.ts';

const MAX_TURNS = 20;

/**
 * Continues an uninstall. It may run twice at once: asking Slack, revoking and removing are all repeatable.
 *
 * @returns milliseconds until the next step; undefined if it is complete
 * @throws if the storage is unavailable: the sweep tries again
 */
export async function advanceUninstall(deps: UninstallDeps, ref: RecordRef): Promise<number | undefined> {
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const found = await deps.uninstalls.get(ref);
    if (!found) return undefined;
    const { record, now } = found;
    if (record.notBefore > now) return record.notBefore - now;
    const next = await takeStep(deps, record, now);
    if (next === 'busy') {
      // The record stays as it is: another process may be about to write the result of the same step.
      await deps.uninstalls.postpone(record, deps.timings.retryMs);
      return deps.timings.retryMs;
    }
    // After a conflict the next turn reads the newer record.
    if (next)
      await deps.uninstalls.update(uninstallEntry(next), record.version, [], uninstalled(record, next, now));
    else await deps.uninstalls.remove(record, record.version);
  }
  return 0;
}

/** Tells the audit trail that the workspace has left: the entry is removed with everything else, unless it comes back at once. */
function uninstalled(
  { workspace, id, generation, step }: UninstallRecord,
  next: UninstallRecord,
  at: number,
): Further[] {
  if (step.type !== 'verify' || next.step.type !== 'revoke') return [];
  return audited([{ workspace, id: `${id}:${generation}`, at, by: [], act: 'uninstalled' }]);
}

/** @returns the next record of the uninstall; undefined if it is complete */
function takeStep(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | Busy | undefined> {
  switch (uninstall.step.type) {
    case 'verify':
      return verify(deps, uninstall, uninstall.step, now);
    case 'revoke':
      return revoke(deps, uninstall, uninstall.step, now);
    case 'remove':
      return remove(deps, uninstall, now);
    case 'sweep':
      return sweep(deps, uninstall, now);
  }
}

async function verify(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  { stood }: Step<'verify'>,
  now: number,
) {
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
      const until = (uninstalled ? at : at + graceMs) + revokeForMs;
      return goOn(uninstall, { type: 'revoke', until }, now);
    }
  }
}

async function revoke(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  { until }: Step<'revoke'>,
  now: number,
) {
  const installed = await findReported(deps, uninstall);
  // A repeated report began anew while another process was removing, or somebody has installed the app again.
  if (!installed) return toSweep(deps, uninstall, now);
  // An organization may have its access back, with the same installation.
  const access = uninstall.organization === undefined ? 'gone' : await deps.checkInstalled(uninstall);
  if (access === 'stands') return toSweep(deps, uninstall, now);
  if (access === 'unknown') return askAgain(deps, uninstall, now);
  const outcomes = await Promise.all(installed.workspaces.map((workspace) => tryToRevoke(deps, workspace)));
  // Written down before anything is removed: a removal that is cut short can't be read off what is left.
  const leaving = addRemoved(uninstall, installed);
  if (!outcomes.includes('later')) return goOn(leaving, { type: 'remove' }, now);
  if (now < until) return later(deps, uninstall, now);
  deps.log.warn(installedFields(uninstall.workspace), 'API token not revoked within a day: removed here');
  return goOn(leaving, { type: 'remove' }, now);
}

/** An unreadable connection must not keep the rest from being removed. */
async function tryToRevoke({ revokeOwn, log }: UninstallDeps, workspace: string): Promise<'done' | 'later'> {
  try {
    return await revokeOwn(workspace);
  } catch (err) {
    log.warn({ workspace, err }, 'API token not revoked yet');
    return 'later';
  }
}
