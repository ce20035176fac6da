/**
 * Runs one play: one simulated run of the bot, from its first request until nothing is pending. Faults are injected up to a
 * point; then they stop, the bot recovers, and the invariants are checked.
 */
import { createRandom } from '../chaos/random.ts';
import { buildWorld } from './build-world.ts';
import { checkAdministration } from './checks/administration.ts';
import { countOf } from './checks/counts.ts';
import { check } from './checks/index.ts';
import { isMoveUnknown } from './checks/moved.ts';
import { checkKept, MONTH_MS } from './checks/owed/kept.ts';
import { checkForgotten, nameForgotten } from './checks/private/forgotten.ts';
import { checkTokens } from './checks/private/tokens.ts';
import { checkRenewed } from './checks/renewed.ts';
import { type Choice, namedChoices, seededChoices } from './draw/choices.ts';
import { drawPlan } from './draw/draw-plan.ts';
import { drawFaultRates, type FaultRates, faultsOfOneWorkspace, NO_FAULTS } from './draw/faults.ts';
import { FOUND_PLAYS, type Found } from './draw/found.ts';
import { actLine, type Plan } from './draw/plan.ts';
import { createPeople } from './people/index.ts';
import type { Replica } from './replica.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { isDueBefore, type OnEntry } from './storage/stored.ts';
import type { Counts } from './tables/floors.ts';
import { TEAMS, type Team, workspaceOf } from './teams.ts';
import { isCutOff, type World } from './world/world.ts';

/**
 * The input of a play. `choices`: the recorded outcomes of its choice points; left out: drawn from the seed, or with `near`
 * mostly these and the others drawn.
 */
export type Play = {
  seed: number;
  plan: Plan;
  faultRates: FaultRates;
  choices?: readonly Choice[];
  near?: readonly Choice[];
};

export type Played = {
  violations: readonly string[];
  hash: string;
  /** The events of the play, by epoch milliseconds. Empty unless `isTold` is set. */
  told: readonly { at: number; line: string }[];
  taken: readonly Choice[];
  coverage: ReadonlyMap<string, number>;
  counts: Counts;
};

/** The share of plays that are drawn near one that has failed: with a fault more or less, it may fail in another way. */
const NEAR = 0.1;

/** Draws the play of a seed. The names of the streams must stay: another name would change the play of every seed. */
export function drawPlay(seed: number): Play {
  const drawn = drawFaultRates(createRandom(seed, 'fates'));
  const random = createRandom(seed, 'near');
  if (!random.chance(NEAR)) {
    return { seed, plan: drawPlan(seed), faultRates: drawn };
  }
  const { plan, choices } = random.pick(FOUND_PLAYS);
  return { seed, plan, faultRates: random.chance(0.5) ? NO_FAULTS : drawn, near: choices };
}

/** @returns a play that repeats one that has failed */
export const repeat = ({ plan, choices }: Found): Play => ({ seed: 0, plan, faultRates: NO_FAULTS, choices });

export const T0: number = Date.UTC(2026, 0, 5, 9);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The longest time for which a message that was written may be in transit. */
const MAX_TRANSIT_MS = 5 * MINUTE_MS;
/** Recovery that takes longer counts as a violation. */
const MAX_RECOVERY_MS = 12 * HOUR_MS;
/** A limit on scheduler steps, so that a livelock ends. Some 350 requests that wait while their token is refused need 400,000. */
const MAX_STEPS = 800_000;

type Options = { isTold?: boolean; onEntry?: OnEntry };

/**
 * Runs a play synchronously, within one turn of the event loop: nothing in it waits in real time. A rejection that nobody has
 * handled by the end of that turn is a violation.
 */
export async function play(given: Play, options: Options = {}): Promise<Played> {
  const unhandled: string[] = [];
  const onUnhandled = (reason: unknown) => void unhandled.push(`error: nobody handles "${reason}"`);
  process.on('unhandledRejection', onUnhandled);
  try {
    const played = await inTurnOfItsOwn(() => playSynchronously(given, options));
    await inTurnOfItsOwn(() => {});
    return { ...played, violations: [...played.violations, ...unhandled] };
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
}

/** Runs `work` outside of any microtask: microtasks do not nest, and the scheduler runs them. */
const inTurnOfItsOwn = <T>(work: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
  });

function playSynchronously(given: Play, { isTold = false, onEntry }: Options): Played {
  const { plan, seed, faultRates } = given;
  const choices = given.choices
    ? namedChoices(given.choices)
    : seededChoices(createRandom(seed, 'choices'), given.near);
  const scheduler = createScheduler(T0);
  /** No faults before the first act. */
  const current = { faultRates: NO_FAULTS };
  const { world, deliveries, replicas, nextMoment } = buildWorld(plan, {
    scheduler,
    choices,
    isTold,
    onEntry,
    faultRates: (team) => faultRatesFor(team, plan, current.faultRates),
  });
  const people = createPeople(world, deliveries, replicas, nextMoment);
  for (const team of TEAMS)
    runToCompletion(scheduler, people.prepare(replicas[0] as Replica, team, plan.policies[team]));
  current.faultRates = faultRates;
  world.storage.mayFail = true;
  for (const act of plan.acts) {
    scheduler.after(act.at, () => {
      world.trace.note(`${scheduler.now()} ${JSON.stringify(act)}`);
      world.trace.tell(scheduler.now(), () => actLine(act));
      people.act(act);
    });
  }
  const end = T0 + Math.max(0, ...plan.acts.map(({ at }) => at)) + (plan.faultsContinueMs ?? 2 * MINUTE_MS);
  const steps = { left: MAX_STEPS };
  runUntil(scheduler, steps, () => scheduler.now() >= end);
  recover(world, replicas);
  // A freeze that was chosen before the recovery may begin after it.
  const isUp = (replica: Replica) => replica.process().isAlive() && !replica.isStopping();
  const isFrozen = () => replicas.some((replica) => replica.process().isFrozen());
  const isQuiescent = () =>
    deliveries.pending() === 0 && replicas.every(isUp) && !isFrozen() && !hasPendingWork(world);
  runUntilQuiescent(scheduler, steps, isQuiescent);
  if (world.missedUninstalls.size > 0) {
    // The daily check, for uninstalls whose report never reached the bot.
    runToCompletion(scheduler, (replicas[0] as Replica).bot().background.findMissedUninstalls());
    runUntilQuiescent(scheduler, steps, isQuiescent);
  }
  // Messages in a channel whose new id the bot has not learnt are tried every hour for a week.
  const isTriedOn = TEAMS.some((team) => isMoveUnknown(world, team));
  if (steps.left <= 0 || !(isTriedOn || isQuiescent()))
    world.witness.violated('waiting: the bot never becomes quiescent');
  runToCompletion(scheduler, checkAdministration(world, replicas[0] as Replica));
  runToCompletion(scheduler, checkRenewed(world, replicas[0] as Replica));
  runToCompletion(scheduler, checkTokens(world, replicas[0] as Replica));
  checkForgotten(world);
  nameForgotten(world);
  check(world, plan);
  const counts = countOf(world);
  if (plan.goesOn) rest(world);
  return {
    violations: world.witness.violations,
    hash: world.trace.hash(),
    told: world.trace.told(),
    taken: choices.taken(),
    coverage: world.witness.coverage,
    counts,
  };
}

/** Lets a month pass, in which only daily tasks run. */
function rest(world: World): void {
  const checkAfterwards = checkKept(world);
  const until = world.scheduler.now() + MONTH_MS;
  world.isResting = true;
  runUntil(world.scheduler, { left: MAX_STEPS }, () => world.scheduler.now() >= until);
  checkAfterwards();
}

/** The fault rates for work on behalf of `team`; undefined: for work that concerns all teams. */
function faultRatesFor(team: Team | undefined, { faultFreeTeam }: Plan, faultRates: FaultRates): FaultRates {
  if (faultFreeTeam === undefined) return faultRates;
  return team === undefined || team === faultFreeTeam ? NO_FAULTS : faultsOfOneWorkspace(faultRates);
}

/** Ends fault injection: frozen processes go on, and those that are down start again. */
function recover(world: World, replicas: readonly Replica[]): void {
  world.choices.disableFaults();
  world.trace.tell(world.scheduler.now(), () => 'The faults end.');
  for (const replica of replicas) {
    replica.process().thaw();
    replica.restart();
  }
}

/**
 * Whether a record is due soon. Notices that are only kept for a while are due much later. Of a workspace without a working token
 * only the uninstall counts: its requests and notices are tried until somebody installs the app again.
 */
function hasPendingWork(world: World): boolean {
  const cutOff = TEAMS.filter((team) => isCutOff(world, team)).map(workspaceOf);
  return isDueBefore(world.stored, world.scheduler.now() + 3 * HOUR_MS, cutOff);
}

type Steps = { left: number };

function runUntil(scheduler: Scheduler, steps: Steps, isDone: () => boolean): void {
  while (!isDone() && steps.left > 0) {
    steps.left -= 1;
    if (!scheduler.step()) return;
  }
}

/** Runs until no work is pending, and no message in transit can bring any. */
function runUntilQuiescent(scheduler: Scheduler, steps: Steps, isQuiescent: () => boolean): void {
  const last = scheduler.now() + MAX_RECOVERY_MS;
  for (;;) {
    runUntil(scheduler, steps, () => isQuiescent() || scheduler.now() > last);
    const until = scheduler.now() + MAX_TRANSIT_MS;
    runUntil(scheduler, steps, () => scheduler.now() >= until);
    if (isQuiescent() || scheduler.now() > last || steps.left <= 0) return;
  }
}

/** Runs the scheduler until `work` has ended. For use without faults. @throws what `work` throws */
function runToCompletion(scheduler: Scheduler, work: Promise<void>): void {
  let ended: { error?: unknown } | undefined;
  work.then(
    () => {
      ended = {};
    },
    (error) => {
      ended = { error };
    },
  );
  while (!ended)
    if (!scheduler.step()) throw new Error('Nothing is scheduled any more, and the work has not ended.');
  if ('error' in ended) throw ended.error;
}
