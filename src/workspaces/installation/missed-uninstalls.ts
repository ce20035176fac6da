/**
 * Finds the installations whose uninstall was never reported. Slack repeats an event three times within about six
 * minutes (https://docs.slack.dev/apis/events-api/#retries), so a bot that was away for longer never hears of it.
 */
import type { UninstallDeps } from './uninstall-steps.ts';

export type MissedUninstallsDeps = Pick<UninstallDeps, 'checkInstalled' | 'installed' | 'recordUninstall'> & {
  /** Aborted at shutdown. */
  stopping: AbortSignal;
  /** The ids of all installations. */
  installations: () => AsyncIterable<string>;
  /** Asks Slack to which workspaces an organization has access. @returns undefined if Slack did not say */
  listAccess: (organization: string) => Promise<ReadonlySet<string> | undefined>;
};

/**
 * Asks Slack about one installation after the other. If a bot token is dead, or an organization has lost access to a
 * workspace, that is recorded as if Slack had reported revoked tokens: somebody may be about to install again.
 *
 * @throws if the storage is unavailable, or a row of it is unreadable: after all others were asked about
 */
export async function findMissedUninstalls(deps: MissedUninstallsDeps): Promise<void> {
  const errors: unknown[] = [];
  for await (const id of deps.installations()) {
    if (deps.stopping.aborted) return;
    await findMissed(deps, id).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

async function findMissed(deps: MissedUninstallsDeps, id: string): Promise<void> {
  if ((await deps.checkInstalled({ workspace: id })) === 'gone')
    await deps.recordUninstall({ id, uninstalled: false });
  else await findLostAccess(deps, id);
}

/** An installation of one workspace serves no other one, so Slack is not asked. */
async function findLostAccess(deps: MissedUninstallsDeps, organization: string): Promise<void> {
  const { workspaces = [] } = (await deps.installed({ workspace: organization })) ?? {};
  const others = workspaces.filter((workspace) => workspace !== organization);
  const access = others.length > 0 ? await deps.listAccess(organization) : undefined;
  if (!access) return;
  for (const id of others)
    if (!access.has(id)) await deps.recordUninstall({ id, uninstalled: false, organization });
}
