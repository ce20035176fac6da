/** The composition root: the only place where adapters are built and joined. */
import { randomUUID } from 'node:crypto';
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { eventsRoute } from './events/route.ts';
import { healthRoutes } from './http/health.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { type Chore, type ChoreTimes, createChore, HOURLY } from './jobs/chore.ts';
import { createRunner } from './jobs/in-process.ts';
import type { QueueConnection, QueueName } from './jobs/jobs.ts';
import { createQueueRunner } from './jobs/queue.ts';
import type { Runner, RunnerOptions } from './jobs/runner.ts';
import { createBreaker } from './order-service/breaker.ts';
import { createOrderCalls, type Token } from './order-service/calls.ts';
import type { Limits } from './order-service/request.ts';
import { createParts, type Parts } from './parts.ts';
import { type AdvanceDeps, advance } from './requests/advance.ts';
import { advanceNotice } from './requests/advance-notice.ts';
import { TIMINGS, type Timings } from './requests/agenda.ts';
import { giveReason } from './requests/approvals/give-reason.ts';
import { react } from './requests/approvals/react.ts';
import { mayVote, vote } from './requests/approvals/vote.ts';
import { ask, whetherMayAsk } from './requests/ask.ts';
import { readHistory } from './requests/history.ts';
import { createInbox } from './requests/inbox.ts';
import { findForIntervention, intervene } from './requests/intervene.ts';
import { lookUp } from './requests/look-up.ts';
import type { Notice } from './requests/notice.ts';
import { owesOutcome } from './requests/pending.ts';
import type { Log, RequestStore, Workspaces } from './requests/ports.ts';
import { type Heard, recordEvent } from './requests/record-event.ts';
import type { RecordRef } from './requests/record-store.ts';
import { createRetention } from './requests/retention.ts';
import type { Turns } from './requests/turns.ts';
import { createBoltApp } from './slack/bolt.ts';
import type { ListenerDeps } from './slack/listeners/listener.ts';
import { slackRoutes } from './slack/routes.ts';
import type { LinkTimings } from './slack/socket-link.ts';
import { turnOf, turnOfNotice } from './slack/turns.ts';
import { createSlackParts, type SlackParts } from './slack-parts.ts';
import { changePolicy } from './workspaces/change-policy.ts';
import type { Connections } from './workspaces/connections.ts';
import { forgetWorkspace } from './workspaces/forget.ts';
import {
  advanceDeparture,
  LEAVE_TIMINGS,
  type LeaveDeps,
  type LeaveTimings,
  noteDeparture,
} from './workspaces/leave.ts';

/** What only tests change: how long things take, how records are stored, and how fast turns come. */
export type Overrides = {
  timings?: Timings;
  runner?: Partial<RunnerOptions>;
  retention?: ChoreTimes;
  requests?: (store: RequestStore) => RequestStore;
  turns?: (turns: Turns) => Turns;
  serviceLimits?: Limits;
  /** How long a call to Slack may take that nobody waits for. */
  slackTimeoutMs?: number;
  socket?: LinkTimings;
  leaving?: LeaveTimings;
};

export type CountermandApp = Pick<HttpServer, 'routes'> & {
  /** @returns the port it listens on */
  start(): Promise<number>;
  /** Begins nothing new, and lets what is under way finish, within bounds. The rest is done after the next start. */
  stop(): Promise<void>;
};

/** Longer than any listener works after its answer: a token that is being checked (20 s), and a modal that is changed. */
const LISTENERS_MS = 25_000;

/** What the parts of the bot share. */
type Common = {
  config: Config;
  log: Log;
  parts: Parts;
  store: RequestStore;
  workspaces: Workspaces;
  timings: Timings;
  turns: Turns;
  leaveTimings: LeaveTimings;
  slack: SlackParts;
};

export function createApp(config: Config, log: Log, overrides: Overrides = {}): CountermandApp {
  const parts = createParts(config, overrides.serviceLimits);
  const { storage } = parts;
  const store = overrides.requests?.(storage.requests) ?? storage.requests;
  const turns = overrides.turns?.(storage.turns) ?? storage.turns;
  const { timings = TIMINGS, leaving: leaveTimings = LEAVE_TIMINGS } = overrides;
  const workspaces = workspacesOf(parts);
  const common = {
    config,
    log,
    parts,
    store,
    workspaces,
    timings,
    turns,
    leaveTimings,
    slack: createSlackParts({ config, parts, turns, log }, overrides),
  };
  const stopping = new AbortController();
  /** Aborted first: who asks whether it is ready reads that it is not, while everything else goes on. */
  const leaving = new AbortController();
  const work = createWork(common, stopping.signal, overrides.runner);
  const retention = createRetentionChore(common, stopping.signal, overrides.retention);
  const server = createAppServer(common, work, leaving.signal);
  const { installations, receiver } = common.slack;

  return {
    routes: server.routes,
    async start() {
      await storage.open(log);
      const installed = await installations.prepare();
      const port = await server.start();
      await receiver.start().catch(async (refused) => {
        await server.stop();
        throw refused;
      });
      work.requests.start();
      work.notices.start();
      work.departures.start();
      retention.start();
      log.info({ port, ...installed, storage: config.storage.type }, 'Countermand is ready');
      return port;
    },
    async stop() {
      leaving.abort();
      await sleep(config.drainMs);
      stopping.abort();
      const patience = sleep(LISTENERS_MS, undefined, { ref: false });
      const working = [...runners(work), retention].map((each) => each.stop());
      await Promise.all([server.stop(), receiver.stop(), ...working]);
      await Promise.race([receiver.idle(), patience]);
      await parts.close();
      log.info({}, 'Countermand has stopped');
    },
  };
}

function createRetentionChore(
  { config, log, parts, store, timings, slack }: Common,
  stopping: AbortSignal,
  times: ChoreTimes = HOURLY,
): Chore {
  const { retentionMs } = config;
  const workspaces = async () => [
    ...new Set([...(await parts.connections.list()), ...(await slack.installations.workspaces())]),
  ];
  const run = createRetention({ store, timings, retentionMs, workspaces, pause, stopping, log });
  return createChore({ name: 'retention', locks: parts.storage.locks, log, times }, run);
}

/** What is done in the background, and by whom it is triggered. */
type Work = {
  requests: Runner;
  notices: Runner;
  departures: Runner;
  hear: (heard: Heard, except?: string) => ReturnType<typeof recordEvent>;
};

function createWork(common: Common, stopping: AbortSignal, options: Partial<RunnerOptions> = {}): Work {
  const { log, parts, store, workspaces, timings, turns, slack } = common;
  const { notices } = parts.storage;
  const tokenOf = (workspace: string) => findToken(parts.connections, workspace);
  const shared = { timings, owner: randomUUID(), stopping, log };

  const running = { log, options, queue: parts.queue };
  const breaker = createBreaker(turns, common.config.orderService.url.origin, log);
  const pace = common.config.slack;
  const noticeDeps = {
    ...shared,
    notices,
    notifier: slack.notifier,
    turn: (notice: Notice) => turns.take(turnOfNotice(notice, pace)),
  };
  const noticeRunner = runnerOf(notices, (ref) => advanceNotice(noticeDeps, ref), {
    ...running,
    name: 'notices',
  });
  const inbox = createInbox({ notices, workspaces, trigger: noticeRunner.trigger });
  const hear: Work['hear'] = (heard, except) =>
    recordEvent({ store, inbox, trigger: requestRunner.trigger, timings }, heard, except);

  const deps: AdvanceDeps = {
    ...shared,
    store,
    hear,
    messenger: slack.messenger,
    turn: (record, act) =>
      turns.take(act.type === 'call' ? breaker.turnOf(record) : turnOf(record, act, pace)),
    calls: breaker.watch(createOrderCalls({ service: parts.service, tokenOf, log })),
    sleep: (ms) => sleep(ms),
    monotonic: () => performance.now(),
  };
  const requestRunner = runnerOf(store, (ref) => advance(deps, ref), { ...running, name: 'requests' });
  const departureRunner = createDepartures(common, stopping, running);
  return { requests: requestRunner, notices: noticeRunner, departures: departureRunner, hear };
}

type RunnerParts = {
  log: Log;
  options: Partial<RunnerOptions>;
  queue: QueueConnection | undefined;
  name: QueueName;
};

function runnerOf(
  store: Pick<RequestStore, 'due' | 'postpone'>,
  advanceOne: (ref: RecordRef) => Promise<number | undefined>,
  rest: RunnerParts,
): Runner {
  const { queue, name, ...more } = rest;
  const deps = { advance: advanceOne, due: store.due, postpone: store.postpone, ...more };
  return queue ? createQueueRunner(deps, queue, name) : createRunner(deps);
}

const runners = ({ requests, notices, departures }: Work): Runner[] => [requests, notices, departures];

/** What is done about workspaces that have uninstalled the app. */
function createDepartures(
  { log, parts, slack, leaveTimings }: Common,
  stopping: AbortSignal,
  running: Pick<RunnerParts, 'log' | 'options' | 'queue'>,
): Runner {
  const { departures } = parts.storage;
  const { installations } = slack;
  const deps: LeaveDeps = {
    departures,
    installed: installations.installed,
    checkInstalled: slack.checkInstalled,
    revokeOwn: parts.revokeOwn,
    forget: (workspace) => forgetWorkspace(parts.forgets, workspace),
    removeInstallation: installations.remove,
    alone: installations.alone,
    timings: leaveTimings,
    log,
    stopping,
  };
  return runnerOf(departures, (ref) => advanceDeparture(deps, ref), { ...running, name: 'departures' });
}

function createAppServer(common: Common, work: Work, leaving: AbortSignal): HttpServer {
  const { config, log, parts, slack } = common;
  createBoltApp({ ...slack, routes: slackRoutes(listenerDeps(common, work)), log });
  const events = eventsRoute({
    endpoint: (id) => findEndpoint(common, id),
    record: work.hear,
    signatureHeaders: config.eventsSignatureHeaders,
    log,
  });
  const ready = async () => {
    leaving.throwIfAborted();
    slack.receiver.mustBeReachable();
    await parts.storage.ping();
  };
  const routes = [...slack.routes, events, ...healthRoutes(ready)];
  return createHttpServer(routes, { port: config.port, host: config.host, log });
}

function workspacesOf({ connections, settings }: Parts): Workspaces {
  return {
    isConnected: async (workspace) => (await connections.find(workspace))?.token !== undefined,
    settings: settings.read,
  };
}

function listenerDeps(
  { log, parts, store, workspaces, timings, slack }: Common,
  { requests: { trigger }, departures }: Work,
): ListenerDeps {
  const { settings, planConnect, connect, planDisconnect, disconnect, subBrands } = parts;
  const { directory, links } = slack;
  const deps = { store, directory, workspaces, trigger, timings };
  return {
    ask: (asking) => ask(deps, asking),
    whetherMayAsk: (who) => whetherMayAsk(deps, who),
    lookUp: (question) => lookUp(deps, question),
    readHistory: (question) => readHistory(deps, question),
    findForIntervention: (who) => findForIntervention(deps, who),
    intervene: (who, act) => intervene(deps, who, act),
    vote: (request, cast) => vote(deps, request, cast),
    mayVote: (request, cast) => mayVote(deps, request, cast),
    react: (reacting) => react(deps, reacting),
    giveReason: (given) => giveReason(deps, given),
    changePolicy: (whose, draft) => changePolicy({ directory, settings }, whose, draft),
    planConnect,
    connect,
    planDisconnect,
    disconnect,
    noteDeparture: (id) =>
      noteDeparture({ departures: parts.storage.departures, trigger: departures.trigger }, id),
    subBrands,
    settings: settings.read,
    changeSettings: settings.change,
    directory,
    links,
    log,
  };
}

async function findToken(connections: Connections, workspace: string): Promise<Token | undefined> {
  const connection = await connections.find(workspace);
  const token = connection && connections.token(connection);
  return connection && token !== undefined ? { token, kind: connection.tokenKind } : undefined;
}

/**
 * The endpoint of a workspace that was disconnected lives until the service owes it nothing any more. Nothing is
 * deleted here: nobody has looked at the signature yet, and somebody may just be connecting the workspace again.
 */
async function findEndpoint({ parts: { connections }, store }: Common, id: string) {
  const connection = await connections.findByEndpoint(id);
  if (!connection) return undefined;
  if (!connection.token && !(await owesOutcome(store, connection.workspace))) return undefined;
  return { workspace: connection.workspace, secrets: connections.secrets(connection) };
}
