/**
 * Tells the admins if several events within an hour have no valid signature: the order service may sign with a wrong secret.
 * The events are counted for all replicas in one record of the workspace. Anybody who knows the events URL can send them, so
 * few of them are written down, and none for an hour after the admins were told.
 */
import { z } from 'zod';
import { createCache } from '../cache.ts';
import type { Log } from '../outbox/ports.ts';
import { byId, NOT_STORED, type RecordStore, writeRecord } from '../outbox/record-store.ts';
import { isRecent } from '../requests/model/recent.ts';
import type { Generation } from './connection/connection.ts';

const ID = 'unsigned_events';

export const UnsignedEventsRecord = z.object({
  workspace: z.string(),
  id: z.literal(ID),
  version: z.number(),
  /** The generation of the connection: failures of a former one are not counted for the next one. */
  generation: z.string(),
  /** The first failures since the admins were told, epoch milliseconds by the store's clock. */
  failures: z.array(z.number()),
  /** The time at which the admins were told, by the same clock. */
  toldAt: z.number().optional(),
});
export type UnsignedEventsRecord = z.infer<typeof UnsignedEventsRecord>;

/** The admins are told of so many failures within an hour: a single one may be somebody's mistake. */
export const UNSIGNED_TOLD = 3;
const HOUR_MS = 60 * 60_000;

/** Only connections that exist are counted, so that nobody else can push one out. */
const CONNECTIONS_REMEMBERED = 10_000;

type Deps = {
  records: RecordStore<UnsignedEventsRecord>;
  /**
   * Tells the admins, once for each time of the first failure.
   *
   * @throws if the storage is unavailable: they are told at the next failure
   */
  tell: (of: Generation & { since: number }) => Promise<void>;
  monotonic: () => number;
  log: Log;
};

/**
 * Creates the function that counts a failed signature of a known connection. After the third within an hour the admins are
 * told, once an hour at most. It never throws.
 */
export function createUnsignedEvents(deps: Deps): (of: Generation) => Promise<void> {
  /** The time until which the failures of a connection are not counted, because the admins have been told. */
  const quietUntil = createCache<number>(CONNECTIONS_REMEMBERED);
  return async ({ workspace, generation }) => {
    const key = `${workspace} ${generation}`;
    if ((quietUntil.get(key) ?? 0) > deps.monotonic()) return;
    try {
      const toldMsAgo = await count(deps, { workspace, generation });
      if (toldMsAgo !== undefined) quietUntil.set(key, deps.monotonic() + HOUR_MS - toldMsAgo);
    } catch (err) {
      deps.log.error({ workspace, err }, 'event without a valid signature not counted');
    }
  };
}

/** @returns how long ago the admins were told, milliseconds; undefined: not within the last hour */
async function count({ records, tell }: Deps, of: Generation): Promise<number | undefined> {
  for (;;) {
    const found = await records.get({ workspace: of.workspace, id: ID });
    const now = found?.now ?? (await records.now());
    const { toldAt, failures: former, version } = recentOf(found?.record, of, now);
    if (toldAt !== undefined) return Math.max(0, now - toldAt);
    // The first ones are kept, because their time identifies the notice: a repeated try tells nobody twice.
    const failures = [...former, now].slice(0, UNSIGNED_TOLD);
    const since = failures.length === UNSIGNED_TOLD ? failures[0] : undefined;
    if (since !== undefined) await tell({ ...of, since });
    const counted = since === undefined ? { failures } : { failures: [], toldAt: now };
    const written = await writeRecord(records, byId({ ...of, ...counted, id: ID, version }));
    if (written.type === 'written') return since === undefined ? undefined : 0;
  }
}

/** The record's version, and the first failures of the last hour. `toldAt`: set if the admins were told within that hour. */
function recentOf(
  record: UnsignedEventsRecord | undefined,
  { generation }: Generation,
  now: number,
): Pick<UnsignedEventsRecord, 'version' | 'failures' | 'toldAt'> {
  const isOfLastHour = (at: number) => isRecent(at, now, HOUR_MS);
  const { failures = [], toldAt = Number.NEGATIVE_INFINITY } =
    record?.generation === generation ? record : {};
  const version = record?.version ?? NOT_STORED;
  return { version, failures: failures.filter(isOfLastHour), ...(isOfLastHour(toldAt) ? { toldAt } : {}) };
}

/** Whether an event for the connection came without a valid signature within the last hour. */
export async function hasUnsignedEvents(
  records: Pick<Deps['records'], 'get'>,
  of: Generation,
): Promise<boolean> {
  const found = await records.get({ workspace: of.workspace, id: ID });
  if (!found) return false;
  const { toldAt, failures } = recentOf(found.record, of, found.now);
  return toldAt !== undefined || failures.length > 0;
}
