/** Removes the data of an uninstalled workspace or organization, and later what tasks under way have written since. */
import { installedFields } from '../log-fields.ts';
import type { InstallationClaim } from './installations.ts';
import type { UninstallRecord } from './uninstall-record.ts';
import { addRemoved, askAgain, findReported, toSweep, type UninstallDeps } from './uninstall-steps.ts';

/** Somebody else has claimed an installation: the step is to be repeated. */
export type Busy = 'busy';
const BUSY: Busy = 'busy';

/** Removes the data. It checks before each part that the installation is still the same, because this may take long. */
export async function remove(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | Busy | undefined> {
  const { workspace: id } = uninstall;
  return whileClaimed(deps, id, async (claim) => {
    const installed = await findReported(deps, uninstall);
    if (!installed) return toSweep(deps, uninstall, now);
    for (const workspace of installed.workspaces) {
      const isForgotten = await forgetIf(deps, { workspace, within: { id, claim } }, async () => {
        const current = await findReported(deps, uninstall);
        // It may have been installed on its own meanwhile.
        return current?.workspaces.includes(workspace) ?? false;
      });
      if (!isForgotten) return BUSY;
    }
    const removed = addRemoved(uninstall, installed);
    if (!(await findReported(deps, uninstall))) return toSweep(deps, removed, now);
    if (!(await deps.removeInstallation(uninstall, claim))) return BUSY;
    deps.log.info({ event: 'uninstalled', ...installedFields(id) }, 'installation data removed');
    return toSweep(deps, removed, now);
  });
}

/** @returns undefined: the uninstall is complete; or the record of the next try */
export async function sweep(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | Busy | undefined> {
  const { workspace: id } = uninstall;
  const access = await checkAccess(deps, uninstall);
  if (access === 'unknown') return askAgain(deps, uninstall, now);
  return whileClaimed(deps, id, async (claim) => {
    // A late request may have recorded again that the organization serves the workspace.
    if (access === 'gone') await deps.removeInstallation(uninstall, claim);
    for (const workspace of uninstall.removed)
      if (!(await sweepWorkspace(deps, uninstall, { workspace, within: { id, claim } }))) return BUSY;
    // A removal that was cut short has removed the installation, and has left what lists it.
    if (await deps.installed(uninstall)) return undefined;
    return (await deps.removeInstallation(uninstall, claim)) ? undefined : BUSY;
  });
}

/** Claims an installation while `act` runs. A process that dies in it holds it up until the claim expires. */
async function whileClaimed<T>(
  { claimRemoval, timings }: Pick<UninstallDeps, 'claimRemoval' | 'timings'>,
  id: string,
  act: (claim: InstallationClaim) => Promise<T>,
): Promise<T | Busy> {
  const claim = await claimRemoval(id, timings.removingMs);
  if (!claim) return BUSY;
  try {
    return await act(claim);
  } finally {
    await claim.release();
  }
}

/** A workspace to forget, and the installation that is claimed already. */
type Leaving = { workspace: string; within: { id: string; claim: InstallationClaim } };

/**
 * Forgets a workspace on a condition. The workspace's own installation is claimed as well, so that nobody installs the app
 * there meanwhile. An organization is always claimed before its workspace.
 *
 * @returns false if somebody else has claimed it, now or while this process was frozen
 */
async function forgetIf(
  deps: UninstallDeps,
  { workspace, within: { id, claim } }: Leaving,
  condition: () => Promise<boolean>,
): Promise<boolean> {
  const act = async ({ isHeld }: InstallationClaim) => !(await condition()) || deps.forget(workspace, isHeld);
  const done = await (workspace === id ? act(claim) : whileClaimed(deps, workspace, act));
  return done === true;
}

/**
 * Forgets a workspace, unless it is served. Where its organization seems to serve it once its own installation is gone,
 * Slack is asked, because nobody may have noticed that the organization has no access to it. Slack has not reported that,
 * so a day is left: the organization may only be waiting for a new token.
 *
 * @returns false if somebody else has claimed it
 */
async function sweepWorkspace(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  leaving: Leaving,
): Promise<boolean> {
  const { workspace } = leaving;
  const isSwept = await forgetIf(deps, leaving, async () => (await deps.servedBy(workspace)) === undefined);
  if (!isSwept) return false;
  const by = await deps.servedBy(workspace);
  if (by !== undefined && by !== workspace && uninstall.organization === undefined)
    await deps.recordUninstall({ id: workspace, uninstalled: false, organization: by });
  return true;
}

/**
 * Asks Slack about an organization that may have lost its access only: its installation stands in either case. Call it
 * before the workspace is claimed, because an expiring token is renewed under a claim, too.
 *
 * @returns undefined if the uninstall is of an installation, or the organization's installation does not serve it
 */
async function checkAccess(deps: UninstallDeps, uninstall: UninstallRecord) {
  if (uninstall.organization === undefined || !(await deps.installed(uninstall))) return undefined;
  return deps.checkInstalled(uninstall);
}
