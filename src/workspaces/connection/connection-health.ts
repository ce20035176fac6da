/**
 * Stores the last observations of each connection outside of its record, because none is worth a write conflict with an
 * admin who connects.
 */
import type Keyv from 'keyv';
import { z } from 'zod';
import { createCache } from '../../cache.ts';
import { isRecent } from '../../requests/model/recent.ts';
import type { Generation } from './connection.ts';

/** `call`: the service accepted the token. `event`: a signed event arrived. */
type Observation = 'call' | 'event';

/** An unreadable observation counts as none, because nothing important depends on it. */
const StoredObservation = z.object({ generation: z.string(), at: z.number() });

/** Nobody needs the time to the second, and a write for each call and event would be wasteful. */
const WRITE_EVERY_MS = 60_000;
const OBSERVATIONS_REMEMBERED = 10_000;

export type ConnectionHealth = ReturnType<typeof createConnectionHealth>;

/** @param stores keyed by workspace, so that its observations can be removed by its id alone */
export function createConnectionHealth(stores: Record<Observation, Keyv>, now: () => number) {
  const written = createCache<number>(OBSERVATIONS_REMEMBERED);

  return {
    /** Returns the last observation; undefined: none of this connection. */
    async last(kind: Observation, { workspace, generation }: Generation): Promise<number | undefined> {
      const { data } = StoredObservation.safeParse(await stores[kind].get(workspace));
      return data?.generation === generation ? data.at : undefined;
    },
    /** Records an observation, at most once a minute. */
    async record(kind: Observation, { workspace, generation }: Generation): Promise<void> {
      const key = `${kind} ${workspace} ${generation}`;
      const last = written.get(key);
      if (last !== undefined && isRecent(last, now(), WRITE_EVERY_MS)) return;
      written.set(key, now());
      await stores[kind].set(workspace, { generation, at: now() });
    },
    /** Removes all observations of a workspace. */
    async forget(workspace: string): Promise<void> {
      await Promise.all(Object.values(stores).map((store) => store.delete(workspace)));
    },
  };
}
