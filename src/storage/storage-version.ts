/**
 * Says which versions of Countermand can work on a storage, and whether a bot has become too old for it. The storage
 * names the oldest of them, by its SCHEMA_VERSION. A newer version leaves that number alone until the operator raises it,
 * so that replicas of both versions can run side by side and the way back stays open.
 */
import type { Log } from '../outbox/ports.ts';

/** The version of what is stored, in SQLite and in Redis. */
export const SCHEMA_VERSION = 15;

/** The oldest stored data that this version reads: of 0.5.0, the first release (test/stored has its fixtures). */
export const OLDEST_READABLE = 15;

/** Says in one sentence that this version of Countermand can't work on a storage. */
export class StorageVersionError extends Error {}

export type StorageVersion = ReturnType<typeof createStorageVersion>;

/**
 * Checks that this version can work on a storage.
 *
 * @param name of the storage, with which the sentence begins
 * @param oldest the oldest version that can, as the storage names it; 0: written before 0.5.0
 * @throws StorageVersionError
 */
export function mustBeUsable(name: string, oldest: number): void {
  mustNotBeRaised(name, oldest);
  if (oldest < OLDEST_READABLE)
    throw new StorageVersionError(
      `${name} was written by an older version of Countermand, which this one can't read.`,
    );
}

function mustNotBeRaised(name: string, oldest: number): void {
  if (oldest <= SCHEMA_VERSION) return;
  throw new StorageVersionError(
    `${name} needs a newer version of Countermand (storage version ${oldest}; this one has ${SCHEMA_VERSION}). Start that version, or restore a backup from before countermand upgrade-storage.`,
  );
}

/** @param oldest reads the number that the storage names @param write writes it */
export function createStorageVersion(
  name: string,
  oldest: () => Promise<number>,
  write: (oldest: number) => Promise<void>,
) {
  return {
    /** The oldest version that can work on the storage, and this one. */
    read: async () => ({ oldest: await oldest(), own: SCHEMA_VERSION }),
    /** @throws StorageVersionError if the storage was raised above this version */
    check: async () => mustNotBeRaised(name, await oldest()),
    /** Makes this version the oldest one. An older one that runs stops by itself. */
    raise: () => write(SCHEMA_VERSION),
  };
}

/** Whether the storage was raised above this version, which is then logged. An unavailable storage is left to readiness. */
export async function isRaised(version: StorageVersion, log: Log): Promise<boolean> {
  try {
    await version.check();
    return false;
  } catch (error) {
    if (!(error instanceof StorageVersionError)) return false;
    log.error({}, error.message);
    return true;
  }
}
