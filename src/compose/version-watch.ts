/** Ends a bot that has become too old for its storage: a newer version was made the oldest one that may work on it. */
import type { Log } from '../outbox/ports.ts';
import type { Runtime } from '../requests/ports/ports.ts';
import { type StorageVersion, StorageVersionError } from '../storage/storage-version.ts';
import type { Running } from './scheduled-tasks.ts';

const EVERY_MS = 5_000;

type Deps = { version: StorageVersion; runtime: Pick<Runtime, 'after'>; log: Log };

/** @param onTooOld called once, after the log has said so */
export function createVersionWatch(
  { version, runtime, log }: Deps,
  onTooOld: () => void,
  everyMs = EVERY_MS,
): Running {
  let cancel = () => {};
  let checking = Promise.resolve();

  async function check(): Promise<void> {
    try {
      await version.check();
      next();
    } catch (error) {
      // The readiness check reports a storage that is away.
      if (!(error instanceof StorageVersionError)) return next();
      log.error({}, error.message);
      onTooOld();
    }
  }

  function next(): void {
    cancel = runtime.after(everyMs, () => {
      checking = check();
    });
  }

  return {
    start: next,
    async stop() {
      cancel();
      await checking;
      cancel();
    },
  };
}
