/** Removes the data of an uninstalled workspace or organization, and later what tasks under way have written since. */
import type { LockOptions } from '../../requests/ports/locks.ts';
import { installedFields } from '../log-fields.ts';
import type { UninstallRecord } from './uninstall-record.ts';
import { type Step, toSweep, type UninstallDeps } from './uninstall-steps.ts';
import type { UninstallTimings } from './uninstall-timings.ts';

/** A person who installs meanwhile is asked to come back. */
const removing = ({ removingMs: ttlMs }: UninstallTimings): LockOptions => ({ ttlMs, timeoutMs: 15_000 });

/** Removes the data. It checks before each part that the installation is still the same, because this may take long. */
export async function remove(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  { generation }: Step<'remove'>,
  now: number,
) {
  const { workspace: id } = uninstall;
  const isSame = async () => (await deps.installed(uninstall))?.generation === generation;
  return deps.withLock(uninstall, removing(deps.timings), async () => {
    const installed = await deps.installed(uninstall);
    if (!installed) return toSweep(deps, uninstall, now);
    const { workspaces } = installed;
    for (const workspace of workspaces) if (await isSame()) await deps.forget(workspace);
    if (!(await isSame())) return undefined;
    await deps.removeInstallation(uninstall);
    deps.log.info(installedFields(id), 'installation data removed');
    return toSweep(deps, { ...uninstall, removed: [...workspaces] }, now);
  });
}

export function sweep(deps: UninstallDeps, uninstall: UninstallRecord): Promise<undefined> {
  return deps.withLock(uninstall, removing(deps.timings), async () => {
    for (const workspace of uninstall.removed)
      if (!(await deps.isServed(workspace))) await deps.forget(workspace);
    // A removal that was cut short has removed the row, and has left what lists it.
    if (!(await deps.installed(uninstall))) await deps.removeInstallation(uninstall);
    return undefined;
  });
}
