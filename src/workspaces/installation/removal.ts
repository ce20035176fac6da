/** Removes the data of an uninstalled workspace or organization, and later what tasks under way have written since. */
import type { LockOptions } from '../../requests/ports/locks.ts';
import { installedFields } from '../log-fields.ts';
import type { InstallationRef, UninstallRecord } from './uninstall-record.ts';
import { addRemoved, askAgain, findReported, toSweep, type UninstallDeps } from './uninstall-steps.ts';
import type { UninstallTimings } from './uninstall-timings.ts';

/** A person who installs meanwhile is asked to come back. */
const removing = ({ removingMs: ttlMs }: UninstallTimings): LockOptions => ({ ttlMs, timeoutMs: 15_000 });

/** Removes the data. It checks before each part that the installation is still the same, because this may take long. */
export function remove(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | undefined> {
  const { workspace: id } = uninstall;
  return deps.withLock(uninstall, removing(deps.timings), async () => {
    const installed = await findReported(deps, uninstall);
    if (!installed) return toSweep(deps, uninstall, now);
    for (const workspace of installed.workspaces) {
      await forgetIf(deps, uninstall, workspace, async () => {
        const current = await findReported(deps, uninstall);
        // It may have been installed on its own meanwhile.
        return current?.workspaces.includes(workspace) ?? false;
      });
    }
    const removed = addRemoved(uninstall, installed);
    if (!(await findReported(deps, uninstall))) return toSweep(deps, removed, now);
    await deps.removeInstallation(uninstall);
    deps.log.info(installedFields(id), 'installation data removed');
    return toSweep(deps, removed, now);
  });
}

/**
 * Forgets a workspace on a condition. The lock of the workspace's own installation is held as well, so that nobody
 * installs the app there meanwhile. An organization's lock is always taken before that of its workspace.
 */
async function forgetIf(
  deps: UninstallDeps,
  { workspace: id, organization }: InstallationRef,
  workspace: string,
  condition: () => Promise<boolean>,
): Promise<void> {
  const act = async () => {
    if (await condition()) await deps.forget(workspace);
  };
  const isLocked = organization === undefined && workspace === id;
  await (isLocked ? act() : deps.withLock({ workspace }, removing(deps.timings), act));
}

/** @returns undefined: the uninstall is complete; or the record of the next try */
export async function sweep(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | undefined> {
  const access = await checkAccess(deps, uninstall);
  if (access === 'unknown') return askAgain(deps, uninstall, now);
  return deps.withLock(uninstall, removing(deps.timings), async () => {
    // A late request may have recorded again that the organization serves the workspace.
    if (access === 'gone') await deps.removeInstallation(uninstall);
    for (const workspace of uninstall.removed) await sweepWorkspace(deps, uninstall, workspace);
    // A removal that was cut short has removed the row, and has left what lists it.
    if (!(await deps.installed(uninstall))) await deps.removeInstallation(uninstall);
    return undefined;
  });
}

/**
 * Forgets a workspace, unless it is served. Where its organization seems to serve it once its own installation is gone,
 * Slack is asked, because nobody may have noticed that the organization has no access to it. Slack has not reported that,
 * so a day is left: the organization may only be waiting for a new token.
 */
async function sweepWorkspace(deps: UninstallDeps, uninstall: UninstallRecord, workspace: string) {
  await forgetIf(deps, uninstall, workspace, async () => (await deps.servedBy(workspace)) === undefined);
  const by = await deps.servedBy(workspace);
  if (by !== undefined && by !== workspace && uninstall.organization === undefined)
    await deps.recordUninstall({ id: workspace, uninstalled: false, organization: by });
}

/**
 * Asks Slack about an organization that may have lost its access only: its installation stands in either case. Call it
 * outside of the lock, because an expiring token is renewed under the same lock.
 *
 * @returns undefined if the uninstall is of an installation, or the organization's installation does not serve it
 */
async function checkAccess(deps: UninstallDeps, uninstall: UninstallRecord) {
  if (uninstall.organization === undefined || !(await deps.installed(uninstall))) return undefined;
  return deps.checkInstalled(uninstall);
}
