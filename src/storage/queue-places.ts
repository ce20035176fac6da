/**
 * Remembers the places that records of this process hold in the queues of the rate limiter, so that they are given up
 * once nothing is left to wait for. Another replica may go on with a record: then its place is lost after a while
 * (LOST_MS in rate-limiter.ts).
 */
import { createCache } from '../cache.ts';
import type { Bucket, Log, RateLimiter, Wait } from '../outbox/ports.ts';
import { nameOfRecord, type RecordRef } from '../outbox/record-store.ts';

/** More records than wait in a process at a time. Beyond that, records go first with which other replicas have gone on. */
const RECORDS_REMEMBERED = 10_000;

type Place = { bucket: Bucket; who: string };

/** @param limiter whose callers are named by the id of their record and further words */
export function rememberPlaces(limiter: RateLimiter, log: Log) {
  const places = createCache<Place[]>(RECORDS_REMEMBERED);

  function keep(key: string, kept: Place[]): void {
    if (kept.length > 0) places.set(key, kept);
    else places.delete(key);
  }

  async function leave({ bucket, who }: Place): Promise<void> {
    await limiter.leave(bucket, who).catch((err) => {
      log.debug({ workspace: bucket.workspace, who, err }, 'place in a queue not given up');
    });
  }

  return {
    ...limiter,
    async take(bucket: Bucket, who: string, yields = false): Promise<Wait> {
      const wait = await limiter.take(bucket, who, yields);
      if (yields) return wait;
      const [id = ''] = who.split(' ', 1);
      const key = nameOfRecord({ workspace: bucket.workspace, id });
      const others = places.get(key)?.filter((each) => each.who !== who || each.bucket.name !== bucket.name);
      keep(key, [...(others ?? []), ...(wait.ms > 0 ? [{ bucket, who }] : [])]);
      return wait;
    },
    /**
     * Gives up the places of a record, except those of the callers that still wait. It never throws: a place that could not
     * be given up is lost after a while.
     *
     * @param waiting names the callers; a caller may also wait under its name and a further word
     */
    async leaveAllBut(record: RecordRef, waiting: () => readonly string[]): Promise<void> {
      const key = nameOfRecord(record);
      const held = places.get(key);
      if (!held) return;
      const names = waiting();
      const { kept = [], left = [] } = Object.groupBy(held, ({ who }) =>
        names.some((name) => who === name || who.startsWith(`${name} `)) ? 'kept' : 'left',
      );
      keep(key, kept);
      await Promise.all(left.map(leave));
    },
  };
}
