/** Reads what only the storage knows, for the gauges: how many requests are open, and for how long. */
import type { Log } from '../outbox/ports.ts';
import { FROM_THE_OLDEST, SETTINGS_ID } from '../outbox/record-store.ts';
import { overdueSince } from '../requests/model/pending-effects.ts';
import { type RequestRecord, slotOf } from '../requests/model/record.ts';
import { STATE_NAMES } from '../requests/model/states.ts';
import { TIMINGS } from '../requests/model/timings.ts';
import { UNFINISHED } from '../requests/store/subjects.ts';
import type { Storage } from '../storage/storage.ts';
import { pauseIn } from '../workspaces/connection/connection.ts';
import { installationRef, installedFields } from '../workspaces/installation/installation-record.ts';
import { createOrganizations } from '../workspaces/installation/organizations.ts';
import { hasUnsignedEvents } from '../workspaces/unsigned-events.ts';
import type { Definitions } from './definitions.ts';
import type { InstalledAt, TokenStates } from './observe-log.ts';

type Sampled = Pick<
  Storage,
  'requests' | 'connections' | 'settings' | 'unsignedEvents' | 'installations' | 'organizations' | 'ping'
>;

type SampleDeps = {
  storage: Sampled;
  metrics: Definitions;
  now: () => number;
  monotonic: () => number;
  tokens: TokenStates | undefined;
  log: Log;
};

/** The limits of one scrape. Beyond them the gauges show only the first workspaces, and their newest and oldest requests. */
const MOST_WORKSPACES_SAMPLED = 200;
const MOST_REQUESTS_SAMPLED = 500;
/** A scrape within this time after a sample gets the figures of that sample. */
const REMEMBERED_MS = 5_000;

const SOME_NOT_SET = 'gauges of some workspaces not set';

/**
 * Creates the function that sets the gauges. It never rejects.
 *
 * @param tokens the states to compare with the stored installations; undefined: none is stored
 */
export function createSample({
  storage,
  metrics,
  now,
  monotonic,
  tokens,
  log,
}: SampleDeps): () => Promise<void> {
  const findInstalled = createFindInstalled(storage);
  let last: { at: number; done: Promise<void> } | undefined;

  async function sample(): Promise<void> {
    const isWritable = await storage.ping().then(
      () => true,
      // Readiness pings the storage, too, and logs the error.
      () => false,
    );
    metrics.storageWritable.set(isWritable ? 1 : 0);
    // Nobody knows the clock of a storage that does not answer.
    const ahead = await storage.requests.now().then(
      (at) => at - now(),
      () => 0,
    );
    metrics.storageClockOffset.set(Math.round(ahead / 1_000));
    if (!isWritable) return;
    try {
      await sampleRequests(storage, metrics, log);
      await sampleWorkspaces(storage, metrics, log);
      await tokens?.recheck((id) => findInstalled(id).catch((err) => asLongInstalled(id, err)));
    } catch (err) {
      log.error({ err }, 'gauges of the storage not set');
    }
  }

  /** Stands for an installation that can't be read: its token counts as before, and must not keep others from being checked. */
  function asLongInstalled(id: string, err: unknown): InstalledAt {
    log.error({ ...installedFields(id), err }, SOME_NOT_SET);
    return { installedAt: Number.NEGATIVE_INFINITY, refusedAt: Number.NEGATIVE_INFINITY };
  }

  return () => {
    const at = monotonic();
    if (!last || at - last.at > REMEMBERED_MS) last = { at, done: sample() };
    return last.done;
  };
}

/**
 * Reads something about each workspace, and leaves out what can't be read. Only the first failure is logged. The workspaces are
 * read one after another, because reading hundreds of requests at once would hold up all other work.
 */
async function readEach<Each extends string | { workspace: string }, Found>(
  log: Log,
  all: readonly Each[],
  read: (each: Each) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  let hasFailed = false;
  for (const each of all) {
    try {
      found.push(await read(each));
    } catch (err) {
      if (!hasFailed)
        log.error({ workspace: typeof each === 'string' ? each : each.workspace, err }, SOME_NOT_SET);
      hasFailed = true;
    }
  }
  return found;
}

/** The parts of a request that are counted: of many workspaces the records themselves would need too much memory. */
type Counted = Pick<RequestRecord, 'kind' | 'state' | 'workspace'> & {
  isOpen: boolean;
  enteredAt: number | undefined;
  overdueSince: number | undefined;
};

const countedOf = (record: RequestRecord): Counted => ({
  kind: record.kind,
  state: record.state,
  workspace: record.workspace,
  isOpen: slotOf(record) !== undefined,
  enteredAt: record.steps.at(-1)?.at,
  overdueSince: overdueSince(record, TIMINGS),
});

async function sampleRequests({ requests }: Sampled, metrics: Definitions, log: Log): Promise<void> {
  const workspaces = await requests.workspaces({ after: undefined, limit: MOST_WORKSPACES_SAMPLED });
  const now = await requests.now();
  const unfinished = (await readEach(log, workspaces, (each) => readUnfinished(requests, each))).flat();
  metrics.open.reset();
  for (const { kind, state, workspace } of unfinished.filter(({ isOpen }) => isOpen))
    metrics.open.inc({ kind, state, ...metrics.labelsOf(workspace) });
  setOldestOpen(unfinished, metrics, now);
  const due = unfinished.flatMap(({ overdueSince: at }) => at ?? []).filter((at) => at <= now);
  metrics.due.set(due.length);
  metrics.oldestDue.set(secondsSince(due, now));
}

/** Sets the ages for all workspaces together or, with METRICS_PER_WORKSPACE, for each one that has unfinished requests. */
function setOldestOpen(unfinished: readonly Counted[], metrics: Definitions, now: number): void {
  const groups = Map.groupBy(unfinished, ({ workspace }) => metrics.labelsOf(workspace)['workspace'] ?? '');
  if (groups.size === 0) groups.set('', []);
  metrics.oldestOpen.reset();
  for (const [workspace, records] of groups)
    for (const state of STATE_NAMES)
      metrics.oldestOpen.set({ state, ...metrics.labelsOf(workspace) }, oldest(records, state, now));
}

/** Reads the oldest requests, too, if there are many: the alerts ask for the oldest. */
async function readUnfinished({ list }: Sampled['requests'], workspace: string): Promise<Counted[]> {
  const page = { subject: UNFINISHED, limit: MOST_REQUESTS_SAMPLED };
  const newest = await list(workspace, page);
  const isMore = newest.length === MOST_REQUESTS_SAMPLED;
  const oldest = isMore ? await list(workspace, { ...page, after: FROM_THE_OLDEST }) : [];
  return [...new Map([...newest, ...oldest].map((record) => [record.id, countedOf(record)])).values()];
}

/** @returns seconds since the oldest request entered its state */
function oldest(all: readonly Counted[], state: RequestRecord['state'], now: number): number {
  const entered = all.filter((each) => each.state === state).map(({ enteredAt }) => enteredAt ?? now);
  return secondsSince(entered, now);
}

/** @param times maybe more than `Math.min` takes as arguments @returns seconds since the earliest; 0 if there is none */
const secondsSince = (times: readonly number[], now: number): number =>
  (now - times.reduce((earliest, at) => Math.min(earliest, at), now)) / 1_000;

async function sampleWorkspaces(
  { connections, settings, unsignedEvents }: Sampled,
  metrics: Definitions,
  log: Log,
): Promise<void> {
  const page = { after: undefined, limit: MOST_WORKSPACES_SAMPLED };
  const [connected, configured] = await Promise.all([
    connections.workspaces(page),
    settings.workspaces(page),
  ]);
  const newest = (await readEach(log, connected, (each) => connections.list(each, { limit: 1 }))).flat();
  // A workspace that was disconnected keeps its events URL for a while, and has no token.
  const withToken = newest.filter(({ token }) => token !== undefined);
  const paused = withToken.filter((connection) => pauseIn(connection)?.state === 'paused').length;
  metrics.connections.set({ state: 'paused' }, paused);
  metrics.connections.set({ state: 'accepted' }, withToken.length - paused);
  const unsigned = await readEach(log, newest, (each) => hasUnsignedEvents(unsignedEvents, each));
  const wrong = unsigned.filter((isWrong) => isWrong).length;
  metrics.eventsSecrets.set({ state: 'wrong' }, wrong);
  metrics.eventsSecrets.set({ state: 'unquestioned' }, unsigned.length - wrong);
  const stored = await readEach(log, configured, (workspace) => settings.get({ workspace, id: SETTINGS_ID }));
  metrics.sendingPaused.set(stored.filter((each) => each?.record.settings.paused !== undefined).length);
}

/** @returns a function that finds what is installed in a workspace or its organization */
function createFindInstalled({ installations, organizations }: Sampled) {
  const { of: organizationOf } = createOrganizations(organizations);
  return async function findInstalled(id: string): Promise<InstalledAt | undefined> {
    const own = (await installations.get(installationRef(id)))?.record.installed;
    if (own) return own;
    const organization = await organizationOf(id);
    return organization === undefined ? undefined : findInstalled(organization);
  };
}
