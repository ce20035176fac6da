/**
 * Use case: a workspace has uninstalled Countermand, and nothing of it stays behind. Slack tells so twice, in either
 * order, late, and even after a reinstall: what it says of the bot token now is what counts, and whatever was installed
 * since is never touched.
 */
import type { Patience } from '../../requests/ports/locks.ts';
import type { Log, Trigger } from '../../requests/ports/ports.ts';
import type { RecordRef, RecordStore } from '../../requests/ports/record-store.ts';
import { installedFields } from '../log-fields.ts';
import { type Departure, departureEntry, type Left, newDeparture } from './uninstall-record.ts';

export type DepartureStore = RecordStore<Departure>;

/** What is there to be left. `workspaces`: those that are served by it, and by nothing else. */
export type Installed = { generation: string; workspaces: readonly string[] };

export type LeaveDeps = {
  departures: DepartureStore;
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
  alone: <T>(left: Left, patience: Patience, act: () => Promise<T>) => Promise<T>;
  timings: LeaveTimings;
  log: Log;
  /** Aborted at shutdown: nothing new is begun. */
  stopping: AbortSignal;
};

/** All in milliseconds. */
export type LeaveTimings = {
  /** Slack may still answer for a token that it has just revoked: one that stands is looked at again. */
  recheckMs: number;
  retryMs: number;
  longestRetryMs: number;
  /** How long an order service that does not answer is asked to revoke a token. */
  revokeForMs: number;
  /** How long it is waited, where tokens were revoked, for the word that the app is uninstalled, or for new tokens. */
  graceMs: number;
  /** Longer than anything under way goes on that was begun before the installation was removed. */
  sweepMs: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const LEAVE_TIMINGS: LeaveTimings = {
  recheckMs: MINUTE_MS,
  retryMs: 5_000,
  longestRetryMs: 10 * MINUTE_MS,
  revokeForMs: DAY_MS,
  graceMs: DAY_MS,
  sweepMs: MINUTE_MS,
};

/** Minutes, where there are very many requests. Whoever installs meanwhile is told to come back. */
const REMOVING: Patience = { heldMs: 10 * MINUTE_MS, waitMs: 15_000 };

const MAX_TURNS = 20;

/**
 * `uninstalled`: Slack has told that the app is; else that its tokens are revoked.
 * `organization`: it was told that this organization has taken the app out of the workspace `id`.
 */
export type Told = { id: string; uninstalled: boolean; organization?: string };

/**
 * Slack has told that something was uninstalled or revoked. Told again, it is verified again.
 *
 * @throws where the storage is away: then Slack has to tell again
 */
export async function noteDeparture(
  deps: { departures: DepartureStore; trigger: Trigger },
  tidings: Told,
): Promise<void> {
  const { departures, trigger } = deps;
  const { id: workspace, organization, uninstalled } = tidings;
  const told = newDeparture({ workspace, organization }, uninstalled, await departures.now());
  const creation = await departures.create(departureEntry(told));
  if (creation.type === 'exists') {
    const { at, version, removed, ...standing } = creation.record;
    const again = { ...told, at, removed, uninstalled: uninstalled || standing.uninstalled };
    if ((await departures.update(departureEntry(again), version)) === 'conflict')
      return noteDeparture(deps, tidings);
  }
  trigger(told);
}

/**
 * Goes on with a departure. May be done twice at once: asking Slack, revoking and removing can all be repeated.
 *
 * @returns in how many milliseconds there is something to do again; undefined where it is over
 * @throws where the storage is away: the sweep comes back to it
 */
export async function advanceDeparture(deps: LeaveDeps, ref: RecordRef): Promise<number | undefined> {
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const found = await deps.departures.get(ref);
    if (!found) return undefined;
    const { record, now } = found;
    if (record.notBefore > now) return record.notBefore - now;
    const next = await takeStep(deps, record, now);
    // Another one told, or went on, meanwhile: what it wrote is read in the next turn.
    if (next) await deps.departures.update(departureEntry(next), record.version);
    else await deps.departures.remove(record, record.version);
  }
  return 0;
}

/** @returns the departure as it goes on; undefined where it is over */
function takeStep(deps: LeaveDeps, departure: Departure, now: number): Promise<Departure | undefined> {
  switch (departure.step.type) {
    case 'verify':
      return verify(deps, departure, departure.step, now);
    case 'revoke':
      return revoke(deps, departure, departure.step, now);
    case 'remove':
      return remove(deps, departure, departure.step, now);
    case 'sweep':
      return sweep(deps, departure);
  }
}

type Step<Type> = Extract<Departure['step'], { type: Type }>;

async function verify(deps: LeaveDeps, departure: Departure, { stood }: Step<'verify'>, now: number) {
  const { workspace: id, at, uninstalled } = departure;
  const { recheckMs, revokeForMs, graceMs } = deps.timings;
  const installed = await deps.installed(departure);
  if (!installed) return toSweep(deps, departure, now);
  switch (await deps.checkInstalled(departure)) {
    case 'unknown':
      if (now >= at + graceMs) complain(deps, id);
      return later(deps, departure, now);
    case 'stands':
      if (stood > 0) return undefined;
      return goOn(departure, { type: 'verify', stood: stood + 1 }, now + recheckMs);
    case 'gone': {
      if (!uninstalled && now < at + graceMs) return later(deps, departure, now);
      deps.log.info(installedFields(id), 'Countermand was uninstalled: what is stored of it will be removed');
      const { generation } = installed;
      return goOn(departure, { type: 'revoke', generation, until: now + revokeForMs }, now);
    }
  }
}

function complain({ log }: LeaveDeps, id: string): void {
  log.error(
    installedFields(id),
    'for more than a day Slack could not be asked whether Countermand is still installed; to remove what is stored, use countermand purge',
  );
}

async function revoke(deps: LeaveDeps, departure: Departure, step: Step<'revoke'>, now: number) {
  const { generation, until } = step;
  const installed = await deps.installed(departure);
  if (installed?.generation !== generation) return undefined;
  const outcomes = await Promise.all(installed.workspaces.map((workspace) => tryToRevoke(deps, workspace)));
  if (!outcomes.includes('later')) return goOn(departure, { type: 'remove', generation }, now);
  if (now < until) return later(deps, departure, now);
  deps.log.warn(
    installedFields(departure.workspace),
    'an API token could not be revoked within a day, and is removed here',
  );
  return goOn(departure, { type: 'remove', generation }, now);
}

/** A connection that can't be read must not keep the rest from being removed. */
async function tryToRevoke({ revokeOwn, log }: LeaveDeps, workspace: string): Promise<'done' | 'later'> {
  try {
    return await revokeOwn(workspace);
  } catch (err) {
    log.warn({ workspace, err }, 'an API token could not be revoked yet');
    return 'later';
  }
}

/** Whether it is still the same installation is looked at before each part: it may take long. */
async function remove(deps: LeaveDeps, departure: Departure, { generation }: Step<'remove'>, now: number) {
  const { workspace: id } = departure;
  const isSame = async () => (await deps.installed(departure))?.generation === generation;
  return deps.alone(departure, REMOVING, async () => {
    const { workspaces = [] } = (await deps.installed(departure)) ?? {};
    for (const workspace of workspaces) if (await isSame()) await deps.forget(workspace);
    if (!(await isSame())) return undefined;
    await deps.removeInstallation(departure);
    deps.log.info(installedFields(id), 'what was stored of an installation is removed');
    return toSweep(deps, { ...departure, removed: [...workspaces] }, now);
  });
}

function toSweep({ timings }: LeaveDeps, departure: Departure, now: number): Departure | undefined {
  if (departure.removed.length === 0) return undefined;
  return goOn(departure, { type: 'sweep' }, now + timings.sweepMs);
}

async function sweep({ isServed, forget }: LeaveDeps, { removed }: Departure) {
  for (const workspace of removed) if (!(await isServed(workspace))) await forget(workspace);
  return undefined;
}

const goOn = (departure: Departure, step: Departure['step'], notBefore: number): Departure => ({
  ...departure,
  step,
  tries: 0,
  notBefore,
});

function later({ timings }: LeaveDeps, departure: Departure, now: number): Departure {
  const { retryMs, longestRetryMs } = timings;
  const tries = departure.tries + 1;
  return { ...departure, tries, notBefore: now + Math.min(retryMs * 2 ** (tries - 1), longestRetryMs) };
}
