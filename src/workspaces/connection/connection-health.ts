/**
 * What is seen of a connection while it is used. It is kept under keys of its own: the row with the sealed token is
 * written by connect and disconnect alone, and nothing that is written here can bring back an older one.
 */
import type Keyv from 'keyv';
import { z } from 'zod';

/** `call`: the service knew the token. `event`: a signed one came. `refusal`: the service did not accept the token. */
export type Sighted = 'call' | 'event' | 'refusal';

/** What is learnt of one connection is never said of the next one of the same workspace. */
export type Generation = { workspace: string; generation: string };

export type Sightings = {
  /**
   * When it was seen last, epoch milliseconds; undefined: not since this connection was made.
   *
   * @throws where the storage is away
   */
  last(what: Sighted, of: Generation): Promise<number | undefined>;
  /** Within a minute it is written once. @throws where the storage is away: it was not written */
  note(what: 'call' | 'event', of: Generation): Promise<void>;
  /** @throws where the storage is away: it is not marked */
  markRefused(of: Generation): Promise<void>;
  /** Removes all that is kept of a workspace. @throws where the storage is away */
  forget(workspace: string): Promise<void>;
};

/** A row that can't be read is shown as none at all: it decides about nothing that matters. */
const Sighting = z.object({ generation: z.string(), at: z.number() });

/** Nobody reads it by the second, and a write for every call and event would be waste. */
const WRITE_EVERY_MS = 60_000;
const WORKSPACES_REMEMBERED = 10_000;

/** @param stores the key is the workspace: what is kept of it can be removed by its id alone */
export function createSightings(stores: Record<Sighted, Keyv>, now: () => number): Sightings {
  const written = new Map<string, number>();
  const write = (what: Sighted, { workspace, generation }: Generation) =>
    stores[what].set(workspace, { generation, at: now() });

  return {
    async last(what, { workspace, generation }) {
      const { data } = Sighting.safeParse(await stores[what].get(workspace));
      return data?.generation === generation ? data.at : undefined;
    },
    async note(what, of) {
      const key = `${what} ${of.workspace} ${of.generation}`;
      const last = written.get(key);
      if (last !== undefined && last + WRITE_EVERY_MS > now()) return;
      if (written.size >= WORKSPACES_REMEMBERED) written.clear();
      written.set(key, now());
      await write(what, of);
    },
    markRefused: async (of) => void (await write('refusal', of)),
    forget: async (workspace) =>
      void (await Promise.all(Object.values(stores).map((store) => store.delete(workspace)))),
  };
}
