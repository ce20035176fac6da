/**
 * Finds the installations whose uninstall was never reported. Slack repeats an event three times within about six
 * minutes (https://docs.slack.dev/apis/events-api/#retries), so a bot that was away for longer never hears of it.
 */
import type { ReportedUninstall } from './uninstall-record.ts';
import type { UninstallDeps } from './uninstall-steps.ts';

export type MissedUninstallsDeps = Pick<UninstallDeps, 'checkInstalled' | 'stopping'> & {
  /** The ids of all installations. */
  installations: () => AsyncIterable<string>;
  recordUninstall: (reported: ReportedUninstall) => Promise<void>;
};

/**
 * Asks Slack about one installation after the other. If a bot token is dead, that is recorded as if Slack had reported
 * revoked tokens: somebody may be about to install new ones.
 *
 * @throws if the storage is unavailable
 */
export async function findMissedUninstalls(deps: MissedUninstallsDeps): Promise<void> {
  for await (const id of deps.installations()) {
    if (deps.stopping.aborted) return;
    if ((await deps.checkInstalled({ workspace: id })) === 'gone')
      await deps.recordUninstall({ id, uninstalled: false });
  }
}
