/**
 * Watches the bot from outside, and serves what it has seen at GET /metrics of a port of its own: in the log, at the
 * storage and at the networks; and, as of then, what only the storage knows: how many requests are open, and for how long.
 * Nothing in the bot knows of it.
 */
import type { Outside } from '../compose/outside.ts';
import type { Config } from '../config.ts';
import { createHttpServer } from '../http/server.ts';
import type { Log } from '../outbox/ports.ts';
import { SETTINGS_ID } from '../outbox/record-store.ts';
import { requestDueAt, TIMINGS } from '../requests/model/pending-effects.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { STATE_NAMES } from '../requests/model/states.ts';
import { UNFINISHED } from '../requests/store/subjects.ts';
import type { Storage } from '../storage/storage.ts';
import { readCommit, VERSION } from '../version.ts';
import { pauseIn } from '../workspaces/connection/token/pause.ts';
import { hasUnsignedEvents } from '../workspaces/events/unsigned-events.ts';
import { installationRef } from '../workspaces/installation/installation-record.ts';
import { createOrganizations } from '../workspaces/installation/organizations.ts';
import { type Definitions, defineMetrics } from './definitions.ts';
import { createReachability, observeAudit, observeService, observeSlack } from './observe-calls.ts';
import { createTokenStates, observeLog, type TokenStates } from './observe-log.ts';
import { observeRequests } from './observe-requests.ts';

export type Metrics = {
  /** The log and the outside world of the bot, watched. */
  log: Log;
  outside: Outside;
  /** Serves the metrics. @throws if the port is taken */
  start(): Promise<number>;
  stop(): Promise<void>;
};

/** @returns undefined if METRICS_PORT is not set: then nothing is watched */
export function createMetrics(
  { metrics: wanted, slack: { installing } }: Config,
  outside: Outside,
  log: Log,
): Metrics | undefined {
  if (!wanted) return undefined;
  const { port, host, perWorkspace } = wanted;
  const { runtime } = outside;
  const metrics = defineMetrics({ perWorkspace, version: VERSION, commit: readCommit() });
  const slack = createReachability(metrics, runtime.monotonic);
  const tokens = createTokenStates(metrics, runtime.now);
  let sample = async () => {};

  const watched: Outside = {
    ...outside,
    openStorage(config) {
      const opened = outside.openStorage(config);
      const { storage } = opened;
      // Of SLACK_BOT_TOKEN nothing is stored.
      const rechecked = installing.type === 'token' ? undefined : tokens;
      sample = createSample(storage, metrics, runtime.monotonic, rechecked);
      const requests = observeRequests(storage.requests, metrics, runtime.monotonic);
      return { ...opened, storage: { ...storage, requests } };
    },
    connectSlack() {
      const network = outside.connectSlack();
      return { ...network, send: observeSlack(network.send, metrics, runtime, slack.learn) };
    },
    connectOrderService: (origin) => observeService(outside.connectOrderService(origin), metrics, runtime),
    openAuditStream: (target) => observeAudit(outside.openAuditStream(target), metrics),
    countRefused: (from, reason) => metrics.refusedRequests.inc({ from, reason }),
  };
  const handle = async () => {
    slack.show();
    await sample();
    const headers = { 'content-type': metrics.registry.contentType };
    return { status: 200, headers, body: await metrics.registry.metrics() };
  };
  const routes = [{ method: 'GET', path: '/metrics', maxBytes: 0, handle }] as const;
  const { start, stop } = createHttpServer(routes, { port, host, log });
  return { log: observeLog(log, metrics, tokens), outside: watched, start, stop };
}

type Sampled = Pick<
  Storage,
  'requests' | 'connections' | 'settings' | 'unsignedEvents' | 'installations' | 'organizations' | 'ping'
>;

/** A scrape must not read without a limit: beyond this, the gauges show these workspaces and their newest requests. */
const MOST_WORKSPACES_SAMPLED = 200;
const MOST_REQUESTS_SAMPLED = 500;
/** The answer to a scrape within this time is that of the last one. */
const REMEMBERED_MS = 5_000;

/** @returns sets the gauges; it never rejects: a storage that can't be read shows as one that can't be written */
function createSample(
  storage: Sampled,
  metrics: Definitions,
  monotonic: () => number,
  tokens: TokenStates | undefined,
): () => Promise<void> {
  const installedAt = createInstalledAt(storage);
  let last: { at: number; done: Promise<void> } | undefined;

  async function sample(): Promise<void> {
    try {
      await storage.ping();
      metrics.storageWritable.set(1);
      await sampleRequests(storage, metrics);
      await sampleWorkspaces(storage, metrics);
      await tokens?.recheck(installedAt);
    } catch {
      // The log says why: readiness asks the same.
      metrics.storageWritable.set(0);
    }
  }

  return () => {
    const at = monotonic();
    if (!last || at - last.at > REMEMBERED_MS) last = { at, done: sample() };
    return last.done;
  };
}

async function sampleRequests({ requests }: Sampled, metrics: Definitions): Promise<void> {
  const workspaces = await requests.workspaces({ after: undefined, limit: MOST_WORKSPACES_SAMPLED });
  const now = await requests.now();
  const lists = workspaces.map((each) =>
    requests.list(each, { subject: UNFINISHED, limit: MOST_REQUESTS_SAMPLED }),
  );
  const unfinished = (await Promise.all(lists)).flat();
  metrics.open.reset();
  for (const { kind, state, workspace } of unfinished.filter(({ holdsSlot }) => holdsSlot))
    metrics.open.inc({ kind, state, ...metrics.of(workspace) });
  for (const state of STATE_NAMES) metrics.oldestOpen.set({ state }, oldest(unfinished, state, now));
  const due = unfinished.flatMap((record) => requestDueAt(record, TIMINGS) ?? []).filter((at) => at <= now);
  metrics.due.set(due.length);
  metrics.oldestDue.set(due.length === 0 ? 0 : (now - Math.min(...due)) / 1_000);
}

/** @returns seconds since the oldest request entered its state */
function oldest(records: readonly RequestRecord[], state: RequestRecord['state'], now: number): number {
  const entered = records
    .filter((record) => record.state === state)
    .map(({ steps }) => steps.at(-1)?.at ?? now);
  return entered.length === 0 ? 0 : (now - Math.min(...entered)) / 1_000;
}

async function sampleWorkspaces(
  { connections, settings, unsignedEvents }: Sampled,
  metrics: Definitions,
): Promise<void> {
  const [connected, set] = await Promise.all(
    [connections, settings].map((store) =>
      store.workspaces({ after: undefined, limit: MOST_WORKSPACES_SAMPLED }),
    ),
  );
  const lists = (connected ?? []).map((each) => connections.list(each, { limit: 1 }));
  const newest = (await Promise.all(lists)).flat();
  const paused = newest.filter((connection) => pauseIn(connection) !== undefined).length;
  metrics.connections.set({ state: 'paused' }, paused);
  metrics.connections.set({ state: 'accepted' }, newest.length - paused);
  const unsigned = await Promise.all(newest.map((each) => hasUnsignedEvents(unsignedEvents, each)));
  const wrong = unsigned.filter((isWrong) => isWrong).length;
  metrics.eventsSecrets.set({ state: 'wrong' }, wrong);
  metrics.eventsSecrets.set({ state: 'unquestioned' }, newest.length - wrong);
  const stored = await Promise.all(
    (set ?? []).map((workspace) => settings.get({ workspace, id: SETTINGS_ID })),
  );
  metrics.sendingPaused.set(stored.filter((each) => each?.record.settings.paused !== undefined).length);
}

/** @returns tells when the app was installed in a workspace, or in its organization; undefined: it is not */
function createInstalledAt({ installations, organizations }: Sampled) {
  const { of: organizationOf } = createOrganizations(organizations);
  return async function installedAt(id: string): Promise<number | undefined> {
    const own = (await installations.get(installationRef(id)))?.record.installed;
    if (own) return own.installedAt;
    const organization = await organizationOf(id);
    return organization === undefined ? undefined : installedAt(organization);
  };
}
