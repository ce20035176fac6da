/** Models the stored installation of Countermand in a workspace or in a whole organization, and the claims in it. */
import { z } from 'zod';
import { type HeldClaim, isClaimed, recordChanges } from '../../outbox/record-changes.ts';
import { byId, type Entry, NOT_STORED, type RecordStore } from '../../outbox/record-store.ts';
import type { Runtime } from '../../requests/ports/ports.ts';

export const BotTokens = z.object({
  bot: z.string(),
  /** Exchanged once for a new pair, if tokens rotate. */
  refresh: z.string().optional(),
});
export type BotTokens = z.infer<typeof BotTokens>;

const Installed = z.object({
  orgWide: z.boolean(),
  /** The organization of the workspace, if Slack named one then, or has since said that one serves the workspace, too. */
  organization: z.string().optional(),
  /** New with every installation, so that data of a former one are never applied to it. */
  generation: z.string(),
  /** The bot tokens (`BotTokens` as JSON), sealed. */
  sealed: z.string(),
  /** The expiry of the bot token; undefined: never. */
  expiresAt: z.number().optional(),
  /** The last time at which Slack refused the refresh token: Countermand has to be installed again. */
  refusedAt: z.number().optional(),
  scopes: z.array(z.string()),
  botUserId: z.string(),
  installedBy: z.string(),
  installedAt: z.number(),
});
export type Installed = z.infer<typeof Installed>;

/** `renewing`: the refresh token is exchanged. `removing`: the data are removed, and nobody may install. */
const ACTS = ['renewing', 'removing'] as const;
export type ClaimedAct = (typeof ACTS)[number];

const ID = 'installation';

export const InstallationRecord = z.object({
  /** The id of the workspace or, if installed org-wide, of the organization. */
  workspace: z.string(),
  id: z.literal(ID),
  version: z.number(),
  /** Undefined: the record only holds a claim, while the data of a workspace without an installation of its own are removed. */
  installed: Installed.optional(),
  /** `expiresAt`: by the store's clock. */
  claim: z.object({ owner: z.string(), act: z.enum(ACTS), expiresAt: z.number() }).optional(),
});
export type InstallationRecord = z.infer<typeof InstallationRecord>;

/** Whether an id is that of an organization, which begins with E, and not of a workspace, which begins with T. */
export const isOrganization = (id: string): boolean => id.startsWith('E');

/** The log fields of an installation. */
export const installedFields = (id: string): { workspace: string } | { organization: string } =>
  isOrganization(id) ? { organization: id } : { workspace: id };

export const installationRef = (workspace: string) => ({ workspace, id: ID }) as const;

/** The record that stands for a missing one. */
export const notInstalled = (workspace: string): InstallationRecord => ({
  ...installationRef(workspace),
  version: NOT_STORED,
});

export const installationEntry = (record: InstallationRecord): Entry<InstallationRecord> => ({
  ...byId(record),
  at: record.installed?.installedAt ?? 0,
});

export const isBeingRemoved = (record: InstallationRecord, now: number): boolean =>
  isClaimed(record, now) && record.claim?.act === 'removing';

export const installationChanges = (records: RecordStore<InstallationRecord>) =>
  recordChanges(records, notInstalled, (record) =>
    record.installed || record.claim ? installationEntry(record) : undefined,
  );

/** Milliseconds. `ms`: until the claim expires. `waitMs`: the longest wait while somebody else has claimed the installation. */
export type ClaimTimes = { ms: number; waitMs?: number };

type ClaimDeps = Pick<Runtime, 'uuid' | 'monotonic' | 'sleep'> & {
  changes: ReturnType<typeof installationChanges>;
  /** Removes a record that can't be read. */
  dropUnreadable: (id: string) => Promise<void>;
};

/**
 * Claims an installation, or a workspace without an installation of its own, so that one process at a time renews or removes
 * it.
 *
 * @returns undefined if somebody else has claimed it
 */
export async function claimInstallation(
  { changes, dropUnreadable, uuid, ...runtime }: ClaimDeps,
  id: string,
  act: ClaimedAct,
  { ms, waitMs = 0 }: ClaimTimes,
): Promise<HeldClaim | undefined> {
  if (act === 'removing') await dropUnreadable(id);
  const owner = uuid();
  return retryWhileClaimed(runtime, waitMs, () => changes.claim([id], { owner, act }, ms));
}

/** The interval between two tries. */
const PAUSE_MS = 100;

/**
 * Repeats an attempt that gives nothing, because somebody else has claimed the record or written it meanwhile.
 *
 * @param waitMs the longest time for that
 * @returns the result of the last attempt
 */
export async function retryWhileClaimed<T>(
  { monotonic, sleep }: Pick<Runtime, 'monotonic' | 'sleep'>,
  waitMs: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const deadline = monotonic() + waitMs;
  for (;;) {
    const done = await attempt();
    if (done || monotonic() >= deadline) return done;
    await sleep(PAUSE_MS);
  }
}
