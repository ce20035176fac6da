/** Records a reported uninstall of a workspace or an organization, so that it is completed. Defines what its steps share. */
import { z } from 'zod';
import type { Log, Replicated, Wake } from '../../outbox/ports.ts';
import type { HeldClaim } from '../../outbox/record-changes.ts';
import { type Entry, NOT_STORED, type RecordStore } from '../../outbox/record-store.ts';
import { dueAt, HolderFields, type PendingEffect } from '../../outbox/record-type.ts';
import { installedFields } from './installation-record.ts';

export const UninstallRecord = z.object({
  /** The id of the installation: of a workspace or, where it was org-wide, of the organization. */
  workspace: z.string(),
  /** The organization that seems to have removed its org-wide installation from this one workspace. */
  organization: z.string().optional(),
  /** The organization that Slack named beside the workspace of the installation, which may have joined it since. */
  named: z.string().optional(),
  id: z.string(),
  version: z.number(),
  /** The installation that was stored at the first report about it, maybe the organization's; undefined: none. */
  generation: z.string().optional(),
  /** The time of Slack's first report about that installation, or of the last answer that the token may only be refused here. */
  at: z.number(),
  /** Whether Slack reported an uninstall. Revoked tokens alone may mean that somebody wants new ones. */
  uninstalled: z.boolean(),
  step: z.discriminatedUnion('type', [
    /** Asks Slack whether the bot token still works. `stood`: how often it did. */
    z.object({ type: z.literal('verify'), stood: z.number() }),
    /**
     * The bot token is dead: revokes the API tokens that nobody else uses, until `revokeUntil` at most, and removes all
     * stored data.
     */
    z.object({ type: z.literal('remove'), revokeUntil: z.number() }),
    /** Removes what tasks under way have written since. */
    z.object({ type: z.literal('sweep') }),
  ]),
  /** The installation and all workspaces whose data are removed; known once the removal begins. */
  removed: z.array(z.string()),
  tries: z.number(),
  /** The time of the next try. */
  notBefore: z.number(),
  /** The process that takes the step. */
  claim: z.object({ effect: z.string(), ...HolderFields }).optional(),
});
export type UninstallRecord = z.infer<typeof UninstallRecord>;
export type StepName = UninstallRecord['step']['type'];

export type UninstallStore = RecordStore<UninstallRecord>;

/** An installation, or the access of an organization's installation to one workspace. */
export type InstallationRef = Pick<UninstallRecord, 'workspace' | 'organization'>;

/**
 * Slack's answer about an installation. `refused`: the token is dead, or may not be used from the address of this machine.
 * `expired`: it is over, and Slack does not renew it. `unknown`: no token is stored, or the answer was inconclusive.
 */
export type Check = 'stands' | 'gone' | 'refused' | 'expired' | 'unknown';

/** Identifies an uninstall: one at a time for an installation, and one for an organization in a workspace. */
export const uninstallRecordOf = (workspace: string, organization?: string) => ({
  workspace,
  id: organization === undefined ? 'uninstall' : `uninstall-${organization}`,
});

export const pendingOfUninstall = ({ step, notBefore: at }: UninstallRecord): PendingEffect<StepName>[] => [
  { effect: step.type, at },
];

export function uninstallEntry(uninstall: UninstallRecord): Entry<UninstallRecord> {
  const due = dueAt(uninstall, () => pendingOfUninstall(uninstall));
  return { record: uninstall, subjects: [], at: uninstall.at, slot: undefined, dueAt: due };
}

/**
 * `uninstalled`: Slack reported an uninstall; otherwise revoked tokens. `organization`: Slack reported that this
 * organization has removed the app from the workspace `id`. `named`: as in the record.
 */
export type ReportedUninstall = { id: string; uninstalled: boolean; organization?: string; named?: string };

type RecordUninstallDeps = Pick<UninstallDeps, 'uninstalls' | 'installed'> & { wake: Wake };

/**
 * Records Slack's report. A repeated report is verified again.
 *
 * @throws if the storage is unavailable: then Slack must report again
 */
export async function recordUninstall(deps: RecordUninstallDeps, reported: ReportedUninstall): Promise<void> {
  const { uninstalls, wake } = deps;
  const { id: workspace, organization, uninstalled, named } = reported;
  const ref = { workspace, organization };
  const generation = (await deps.installed(ref))?.generation;
  const at = await uninstalls.now();
  const record: UninstallRecord = {
    ...{ ...uninstallRecordOf(workspace, organization), version: NOT_STORED, organization, generation },
    ...{ named, at, uninstalled, step: { type: 'verify', stood: 0 }, removed: [], tries: 0, notBefore: at },
  };
  const creation = await uninstalls.create(uninstallEntry(record));
  if (creation.type === 'exists') {
    const standing = creation.record;
    // A process that was frozen must not replace what was reported of a later installation.
    if (standing.generation !== generation && (await deps.installed(ref))?.generation !== generation)
      return recordUninstall(deps, reported);
    const again = { ...record, ...reportedBefore(standing, record), removed: standing.removed };
    if ((await uninstalls.update(uninstallEntry(again), standing.version)).type === 'conflict')
      return recordUninstall(deps, reported);
  }
  wake(record);
}

/**
 * Returns what an earlier report of the same installation has begun. A report that waits for its last sweep is over: the new
 * one begins anew.
 */
function reportedBefore(standing: UninstallRecord, { generation, uninstalled, named }: UninstallRecord) {
  if (standing.step.type === 'sweep' || standing.generation !== generation) return {};
  return {
    at: standing.at,
    uninstalled: uninstalled || standing.uninstalled,
    named: named ?? standing.named,
  };
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const UNINSTALL_TIMINGS = {
  /** The wait before a working token is checked again: Slack may still accept a token that it has just revoked. */
  recheckMs: MINUTE_MS,
  /** The wait before the second try; doubled each time, up to the longest. */
  retryMs: 5_000,
  longestRetryMs: 10 * MINUTE_MS,
  /** The time for which an unresponsive order service is asked to revoke a token. */
  revokeForMs: DAY_MS,
  /** The wait after revoked tokens for the report of an uninstall, or for new tokens. */
  graceMs: DAY_MS,
  /** Longer than any task that began before the installation was removed: a process may be frozen for minutes. */
  lateWritesMs: 15 * MINUTE_MS,
  /** The duration of a claim to remove data. Removing takes minutes if there are very many requests. */
  removingMs: 10 * MINUTE_MS,
};
export type UninstallTimings = typeof UNINSTALL_TIMINGS;

/** A stored installation, and the workspaces that only it serves. */
export type ServedAlone = { generation: string; workspaces: readonly string[] };

/** The port of the installations that an uninstall removes. */
export type RemovableInstallations = {
  /** The present installation, and the workspaces that it alone serves; undefined: there is none. */
  installed: (ref: InstallationRef) => Promise<ServedAlone | undefined>;
  /**
   * The installation that serves a workspace: its own, or its organization's. Of an organization: its own, if any. Slack is asked
   * only about SLACK_BOT_TOKEN.
   *
   * @throws if Slack or the storage can't be asked
   */
  servedBy: (workspace: string) => Promise<string | undefined>;
  /** The organization that would serve a workspace without the workspace's own installation, as far as is stored. */
  organizationOf: (workspace: string) => Promise<string | undefined>;
  /**
   * Stores the organization of a workspace. Call it only with what Slack says to the organization's token: without the
   * workspace's own installation that token is used for it.
   */
  setOrganization: (workspace: string, organization: string | undefined) => Promise<void>;
  /**
   * Removes an installation under a claim. If an organization only left one workspace, its installation stays.
   *
   * @returns false if the claim had ended: then nothing was removed
   */
  removeInstallation: (ref: InstallationRef, claim: Pick<HeldClaim, 'owner'>) => Promise<boolean>;
  /**
   * Claims the removal of a workspace's data for `ms` milliseconds: nobody can install the app there meanwhile.
   *
   * @returns undefined if somebody else has claimed it
   */
  claimRemoval: (workspace: string, ms: number) => Promise<HeldClaim | undefined>;
};

export type UninstallDeps = RemovableInstallations & {
  uninstalls: UninstallStore;
  replicated: Replicated;
  /** Asks Slack whether the bot token works, or whether the organization still has access to the workspace. */
  checkInstalled: (ref: InstallationRef) => Promise<Check>;
  /** Begins another uninstall, or repeats one. */
  recordUninstall: (reported: ReportedUninstall) => Promise<void>;
  /**
   * Revokes the API token of a workspace if nobody else uses it, as long as `mayGoOn` allows it. `later`: nobody knows whether it is
   * revoked.
   */
  revokeOwn: (
    workspace: string,
    leaving: readonly string[],
    mayGoOn: () => Promise<boolean>,
  ) => Promise<'done' | 'later'>;
  /**
   * Removes all stored data of a workspace except its installation, as long as `mayGoOn` allows it. @returns whether all are
   * removed
   */
  forget: (workspace: string, mayGoOn: () => Promise<boolean>) => Promise<boolean>;
  /** Leads the bot of the organization into the channels where people vote on requests of a workspace that it has taken over. */
  botReplaced: (workspace: string) => Promise<void>;
  /**
   * Notes that Slack refuses the token of an installation, so that this process also logs when Slack accepts it again: another
   * replica may hear of that first.
   */
  noteRefused: (workspace: string) => void;
  timings: UninstallTimings;
  log: Log;
};

export type Step<Type extends StepName> = Extract<UninstallRecord['step'], { type: Type }>;

/** @returns the installation that was reported; undefined if it is gone, or another one has replaced it */
export async function findReported(
  { installed }: UninstallDeps,
  uninstall: UninstallRecord,
): Promise<ServedAlone | undefined> {
  const found = await installed(uninstall);
  return found?.generation === uninstall.generation ? found : undefined;
}

/**
 * Asks Slack about a reported uninstall. A refused or expired token confirms an uninstall that Slack has reported. It does not
 * confirm that an organization, whose token it is, has lost its access to one workspace.
 */
export async function checkReported(
  { checkInstalled }: UninstallDeps,
  uninstall: UninstallRecord,
): Promise<Check> {
  const check = await checkInstalled(uninstall);
  const { uninstalled, organization } = uninstall;
  const isRefused = check === 'refused' || check === 'expired';
  return isRefused && uninstalled && organization === undefined ? 'gone' : check;
}

/** Begins another step. */
export const nextStep = (
  uninstall: UninstallRecord,
  step: UninstallRecord['step'],
  notBefore: number,
): UninstallRecord => ({ ...uninstall, step, tries: 0, notBefore });

/** Takes the same step again, after a growing wait. */
export function retryLater(
  { timings }: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): UninstallRecord {
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
  return retryLater(deps, uninstall, now);
}

/** Adds an installation and its workspaces to `removed`, where an earlier uninstall may have left some to sweep. */
export function addRemoved(uninstall: UninstallRecord, { workspaces }: ServedAlone): UninstallRecord {
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
  return nextStep(uninstall, { type: 'sweep' }, now + timings.lateWritesMs);
}
