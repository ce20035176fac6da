/** Plays one play: from the first request to the calm at its end, and checks what came of it. */
import type { Log } from '../../src/requests/ports/ports.ts';
import { createRandom } from '../chaos/random.ts';
import { checkAdministration } from './checks/administration.ts';
import { check } from './checks/index.ts';
import { type Choice, type Choices, namedChoices, seededChoices } from './draw/choices.ts';
import { drawPlan } from './draw/draw-plan.ts';
import { drawFates, type Fates, NO_FATES, ofOneWorkspace } from './draw/fates.ts';
import type { Plan } from './draw/plan.ts';
import { createPeople } from './people/index.ts';
import { createStored, isDueBefore } from './ports/storage.ts';
import { type Replica, startReplica, type World } from './replica.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import { createTrace } from './trace.ts';
import { createWitness } from './witness.ts';
import { announceOrder, announceSlack } from './world/announcements.ts';
import { createDeliveries } from './world/deliveries.ts';
import { createServiceSide } from './world/service-side.ts';
import { createSlackSide, TEAMS, type Team } from './world/slack-side.ts';

/** A play. `choices`: the points at which things go otherwise than usual; left out: drawn from the seed. */
export type Play = { seed: number; plan: Plan; fates: Fates; choices?: readonly Choice[] };

export type Played = {
  violations: readonly string[];
  hash: string;
  /** Line by line, where that was asked for. */
  trace: readonly string[];
  taken: readonly Choice[];
  coverage: ReadonlyMap<string, number>;
};

export const playOf = (seed: number): Play => ({
  seed,
  plan: drawPlan(seed),
  fates: drawFates(createRandom(seed, 'fates')),
});

const T0 = Date.UTC(2026, 0, 5, 9);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The longest time after which a written message may still arrive. */
const LAST_ARRIVALS_MS = 5 * MINUTE_MS;
/** By then everything has come to rest, or never will. */
const LONGEST_MS = 12 * HOUR_MS;
/** Steps of one play; one that goes round in circles must end. */
const MOST_STEPS = 200_000;

type Options = { isTold?: boolean };

/** In a turn of the event loop of its own, in which nothing else happens: a play waits for nothing. */
export const play = (given: Play, options: Options = {}): Promise<Played> =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(playAtOnce(given, options));
      } catch (error) {
        reject(error);
      }
    });
  });

function playAtOnce(given: Play, { isTold = false }: Options): Played {
  const { plan, seed, fates } = given;
  const choices = given.choices ? namedChoices(given.choices) : seededChoices(createRandom(seed, 'choices'));
  const timeline = createTimeline(T0);
  /** Nothing goes wrong before the first act. */
  const stage = { fates: NO_FATES };
  const { world, deliveries, replicas, nextMoment } = build(plan, timeline, {
    choices,
    isTold,
    fates: (team) => fatesFor(team, plan, stage.fates),
  });
  const people = createPeople(world, deliveries, nextMoment);
  for (const team of TEAMS)
    finished(timeline, people.prepare(replicas[0] as Replica, team, plan.policies[team]));
  stage.fates = fates;
  for (const act of plan.acts) {
    timeline.after(act.at, () => {
      world.trace.note(`${timeline.now()} ${JSON.stringify(act)}`);
      people.act(act);
    });
  }
  const end = T0 + Math.max(0, ...plan.acts.map(({ at }) => at)) + (plan.lastsMs ?? 2 * MINUTE_MS);
  const steps = { left: MOST_STEPS };
  runUntil(timeline, steps, () => timeline.now() >= end);
  calm(world, replicas);
  const isResting = () => deliveries.pending() === 0 && !isAnythingOwed(world);
  rest(timeline, steps, isResting);
  if (world.unheard.size > 0) {
    // What is done once a day, for whoever was away while Slack told of it.
    finished(timeline, (replicas[0] as Replica).bot().background.findMissedUninstalls());
    rest(timeline, steps, isResting);
  }
  if (steps.left <= 0 || !isResting()) world.witness.violated('waiting: something never comes to rest');
  finished(timeline, checkAdministration(world, plan, replicas[0] as Replica));
  check(world, plan);
  return {
    violations: world.witness.violations,
    hash: world.trace.hash(),
    trace: world.trace.lines(),
    taken: choices.taken(),
    coverage: world.witness.coverage,
  };
}

/** Slack's clock never shows the same moment twice. Microseconds. */
function createMoments({ slack }: World): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, slack.world.now() * 1_000);
    return last;
  };
}

type Chance = { choices: Choices; fates: World['fates']; isTold: boolean };

/** The fates of a team: one that is spared meets no faults. */
function fatesFor(team: Team | undefined, { spared }: Plan, fates: Fates): Fates {
  if (spared === undefined) return fates;
  return team === undefined || team === spared ? NO_FATES : ofOneWorkspace(fates);
}

function build(plan: Plan, timeline: Timeline, { choices, fates, isTold }: Chance) {
  const { skews, shortPages, outsideMarketplace } = plan;
  let number = 0;
  const log = createLog(
    (error) => world.witness.fault(error),
    (line) => world.logLines.push(line),
  );
  const service = createServiceSide(
    () => timeline.now() + skews.service,
    ({ id }, event) => tellOrder(id as Team, event),
  );
  const slack = createSlackSide({ now: () => timeline.now() + skews.slack, shortPages, outsideMarketplace });
  const witness = createWitness(timeline.now, (token) =>
    [...service.organizations.values()].find(({ tokens }) => tokens.some((each) => each.token === token)),
  );
  const world: World = {
    timeline,
    choices,
    fates,
    trace: createTrace(isTold),
    stored: createStored(timeline.now, witness.written),
    slack,
    service,
    witness,
    log,
    logLines: [],
    nextNumber: () => ++number,
    subscriptions: new Map(),
    told: [],
    deleted: new Set(),
    reinstalled: new Set(),
    unheard: new Set(),
    lostRights: new Map(),
    reactions: [],
    connected: new Map(),
    savedPolicies: [],
    skews: [...skews.replicas],
  };
  const replicas = Array.from({ length: plan.replicas }, (_, index) => startReplica(world, index));
  const deliveries = createDeliveries(world, replicas);
  const tellOrder = announceOrder(world, deliveries, (team) => world.subscriptions.get(team));
  const nextMoment = createMoments(world);
  slack.world.changes.subscribe(announceSlack(world, deliveries, nextMoment));
  return { world, deliveries, replicas, nextMoment };
}

/** Nothing fails any more, and whoever was away comes back. */
function calm({ choices }: World, replicas: readonly Replica[]): void {
  choices.calm();
  for (const replica of replicas) {
    replica.life().thaw();
    replica.revive();
  }
}

/** Whether something is owed soon; workspace notifications that are only kept for a while are not. */
function isAnythingOwed({ stored, timeline }: World): boolean {
  return isDueBefore(stored, timeline.now() + 3 * HOUR_MS);
}

type Steps = { left: number };

function runUntil(timeline: Timeline, steps: Steps, isDone: () => boolean): void {
  while (!isDone() && steps.left > 0) {
    steps.left -= 1;
    if (!timeline.step()) return;
  }
}

/** Until nothing is owed, and nothing that is still on its way can change that. */
function rest(timeline: Timeline, steps: Steps, isResting: () => boolean): void {
  const last = timeline.now() + LONGEST_MS;
  for (;;) {
    runUntil(timeline, steps, () => isResting() || timeline.now() > last);
    const until = timeline.now() + LAST_ARRIVALS_MS;
    runUntil(timeline, steps, () => timeline.now() >= until);
    if (isResting() || timeline.now() > last || steps.left <= 0) return;
  }
}

/** Before anything fails, or after it. */
function finished(timeline: Timeline, work: Promise<void>): void {
  let ended: { error?: unknown } | undefined;
  work.then(
    () => {
      ended = {};
    },
    (error) => {
      ended = { error };
    },
  );
  while (!ended) if (!timeline.step()) throw new Error('The stage could not be set.');
  if ('error' in ended) throw ended.error;
}

/** Warnings and errors are kept: no secret may stand in them, and no fault of our own behind them. */
function createLog(onError: (error: unknown) => void, onLine: (line: () => string) => void): Log {
  const note = (fields: object, message: string) => {
    if ('err' in fields) onError(fields.err);
    onLine(() =>
      JSON.stringify({ message, ...fields }, (_key, value) =>
        value instanceof Error ? `${value.stack}` : value,
      ),
    );
  };
  return { debug() {}, info() {}, warn: note, error: note };
}
