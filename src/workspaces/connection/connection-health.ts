/**
 * Records observations about a connection in use. They have keys of their own: the last one may win, and no observation is
 * worth a conflict with whoever connects.
 */
import type Keyv from 'keyv';
import { z } from 'zod';
import type { Generation } from './connection.ts';

/** `call`: the service accepted the token. `event`: a signed event arrived. */
export type Observation = 'call' | 'event';

export type ConnectionHealth = {
  /**
   * Returns the last observation, epoch milliseconds; undefined: none of this connection.
   *
   * @throws if the storage is unavailable
   */
  last(kind: Observation, of: Generation): Promise<number | undefined>;
  /** Records an observation, at most once a minute. @throws if the storage is unavailable: it was not written */
  record(kind: Observation, of: Generation): Promise<void>;
  /** Removes all observations of a workspace. @throws if the storage is unavailable */
  forget(workspace: string): Promise<void>;
};

/** An unreadable row counts as none, because nothing important depends on it. */
const StoredObservation = z.object({ generation: z.string(), at: z.number() });

/** Nobody needs it to the second, and a write for each call and event would be wasteful. */
const WRITE_EVERY_MS = 60_000;
const WORKSPACES_REMEMBERED = 10_000;

/** @param stores keyed by workspace, so that its observations can be removed by its id alone */
export function createConnectionHealth(
  stores: Record<Observation, Keyv>,
  now: () => number,
): ConnectionHealth {
  const written = new Map<string, number>();
  const write = (kind: Observation, { workspace, generation }: Generation) =>
    stores[kind].set(workspace, { generation, at: now() });

  return {
    async last(kind, { workspace, generation }) {
      const { data } = StoredObservation.safeParse(await stores[kind].get(workspace));
      return data?.generation === generation ? data.at : undefined;
    },
    async record(kind, of) {
      const key = `${kind} ${of.workspace} ${of.generation}`;
      const last = written.get(key);
      if (last !== undefined && last + WRITE_EVERY_MS > now()) return;
      if (written.size >= WORKSPACES_REMEMBERED) written.clear();
      written.set(key, now());
      await write(kind, of);
    },
    forget: async (workspace) =>
      void (await Promise.all(Object.values(stores).map((store) => store.delete(workspace)))),
  };
}
