/**
 * Use case: a workspace has uninstalled Countermand, and nothing of it stays behind. Slack tells so twice, in either
 * order, late, and even after a reinstall: what it says of the bot token now is what counts, and whatever was installed
 * since is never touched.
 */
import type { LockOptions } from '../../requests/ports/locks.ts';
import type { Log, Wake } from '../../requests/ports/ports.ts';
import type { RecordRef, RecordStore } from '../../requests/ports/record-store.ts';
import { installedFields } from '../log-fields.ts';
import { type Left, newUninstallRecord, type UninstallRecord, uninstallEntry } from './uninstall-record.ts';

export type UninstallStore = RecordStore<UninstallRecord>;

/** What is there to be left. `workspaces`: those that are served by it, and by nothing else. */
export type Installed = { generation: string; workspaces: readonly string[] };

export type UninstallDeps = {
  uninstalls: UninstallStore;
  /** @returns undefined where nothing is installed there, as far as is stored */
  installed: (left: Left) => Promise<Installed | undefined>;
  /** What Slack says of its bot token, or of the organization's access to the workspace. */
  checkInstalled: (left: Left) => Promise<'stands' | 'gone' | 'unknown'>;
  /** Whether anything serves this workspace now. */
  isServed: (workspace: string) => Promise<boolean>;
  /** Revokes the API token of a workspace where nobody else uses it. `later`: it is not known to be revoked. */
  revokeOwn: (workspace: string) => Promise<'done' | 'later'>;
  /** Removes all that is stored of a workspace, its installation aside. */
  forget: (workspace: string) => Promise<void>;
  removeInstallation: (left: Left) => Promise<void>;
  /** Nothing is installed there by OAuth meanwhile, for as long as it is held. */
  withLock: <T>(left: Left, options: LockOptions, act: () => Promise<T>) => Promise<T>;
  timings: UninstallTimings;
  log: Log;
  /** Aborted at shutdown: nothing new is begun. */
  stopping: AbortSignal;
};

/** All in milliseconds. */
export type UninstallTimings = {
  /** Slack may still answer for a token that it has just revoked: one that stands is looked at again. */
  recheckMs: number;
  retryMs: number;
  longestRetryMs: number;
  /** How long an order service that does not answer is asked to revoke a token. */
  revokeForMs: number;
  /** How long it is waited, where tokens were revoked, for the word that the app is uninstalled, or for new tokens. */
  graceMs: number;
  /**
   * Longer than anything goes on that was begun before the installation was removed: a process may have been frozen for
   * minutes before it writes.
   */
  sweepMs: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const UNINSTALL_TIMINGS: UninstallTimings = {
  recheckMs: MINUTE_MS,
  retryMs: 5_000,
  longestRetryMs: 10 * MINUTE_MS,
  revokeForMs: DAY_MS,
  graceMs: DAY_MS,
  sweepMs: 15 * MINUTE_MS,
};

/** Minutes, where there are very many requests. Whoever installs meanwhile is told to come back. */
const REMOVING: LockOptions = { ttlMs: 10 * MINUTE_MS, timeoutMs: 15_000 };

const MAX_TURNS = 20;

/**
 * `uninstalled`: Slack has told that the app is; else that its tokens are revoked.
 * `organization`: it was told that this organization has taken the app out of the workspace `id`.
 */
export type ReportedUninstall = { id: string; uninstalled: boolean; organization?: string };

/**
 * Slack has told that something was uninstalled or revoked. Told again, it is verified again.
 *
 * @throws where the storage is away: then Slack has to tell again
 */
export async function recordUninstall(
  deps: { uninstalls: UninstallStore; wake: Wake },
  tidings: ReportedUninstall,
): Promise<void> {
  const { uninstalls, wake } = deps;
  const { id: workspace, organization, uninstalled } = tidings;
  const told = newUninstallRecord({ workspace, organization }, uninstalled, await uninstalls.now());
  const creation = await uninstalls.create(uninstallEntry(told));
  if (creation.type === 'exists') {
    const { at, version, removed, ...standing } = creation.record;
    const again = { ...told, at, removed, uninstalled: uninstalled || standing.uninstalled };
    if ((await uninstalls.update(uninstallEntry(again), version)) === 'conflict')
      return recordUninstall(deps, tidings);
  }
  wake(told);
}

/**
 * Goes on with a uninstall. May be done twice at once: asking Slack, revoking and removing can all be repeated.
 *
 * @returns in how many milliseconds there is something to do again; undefined where it is over
 * @throws where the storage is away: the sweep comes back to it
 */
export async function advanceUninstall(deps: UninstallDeps, ref: RecordRef): Promise<number | undefined> {
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const found = await deps.uninstalls.get(ref);
    if (!found) return undefined;
    const { record, now } = found;
    if (record.notBefore > now) return record.notBefore - now;
    const next = await takeStep(deps, record, now);
    // Another one told, or went on, meanwhile: what it wrote is read in the next turn.
    if (next) await deps.uninstalls.update(uninstallEntry(next), record.version);
    else await deps.uninstalls.remove(record, record.version);
  }
  return 0;
}

/** @returns the uninstall as it goes on; undefined where it is over */
function takeStep(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | undefined> {
  switch (uninstall.step.type) {
    case 'verify':
      return verify(deps, uninstall, uninstall.step, now);
    case 'revoke':
      return revoke(deps, uninstall, uninstall.step, now);
    case 'remove':
      return remove(deps, uninstall, uninstall.step, now);
    case 'sweep':
      return sweep(deps, uninstall);
  }
}

type Step<Type> = Extract<UninstallRecord['step'], { type: Type }>;

async function verify(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  { stood }: Step<'verify'>,
  now: number,
) {
  const { workspace: id, at, uninstalled } = uninstall;
  const { recheckMs, revokeForMs, graceMs } = deps.timings;
  const installed = await deps.installed(uninstall);
  if (!installed) return toSweep(deps, uninstall, now);
  switch (await deps.checkInstalled(uninstall)) {
    case 'unknown':
      if (now >= at + graceMs) complain(deps, id);
      return later(deps, uninstall, now);
    case 'stands':
      if (stood > 0) return undefined;
      return goOn(uninstall, { type: 'verify', stood: stood + 1 }, now + recheckMs);
    case 'gone': {
      if (!uninstalled && now < at + graceMs) return later(deps, uninstall, now);
      deps.log.info(installedFields(id), 'Countermand was uninstalled: what is stored of it will be removed');
      const { generation } = installed;
      return goOn(uninstall, { type: 'revoke', generation, until: now + revokeForMs }, now);
    }
  }
}

function complain({ log }: UninstallDeps, id: string): void {
  log.error(
    installedFields(id),
    'for more than a day Slack could not be asked whether Countermand is still installed; to remove what is stored, use countermand purge',
  );
}

async function revoke(deps: UninstallDeps, uninstall: UninstallRecord, step: Step<'revoke'>, now: number) {
  const { generation, until } = step;
  const installed = await deps.installed(uninstall);
  if (installed?.generation !== generation) return undefined;
  const outcomes = await Promise.all(installed.workspaces.map((workspace) => tryToRevoke(deps, workspace)));
  // Written down before anything is removed: a removal that is cut short can't be read off what is left.
  const leaving = { ...uninstall, removed: [...installed.workspaces] };
  if (!outcomes.includes('later')) return goOn(leaving, { type: 'remove', generation }, now);
  if (now < until) return later(deps, uninstall, now);
  deps.log.warn(
    installedFields(uninstall.workspace),
    'an API token could not be revoked within a day, and is removed here',
  );
  return goOn(leaving, { type: 'remove', generation }, now);
}

/** A connection that can't be read must not keep the rest from being removed. */
async function tryToRevoke({ revokeOwn, log }: UninstallDeps, workspace: string): Promise<'done' | 'later'> {
  try {
    return await revokeOwn(workspace);
  } catch (err) {
    log.warn({ workspace, err }, 'an API token could not be revoked yet');
    return 'later';
  }
}

/** Whether it is still the same installation is looked at before each part: it may take long. */
async function remove(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  { generation }: Step<'remove'>,
  now: number,
) {
  const { workspace: id } = uninstall;
  const isSame = async () => (await deps.installed(uninstall))?.generation === generation;
  return deps.withLock(uninstall, REMOVING, async () => {
    const installed = await deps.installed(uninstall);
    if (!installed) return toSweep(deps, uninstall, now);
    const { workspaces } = installed;
    for (const workspace of workspaces) if (await isSame()) await deps.forget(workspace);
    if (!(await isSame())) return undefined;
    await deps.removeInstallation(uninstall);
    deps.log.info(installedFields(id), 'what was stored of an installation is removed');
    return toSweep(deps, { ...uninstall, removed: [...workspaces] }, now);
  });
}

function toSweep(
  { timings }: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): UninstallRecord | undefined {
  if (uninstall.removed.length === 0) return undefined;
  return goOn(uninstall, { type: 'sweep' }, now + timings.sweepMs);
}

function sweep(deps: UninstallDeps, uninstall: UninstallRecord): Promise<undefined> {
  return deps.withLock(uninstall, REMOVING, async () => {
    for (const workspace of uninstall.removed)
      if (!(await deps.isServed(workspace))) await deps.forget(workspace);
    // A removal that was cut short has removed the row, and has left what lists it.
    if (!(await deps.installed(uninstall))) await deps.removeInstallation(uninstall);
    return undefined;
  });
}

const goOn = (
  uninstall: UninstallRecord,
  step: UninstallRecord['step'],
  notBefore: number,
): UninstallRecord => ({
  ...uninstall,
  step,
  tries: 0,
  notBefore,
});

function later({ timings }: UninstallDeps, uninstall: UninstallRecord, now: number): UninstallRecord {
  const { retryMs, longestRetryMs } = timings;
  const tries = uninstall.tries + 1;
  return { ...uninstall, tries, notBefore: now + Math.min(retryMs * 2 ** (tries - 1), longestRetryMs) };
}
