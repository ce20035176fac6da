/**
 * Revokes the API tokens of an uninstalled workspace or organization and removes its data, and later what tasks under way have
 * written since. Finds out whether an organization still serves it.
 */
import type { HeldClaim } from '../../outbox/record-changes.ts';
import { NOT_STORED } from '../../outbox/record-store.ts';
import { installedFields } from './installation-record.ts';
import {
  addRemoved,
  askAgain,
  checkReported,
  findReported,
  retryLater,
  type ServedAlone,
  type Step,
  toSweep,
  UNINSTALL_TIMINGS,
  type UninstallDeps,
  type UninstallRecord,
  type UninstallStore,
  uninstallEntry,
  uninstallRecordOf,
} from './uninstall-record.ts';

/** Takes the step `remove`. @returns the next record of the uninstall; undefined if it is complete */
export async function remove(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  { revokeUntil }: Step<'remove'>,
  now: number,
): Promise<UninstallRecord | undefined> {
  const installed = await findReported(deps, uninstall);
  // It is gone: an earlier try was cut short, or another process was still removing when a repeated report began anew. Or somebody
  // has installed the app again.
  if (!installed) {
    await replaceBot(deps, uninstall, uninstall.workspace);
    return toSweep(deps, uninstall, now);
  }
  // An organization may have its access back, with the same installation.
  const access = await checkAccess(deps, uninstall);
  if (access === 'stands') return toSweep(deps, uninstall, now);
  if (access === 'unknown') return askAgain(deps, uninstall, now);
  // Stored before anything is removed: after a removal that is cut short, what is left does not tell which data were removed.
  const leaving = addRemoved(uninstall, installed);
  if (leaving.removed.length > uninstall.removed.length) return leaving;
  if (!(await revokeAll(deps, uninstall, installed))) {
    if (now < revokeUntil) return retryLater(deps, uninstall, now);
    deps.log.warn(
      installedFields(uninstall.workspace),
      'API token not revoked within a day: removed here, but the order service may still take it, so revoke it there',
    );
  }
  const next = await removeData(deps, uninstall, now);
  if (!installed.workspaces.includes(uninstall.workspace))
    await replaceBot(deps, uninstall, uninstall.workspace);
  return next;
}

/**
 * Has the bot of the organization take the place of the workspace's own, which is another user, if the organization serves the
 * workspace now. Slack reports reactions only from channels that the bot is in. After a crash or a failure, the sweep repeats this.
 */
async function replaceBot(
  deps: UninstallDeps,
  { organization }: UninstallRecord,
  workspace: string,
): Promise<void> {
  const by = organization === undefined ? await deps.servedBy(workspace) : undefined;
  if (by !== undefined && by !== workspace) await deps.botReplaced(workspace);
}

/**
 * Whether only the reported installation serves all of these workspaces: each may have been installed on its own meanwhile. One
 * token may be that of several, and what is revoked for one is revoked for all.
 */
async function areLeaving(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  workspaces: readonly string[],
): Promise<boolean> {
  const left = (await findReported(deps, uninstall))?.workspaces ?? [];
  return workspaces.every((workspace) => left.includes(workspace));
}

/**
 * Revokes the API tokens of all workspaces. An unreadable connection must not keep the rest from being removed.
 *
 * @returns whether no token is left that is to be revoked
 */
async function revokeAll(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  { workspaces }: ServedAlone,
): Promise<boolean> {
  const outcomes = workspaces.map((workspace) =>
    deps
      .revokeOwn(workspace, workspaces, () => areLeaving(deps, uninstall, workspaces))
      .catch((err) => {
        deps.log.warn({ workspace, err }, 'API token not revoked yet');
        return 'later';
      }),
  );
  return !(await Promise.all(outcomes)).includes('later');
}

/** Removes the data. It checks before each part that the installation is still the same, because this may take long. */
async function removeData(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | undefined> {
  const { workspace: id } = uninstall;
  const busy = retryLater(deps, uninstall, now);
  return whileClaimed(deps, { id, busy }, async (claim) => {
    const installed = await findReported(deps, uninstall);
    for (const workspace of installed?.workspaces ?? []) {
      const isForgotten = await forgetIf(deps, { workspace, within: { id, claim } }, () =>
        areLeaving(deps, uninstall, [workspace]),
      );
      if (!isForgotten) return busy;
    }
    const removed = installed ? addRemoved(uninstall, installed) : uninstall;
    if (!(await findReported(deps, uninstall))) return toSweep(deps, removed, now);
    if (!(await deps.removeInstallation(uninstall, claim))) return busy;
    deps.log.info({ event: 'uninstalled', ...installedFields(id) }, 'installation data removed');
    return toSweep(deps, removed, now);
  });
}

/**
 * Records that an operator removes an installation, so that the bot removes what tasks under way will write until then, and what
 * an interrupted removal leaves. Call it before the installation is removed: the sweep spares a workspace that is served.
 *
 * @param workspaces all known ones of an organization: the sweep also removes what tells them
 */
export async function sweepLater(
  uninstalls: UninstallStore,
  id: string,
  workspaces: readonly string[],
): Promise<void> {
  const ref = uninstallRecordOf(id);
  const at = await uninstalls.now();
  const uninstall = uninstallEntry({
    ...{ ...ref, version: NOT_STORED, at, uninstalled: true, step: { type: 'sweep' } },
    ...{ removed: [id, ...workspaces], tries: 0, notBefore: at + UNINSTALL_TIMINGS.lateWritesMs },
  });
  // Slack may report the uninstall in this moment.
  while ((await uninstalls.create(uninstall)).type === 'exists') await uninstalls.remove(ref);
}

/** Takes the step `sweep`. @returns undefined if the uninstall is complete; otherwise the record of the next try */
export async function sweep(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | undefined> {
  const { workspace: id } = uninstall;
  const access = await checkAccess(deps, uninstall);
  if (access === 'unknown') return askAgain(deps, uninstall, now);
  const busy = retryLater(deps, uninstall, now);
  const next = await whileClaimed(deps, { id, busy }, async (claim) => {
    // A late request may have recorded again that the organization serves the workspace.
    if (access === 'gone') await deps.removeInstallation(uninstall, claim);
    for (const workspace of uninstall.removed)
      if (!(await sweepWorkspace(deps, uninstall, { workspace, within: { id, claim } }))) return busy;
    // A removal that was cut short may have removed the installation, and left what names its workspaces.
    if (await deps.installed(uninstall)) return undefined;
    return (await deps.removeInstallation(uninstall, claim)) ? undefined : busy;
  });
  for (const workspace of uninstall.removed) await replaceBot(deps, uninstall, workspace);
  return next;
}

/**
 * Claims an installation while `act` runs. If this process dies meanwhile, others wait until the claim expires.
 *
 * @param busy what to return if somebody else has claimed it
 */
async function whileClaimed<T>(
  { claimRemoval, timings }: Pick<UninstallDeps, 'claimRemoval' | 'timings'>,
  { id, busy }: { id: string; busy: T },
  act: (claim: HeldClaim) => Promise<T>,
): Promise<T> {
  const claim = await claimRemoval(id, timings.removingMs);
  if (!claim) return busy;
  try {
    return await act(claim);
  } finally {
    await claim.release();
  }
}

/** A workspace to forget, and the installation that is claimed already. */
type Leaving = { workspace: string; within: { id: string; claim: HeldClaim } };

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
  const act = async ({ isHeld }: HeldClaim) => !(await condition()) || deps.forget(workspace, isHeld);
  return workspace === id ? act(claim) : whileClaimed(deps, { id: workspace, busy: false }, act);
}

/**
 * Forgets a workspace, unless an installation serves it. If its organization serves it, now that its own installation is gone,
 * Slack is asked about that: a report meanwhile that the organization has lost its access was ignored. That is another uninstall,
 * which waits for a day, because the organization may only be waiting for a new token.
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
async function checkAccess(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
): Promise<'stands' | 'gone' | 'unknown' | undefined> {
  if (uninstall.organization === undefined || !(await deps.installed(uninstall))) return undefined;
  const check = await checkReported(deps, uninstall);
  return check === 'stands' || check === 'gone' ? check : 'unknown';
}

/**
 * Finds out whether an organization goes on serving a workspace whose own installation is gone: then the workspace keeps its data,
 * and the organization's token is used for it. Only what Slack answers to that token counts: the name of an organization alone may
 * be out of date, or that of one that has never added the workspace and must not get its data. Slack is asked about the one that
 * is stored for the workspace and the one that the report named. One that serves the workspace is stored for it.
 *
 * @returns `stands`: an organization serves it. `gone`: none does now, but one may only be waiting for a new token. `unknown`:
 *   nobody knows, even if Slack refuses a token, which says nothing of the access. `none`: there is no organization to ask about
 */
export async function checkOrganizations(
  deps: UninstallDeps,
  { workspace, organization, named }: UninstallRecord,
): Promise<'stands' | 'gone' | 'unknown' | 'none'> {
  if (organization !== undefined) return 'none';
  const stored = await deps.organizationOf(workspace);
  const answers = new Set<'gone' | 'unknown'>();
  for (const candidate of new Set([named, stored])) {
    if (candidate === undefined || (await deps.servedBy(candidate)) !== candidate) continue;
    const access = await deps.checkInstalled({ workspace, organization: candidate });
    if (access !== 'stands') answers.add(access === 'gone' ? 'gone' : 'unknown');
    else {
      await deps.setOrganization(workspace, candidate);
      return access;
    }
  }
  if (answers.has('unknown')) return 'unknown';
  return answers.has('gone') ? 'gone' : 'none';
}
