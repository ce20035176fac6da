/**
 * Use case: a workspace has uninstalled Countermand, and nothing of it stays behind. Slack tells so twice, in either
 * order, late, and even after a reinstall: what it says of the bot token now is what counts, and whatever was installed
 * since is never touched.
 */
import type { Patience } from '../requests/locks.ts';
import type { Log, Trigger } from '../requests/ports.ts';
import type { RecordRef, RecordStore } from '../requests/record-store.ts';
import { type Departure, departureEntry, newDeparture } from './departure.ts';

export type DepartureStore = RecordStore<Departure>;

/** What is installed under an id now. */
export type Installed = { generation: string; workspaces: readonly string[] };

export type LeaveDeps = {
  departures: DepartureStore;
  /** @returns undefined where nothing is installed there, as far as is stored */
  installed: (id: string) => Promise<Installed | undefined>;
  /** What Slack says of its bot token. Never throws. */
  checkInstalled: (id: string) => Promise<'stands' | 'gone' | 'unknown'>;
  /** Revokes the API token of a workspace where nobody else uses it. `later`: it is not known to be revoked. */
  revokeOwn: (workspace: string) => Promise<'done' | 'later'>;
  /** Removes all that is stored of a workspace, its installation aside. */
  forget: (workspace: string) => Promise<void>;
  removeInstallation: (id: string) => Promise<void>;
  /** Nobody installs anything there meanwhile. */
  alone: <T>(id: string, patience: Patience, act: () => Promise<T>) => Promise<T>;
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
};

export const LEAVE_TIMINGS: LeaveTimings = {
  recheckMs: 60_000,
  retryMs: 5_000,
  longestRetryMs: 600_000,
  revokeForMs: 24 * 60 * 60_000,
};

/** Minutes, where there are very many requests. Whoever installs meanwhile is told to come back. */
const REMOVING: Patience = { heldMs: 600_000, waitMs: 15_000 };

const MAX_TURNS = 20;

/**
 * Slack has told that the app was uninstalled, or its tokens were revoked. Told again, it is verified again.
 *
 * @param id of the installation @throws where the storage is away: then Slack has to tell again
 */
export async function noteDeparture(
  { departures, trigger }: { departures: DepartureStore; trigger: Trigger },
  id: string,
): Promise<void> {
  const told = newDeparture(id, await departures.now());
  const creation = await departures.create(departureEntry(told));
  if (creation.type === 'exists') {
    const standing = creation.record;
    const again = { ...told, at: standing.at };
    if ((await departures.update(departureEntry(again), standing.version)) === 'conflict')
      return noteDeparture({ departures, trigger }, id);
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
      return remove(deps, departure, departure.step);
  }
}

type Step<Type> = Extract<Departure['step'], { type: Type }>;

async function verify(deps: LeaveDeps, departure: Departure, { stood }: Step<'verify'>, now: number) {
  const { workspace: id } = departure;
  const installed = await deps.installed(id);
  if (!installed) return undefined;
  switch (await deps.checkInstalled(id)) {
    case 'unknown':
      return later(deps, departure, now);
    case 'stands':
      if (stood > 0) return undefined;
      return goOn(departure, { type: 'verify', stood: stood + 1 }, now + deps.timings.recheckMs);
    case 'gone': {
      deps.log.info(
        { installation: id },
        'Countermand was uninstalled: what is stored of it will be removed',
      );
      const { generation } = installed;
      return goOn(departure, { type: 'revoke', generation, until: now + deps.timings.revokeForMs }, now);
    }
  }
}

async function revoke(deps: LeaveDeps, departure: Departure, step: Step<'revoke'>, now: number) {
  const { generation, until } = step;
  const installed = await deps.installed(departure.workspace);
  if (installed?.generation !== generation) return undefined;
  const outcomes = await Promise.all(installed.workspaces.map(deps.revokeOwn));
  if (!outcomes.includes('later')) return goOn(departure, { type: 'remove', generation }, now);
  if (now < until) return later(deps, departure, now);
  deps.log.warn(
    { installation: departure.workspace },
    'an API token could not be revoked within a day, and is removed here',
  );
  return goOn(departure, { type: 'remove', generation }, now);
}

async function remove(deps: LeaveDeps, departure: Departure, { generation }: Step<'remove'>) {
  const { workspace: id } = departure;
  await deps.alone(id, REMOVING, async () => {
    const installed = await deps.installed(id);
    if (installed?.generation !== generation) return;
    for (const workspace of installed.workspaces) await deps.forget(workspace);
    await deps.removeInstallation(id);
    // Nothing is taken any more; what was just being taken may have been written down meanwhile.
    for (const workspace of installed.workspaces) await deps.forget(workspace);
    deps.log.info({ installation: id }, 'nothing is stored any more of what was uninstalled');
  });
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
