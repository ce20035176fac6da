/**
 * Removes the data of a workspace that has uninstalled the app after the bot was given other installations: SLACK_BOT_TOKEN was
 * replaced by the token of another workspace, or by OAuth. Slack can't be asked about a token that is not known any more, so its
 * signed report decides, after a day in which the workspace may come back.
 */
import { installedFields } from './installation-record.ts';
import { checkOrganizations, revokeAll, whileClaimed } from './removal.ts';
import { askAgain, retryLater, type UninstallDeps, type UninstallRecord } from './uninstall-record.ts';

/** Whether an uninstall without an installation is of a workspace whose data are left. Revoked tokens alone are no uninstall. */
export const isOfLeftBehind = async (
  { isLeftBehind }: Pick<UninstallDeps, 'isLeftBehind'>,
  { workspace, organization, uninstalled, removed }: UninstallRecord,
): Promise<boolean> =>
  uninstalled && organization === undefined && removed.length === 0 && (await isLeftBehind(workspace));

/** @returns the next record of the uninstall; undefined if it is complete */
export async function removeLeftBehind(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | undefined> {
  const { workspace, at } = uninstall;
  const dueAt = at + deps.timings.graceMs;
  if (now < dueAt) {
    deps.log.warn(
      { ...installedFields(workspace), removedInMs: dueAt - now },
      'Countermand was uninstalled where it has no installation any more: its data will be removed unless it is installed again',
    );
    return { ...uninstall, notBefore: dueAt };
  }
  // An organization may have installed the app, and nobody has used it in this workspace yet.
  const serving = await checkOrganizations(deps, uninstall);
  if (serving === 'unknown') return askAgain(deps, uninstall, now);
  const isLeft = () => deps.isLeftBehind(workspace);
  if (!(await isLeft())) return undefined;
  if (!(await revokeAll(deps, [workspace], isLeft)) && now < dueAt + deps.timings.revokeForMs)
    return retryLater(deps, uninstall, now);
  const busy = retryLater(deps, uninstall, now);
  return whileClaimed(deps, { id: workspace, busy }, async (claim) => {
    if (!(await isLeft())) return undefined;
    if (!(await deps.forget(workspace, claim.isHeld))) return busy;
    if (!(await deps.removeInstallation(uninstall, claim))) return busy;
    deps.log.info({ event: 'uninstalled', ...installedFields(workspace) }, 'installation data removed');
    return undefined;
  });
}
