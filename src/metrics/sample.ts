/** Reads from the storage what only it knows: how many requests are open, and for how long. */

import { SETTINGS_ID } from '../outbox/record-store.ts';
import { requestDueAt, TIMINGS } from '../requests/model/pending-effects.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { STATE_NAMES } from '../requests/model/states.ts';
import { UNFINISHED } from '../requests/store/entry.ts';
import type { Storage } from '../storage/storage.ts';
import { pauseIn } from '../workspaces/connection/token/pause.ts';
import { hasUnsignedEvents } from '../workspaces/events/unsigned-events.ts';
import type { Definitions } from './definitions.ts';

type Sampled = Pick<Storage, 'requests' | 'connections' | 'settings' | 'unsignedEvents' | 'ping'>;

/** A scrape must not read without a limit: beyond this, the gauges show these workspaces and their newest requests. */
const MOST_WORKSPACES_SAMPLED = 200;
const MOST_REQUESTS_SAMPLED = 500;
/** The answer to a scrape within this time is that of the last one. */
const REMEMBERED_MS = 5_000;

/** @returns sets the gauges; it never rejects: a storage that can't be read shows as one that can't be written */
export function createSample(
  storage: Sampled,
  metrics: Definitions,
  monotonic: () => number,
): () => Promise<void> {
  let last: { at: number; done: Promise<void> } | undefined;

  async function sample(): Promise<void> {
    try {
      await storage.ping();
      metrics.storageWritable.set(1);
      await sampleRequests(storage, metrics);
      await sampleWorkspaces(storage, metrics);
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
