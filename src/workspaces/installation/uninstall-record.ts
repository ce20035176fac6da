/** Records a reported uninstall of a workspace or an organization, so that it is completed. */
import { z } from 'zod';
import type { Wake } from '../../outbox/ports.ts';
import { type Entry, NOT_STORED, type RecordStore } from '../../outbox/record-store.ts';
import { dueAt, type PendingEffect } from '../../outbox/record-type.ts';

export const UninstallRecord = z.object({
  /** The id of the installation: of a workspace or, where it was org-wide, of the organization. */
  workspace: z.string(),
  /** The organization that seems to have removed its org-wide installation from this one workspace. */
  organization: z.string().optional(),
  id: z.string(),
  version: z.number(),
  /** The installation that was stored at the first report about it, maybe the organization's; undefined: none. */
  generation: z.string().optional(),
  /** The time of Slack's first report about that installation, epoch milliseconds. */
  at: z.number(),
  /** Whether Slack reported an uninstall. Revoked tokens alone may mean that somebody wants new ones. */
  uninstalled: z.boolean(),
  step: z.discriminatedUnion('type', [
    /** Asks Slack whether the bot token still works. `stood`: how often it did. */
    z.object({ type: z.literal('verify'), stood: z.number() }),
    /**
     * The bot token is dead: revokes the API tokens that nobody else uses, for so long at most, and removes all stored
     * data.
     */
    z.object({ type: z.literal('remove'), revokeUntil: z.number() }),
    /** Removes what tasks under way have written since. */
    z.object({ type: z.literal('sweep') }),
  ]),
  /** The installation and all workspaces whose data are removed; known once the removal begins. */
  removed: z.array(z.string()),
  tries: z.number(),
  /** The time of the next try, epoch milliseconds. */
  notBefore: z.number(),
  /** The process that takes the step. */
  claim: z
    .object({ effect: z.string(), owner: z.string(), startedAt: z.number(), expiresAt: z.number() })
    .optional(),
});
export type UninstallRecord = z.infer<typeof UninstallRecord>;
export type StepName = UninstallRecord['step']['type'];

export type UninstallStore = RecordStore<UninstallRecord>;

/** An installation, or the access of an organization's installation to one workspace. */
export type InstallationRef = Pick<UninstallRecord, 'workspace' | 'organization'>;

/** Identifies an uninstall: one at a time for an installation, and one for an organization in a workspace. */
export const uninstallRecordOf = (workspace: string, organization?: string) => ({
  workspace,
  id: organization === undefined ? 'uninstall' : `uninstall-${organization}`,
});

/** @param now epoch milliseconds by the store's clock */
function newUninstallRecord(
  { workspace, organization }: InstallationRef,
  { generation, uninstalled }: { generation: string | undefined; uninstalled: boolean },
  now: number,
): UninstallRecord {
  const step = { type: 'verify', stood: 0 } as const;
  const begun = { version: NOT_STORED, at: now, uninstalled, removed: [], tries: 0, notBefore: now };
  const through = organization === undefined ? {} : { organization };
  const of = generation === undefined ? {} : { generation };
  return { ...uninstallRecordOf(workspace, organization), ...through, ...of, ...begun, step };
}

export const pendingOfUninstall = ({ step, notBefore: at }: UninstallRecord): PendingEffect<StepName>[] => [
  { effect: step.type, at },
];

export function uninstallEntry(uninstall: UninstallRecord): Entry<UninstallRecord> {
  const due = dueAt(uninstall, () => pendingOfUninstall(uninstall));
  return { record: uninstall, subjects: [], at: uninstall.at, slot: undefined, dueAt: due };
}

/**
 * `uninstalled`: Slack reported an uninstall; otherwise revoked tokens. `organization`: Slack reported that this
 * organization has removed the app from the workspace `id`.
 */
export type ReportedUninstall = { id: string; uninstalled: boolean; organization?: string };

export type RecordUninstallDeps = {
  uninstalls: UninstallStore;
  /** @returns undefined if no installation is stored */
  installed: (ref: InstallationRef) => Promise<{ generation: string } | undefined>;
  wake: Wake;
};

/**
 * Records Slack's report. A repeated report is verified again.
 *
 * @throws if the storage is unavailable: then Slack must report again
 */
export async function recordUninstall(deps: RecordUninstallDeps, reported: ReportedUninstall): Promise<void> {
  const { uninstalls, wake } = deps;
  const { id: workspace, organization, uninstalled } = reported;
  const ref = { workspace, organization };
  const generation = (await deps.installed(ref))?.generation;
  const record = newUninstallRecord(ref, { generation, uninstalled }, await uninstalls.now());
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
function reportedBefore(standing: UninstallRecord, { generation, uninstalled }: UninstallRecord) {
  if (standing.step.type === 'sweep' || standing.generation !== generation) return {};
  return { at: standing.at, uninstalled: uninstalled || standing.uninstalled };
}
