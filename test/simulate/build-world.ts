/** Builds the world of a play: Slack, the order service, the storage and the replicas of the bot. */
import type { Log } from '../../src/outbox/ports.ts';
import type { InstallationRecord } from '../../src/workspaces/installation/installation-record.ts';
import { createInstallationCheck } from './checks/private/uninstalled.ts';
import { createDeliveries } from './deliveries/deliveries.ts';
import { sendServiceEvents, sendSlackEvents } from './deliveries/events.ts';
import type { Plan } from './draw/plan.ts';
import { botTokenIn, startReplica } from './replica.ts';
import { createSpans } from './spans.ts';
import { createStored, type OnEntry } from './storage/stored.ts';
import { OTHERS } from './tables/who-may.ts';
import { idOf, TEAMS, type Team } from './teams.ts';
import { createTrace } from './trace.ts';
import { createWitness } from './witness/witness.ts';
import { createServiceSide } from './world/service-side.ts';
import { createSlackSide } from './world/slack-side.ts';
import { createStorageSide } from './world/storage-side.ts';
import type { World } from './world/world.ts';

type BuildOptions = Pick<World, 'scheduler' | 'choices' | 'faultRates'> & {
  isTold: boolean;
  onEntry?: OnEntry | undefined;
};

export function buildWorld(plan: Plan, { scheduler, choices, faultRates, isTold, onEntry }: BuildOptions) {
  const { skews, shortPages, outsideMarketplace, renewalInMs } = plan;
  let number = 0;
  const log = createLog(
    (error) => world.witness.onError(error),
    (line) => world.logLines.push(line),
    (line) => {
      world.errorLines.push({ at: scheduler.now(), ...line });
      trace.tell(scheduler.now(), () => `the bot logs "${line.message}"`);
    },
  );
  const service = createServiceSide(
    plan,
    () => scheduler.now() + skews.service,
    ({ id }, event) => sendServiceEvent(id as Team, event),
  );
  const slack = createSlackSide({
    now: () => scheduler.now() + skews.slack,
    shortPages,
    outsideMarketplace,
    renewalInMs,
  });
  const trace = createTrace(isTold);
  const witness = createWitness(scheduler.now, trace, (token) =>
    [...service.organizations.values()].find(({ tokens }) => tokens.some((each) => each.token === token)),
  );
  const onRestored: typeof witness.onRestored = (all) => {
    witness.onRestored(all);
    installations.onRestored();
  };
  const stored = createStored(scheduler.now, { ...witness, onRestored }, (type, entry) => {
    if (type === 'installations')
      installations.onWrite(entry.record.workspace, botTokenIn(entry.record as InstallationRecord));
    onEntry?.(type, entry);
  });
  const world: World = {
    scheduler,
    choices,
    faultRates,
    trace,
    stored,
    storage: createStorageSide(plan, stored),
    goesOn: plan.goesOn ?? false,
    isResting: false,
    requestsPerHour: plan.requestsPerHour,
    hasRequesters: plan.hasRequesters ?? false,
    hasOddEvents: plan.hasOddEvents ?? false,
    approvals: { acme: idOf('C', 'approvals'), globex: idOf('C', 'approvals') },
    slack,
    service,
    witness,
    log,
    errorLines: [],
    logLines: [],
    nextNumber: () => ++number,
    subscriptions: new Map(),
    serviceEvents: [],
    foreignEvents: [],
    spans: createSpans(scheduler),
    deleted: new Set(),
    missedUninstalls: new Set(),
    lostRights: {
      acme: plan.hasRequesters ? OTHERS.map((each) => ({ ...each })) : [],
      globex: plan.hasRequesters ? OTHERS.map((each) => ({ ...each })) : [],
    },
    forgotten: [],
    policies: [],
    pauses: [],
    reactions: [],
    reports: [],
    presses: [],
    declining: [],
    submissions: [],
    confirmed: [],
    skews: [...skews.replicas],
  };
  const installations = createInstallationCheck(world);
  const replicas = Array.from({ length: plan.replicas }, (_, index) => startReplica(world, index));
  const deliveries = createDeliveries(world, replicas);
  const sendServiceEvent = sendServiceEvents(world, deliveries, (team) => world.subscriptions.get(team));
  const nextMoment = createMoments(world);
  for (const team of TEAMS)
    slack.of[team].world.changes.subscribe(sendSlackEvents(world, team, deliveries, nextMoment));
  return { world, deliveries, replicas, nextMoment };
}

/** Timestamps by Slack's clock, microseconds: each one is later than the one before. */
function createMoments({ slack }: World): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, slack.now() * 1_000);
    return last;
  };
}

/** Keeps warnings and errors for the checks: they must hold no secret and no programming error. */
function createLog(
  onError: (error: unknown) => void,
  onLine: (line: () => string) => void,
  onErrorLine: (line: Omit<World['errorLines'][number], 'at'>) => void,
): Log {
  const noteMistake = (fields: object) => {
    if ('err' in fields) onError(fields.err);
  };
  const note = (fields: object, message: string) => {
    noteMistake(fields);
    onLine(() =>
      JSON.stringify({ message, ...fields }, (_key, value) =>
        value instanceof Error ? `${value.stack}` : value,
      ),
    );
  };
  const noteError = (fields: object, message: string) => {
    note(fields, message);
    onErrorLine({ message, ...('err' in fields && fields.err instanceof Error && { error: fields.err }) });
  };
  return { debug: noteMistake, info() {}, warn: note, error: noteError };
}
