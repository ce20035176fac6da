/** Defines what the steps of an uninstall share: their dependencies, and the transitions between them. */
import type { Log } from '../../outbox/ports.ts';
import type { InstallationClaim } from './installation-claims.ts';
import { installedFields } from './installation-record.ts';
import type {
  InstallationRef,
  ReportedUninstall,
  StepName,
  UninstallRecord,
  UninstallStore,
} from './uninstall-record.ts';

/** Milliseconds. */
export type UninstallTimings = {
  /** Wait before a working token is checked again: Slack may still accept a token that it has just revoked. */
  recheckMs: number;
  /** The wait before the second try; doubled each time, up to the longest. */
  retryMs: number;
  longestRetryMs: number;
  /** The time for which an unresponsive order service is asked to revoke a token. */
  revokeForMs: number;
  /** The wait after revoked tokens for the report of an uninstall, or for new tokens. */
  graceMs: number;
  /** Longer than any task that began before the installation was removed: a process may be frozen for minutes. */
  lateWritesMs: number;
  /** The duration of a claim to remove data. Removing takes minutes if there are very many requests. */
  removingMs: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const UNINSTALL_TIMINGS: UninstallTimings = {
  recheckMs: MINUTE_MS,
  retryMs: 5_000,
  longestRetryMs: 10 * MINUTE_MS,
  revokeForMs: DAY_MS,
  graceMs: DAY_MS,
  lateWritesMs: 15 * MINUTE_MS,
  removingMs: 10 * MINUTE_MS,
};

/** An installation to remove. `workspaces`: those served by it alone. */
export type Installed = { generation: string; workspaces: readonly string[] };

export type UninstallDeps = {
  uninstalls: UninstallStore;
  /** @returns undefined if no installation is stored */
  installed: (ref: InstallationRef) => Promise<Installed | undefined>;
  /** Asks Slack whether the bot token works, or whether the organization still has access to the workspace. */
  checkInstalled: (ref: InstallationRef) => Promise<'stands' | 'gone' | 'unknown'>;
  /** The stored installation that serves a workspace: its own, or its organization's. */
  servedBy: (workspace: string) => Promise<string | undefined>;
  /** Begins another uninstall, or repeats one. */
  recordUninstall: (reported: ReportedUninstall) => Promise<void>;
  /** Revokes the API token of a workspace if nobody else uses it. `later`: nobody knows whether it is revoked. */
  revokeOwn: (workspace: string, leaving: readonly string[]) => Promise<'done' | 'later'>;
  /**
   * Removes all stored data of a workspace except its installation, as long as `mayGoOn` allows it. @returns whether all are
   * removed
   */
  forget: (workspace: string, mayGoOn: () => Promise<boolean>) => Promise<boolean>;
  /** Removes an installation under a claim. @returns false if the claim had ended: then nothing was removed */
  removeInstallation: (ref: InstallationRef, claim: InstallationClaim) => Promise<boolean>;
  /** Prevents an installation by OAuth, for so long. @returns undefined if somebody else has claimed it */
  claimRemoval: (workspace: string, ms: number) => Promise<InstallationClaim | undefined>;
  timings: UninstallTimings;
  log: Log;
};

export type Step<Type extends StepName> = Extract<UninstallRecord['step'], { type: Type }>;

/** @returns the installation that was reported; undefined if it is gone, or another one has replaced it */
export async function findReported(
  { installed }: UninstallDeps,
  uninstall: UninstallRecord,
): Promise<Installed | undefined> {
  const found = await installed(uninstall);
  return found?.generation === uninstall.generation ? found : undefined;
}

/** Begins another step. */
export const goOn = (
  uninstall: UninstallRecord,
  step: UninstallRecord['step'],
  notBefore: number,
): UninstallRecord => ({
  ...uninstall,
  step,
  tries: 0,
  notBefore,
});

/** Takes the same step again, after a growing wait. */
export function later({ timings }: UninstallDeps, uninstall: UninstallRecord, now: number): UninstallRecord {
  const { retryMs, longestRetryMs } = timings;
  const tries = uninstall.tries + 1;
  return { ...uninstall, tries, notBefore: now + Math.min(retryMs * 2 ** (tries - 1), longestRetryMs) };
}

/** Asks Slack again later, because its answer was inconclusive. After a day, the log says what an operator can do. */
export function askAgain(deps: UninstallDeps, uninstall: UninstallRecord, now: number): UninstallRecord {
  const { workspace: id, at } = uninstall;
  if (now >= at + deps.timings.graceMs) {
    deps.log.error(
      installedFields(id),
      'installation not verified with Slack for a day: to remove its data, use countermand purge',
    );
  }
  return later(deps, uninstall, now);
}

/** Adds an installation and its workspaces to the removed ones, of which an earlier uninstall may have left some to sweep. */
export function addRemoved(uninstall: UninstallRecord, { workspaces }: Installed): UninstallRecord {
  const removed = new Set([...uninstall.removed, ...workspaces, uninstall.workspace]);
  return { ...uninstall, removed: [...removed] };
}

/** Goes on to the last sweep. @returns undefined if no removal has begun */
export function toSweep(
  { timings }: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): UninstallRecord | undefined {
  if (uninstall.removed.length === 0) return undefined;
  return goOn(uninstall, { type: 'sweep' }, now + timings.lateWritesMs);
}
