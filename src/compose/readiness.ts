/** Reports why this replica is not ready, for GET /readyz. */
import type { Problem } from '../http/health.ts';
import type { Log } from '../outbox/ports.ts';

export type ReadinessDeps = {
  isStopping: () => boolean;
  isSlackReached: () => boolean;
  /** @throws if the storage can't be written */
  ping: () => Promise<void>;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Log;
};

/** The storage is tested at most once in so many milliseconds, however often readiness is asked. */
const REMEMBERED_MS = 500;

/** @returns the current problems; never rejects */
export function createReadiness(deps: ReadinessDeps): () => Promise<Problem[]> {
  let last: { at: number; isWritable: Promise<boolean> } | undefined;
  let wasWritable = true;

  async function write(): Promise<boolean> {
    try {
      await deps.ping();
      if (!wasWritable) deps.log.info({}, 'storage writable again');
      wasWritable = true;
      return true;
    } catch (err) {
      wasWritable = false;
      deps.log.error({ err }, 'storage not writable: this replica is not ready');
      return false;
    }
  }

  return async () => {
    const at = deps.monotonic();
    if (!last || at - last.at > REMEMBERED_MS) last = { at, isWritable: write() };
    return [
      ...((await last.isWritable) ? [] : (['storage'] as const)),
      ...(deps.isSlackReached() ? [] : (['slack'] as const)),
      ...(deps.isStopping() ? (['stopping'] as const) : []),
    ];
  };
}
