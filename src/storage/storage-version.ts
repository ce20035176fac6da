/**
 * Says which versions of Countermand can work on a storage, and whether a bot has become too old for it. The storage
 * names the oldest of them, by its SCHEMA_VERSION. A newer version leaves that number alone until the operator raises it,
 * so that replicas of both versions can run side by side and the way back stays open.
 *
 * An older version can't read a record with a kind, state, note or notice that it does not know. So no new one may be stored
 * before the number (`read`) says that all replicas know it: see "Changes of stored data" in CONTRIBUTING.md.
 */
import type { Log } from '../outbox/ports.ts';

/** The version of what is stored, in SQLite and in Redis. */
export const SCHEMA_VERSION = 15;

/** The oldest stored data that this version reads: of 0.5.0, the first release (test/stored has its fixtures). */
export const OLDEST_READABLE = 15;

export type StorageVersion = ReturnType<typeof createStorageVersion>;

/**
 * Checks that this version can work on a storage.
 *
 * @param name of the storage, with which the sentence begins
 * @param oldest the oldest version that can, as the storage names it; 0: written before 0.5.0
 * @throws in one sentence, if it can't
 */
export function mustBeUsable(name: string, oldest: number): void {
  const raised = raisedText(name, oldest);
  if (raised) throw new Error(raised);
  if (oldest < OLDEST_READABLE)
    throw new Error(`${name} was written by an older version of Countermand, which this one can't read.`);
}

/** @returns undefined if the storage was not raised above this version */
const raisedText = (name: string, oldest: number): string | undefined =>
  oldest <= SCHEMA_VERSION
    ? undefined
    : `${name} needs a newer version of Countermand (storage version ${oldest}; this one has ${SCHEMA_VERSION}). Start that version, or restore a backup from before countermand upgrade-storage.`;

/** @param oldest reads the number that the storage names @param write writes it */
export function createStorageVersion(
  name: string,
  oldest: () => Promise<number>,
  write: (oldest: number) => Promise<void>,
) {
  return {
    /** The oldest version that can work on the storage, and this one. */
    read: async () => ({ oldest: await oldest(), own: SCHEMA_VERSION }),
    /** Whether the storage was raised above this version, which is then logged. An unavailable storage is left to readiness. */
    async isRaised(log: Log): Promise<boolean> {
      const raised = raisedText(name, await oldest().catch(() => 0));
      if (raised) log.error({}, raised);
      return raised !== undefined;
    },
    /** Makes this version the oldest one. An older version that runs stops by itself. */
    raise: () => write(SCHEMA_VERSION),
  };
}
