/** Tells what keeps this replica from doing its work, for GET /readyz. */
import type { Problem } from '../http/health.ts';
import type { Log } from '../requests/ports/ports.ts';

export type ReadinessDeps = {
  isStopping: () => boolean;
  isSlackReached: () => boolean;
  /** @throws where the storage can't be written */
  ping: () => Promise<void>;
  /** Milliseconds that only ever grow. */
  monotonic: () => number;
  log: Log;
};

/** The storage is written at most once in so many milliseconds, however often it is asked about. */
const REMEMBERED_MS = 500;

/** @returns what is in the way now, never rejecting */
export function createReadiness(deps: ReadinessDeps): () => Promise<Problem[]> {
  let last: { at: number; isWritable: Promise<boolean> } | undefined;

  async function write(): Promise<boolean> {
    try {
      await deps.ping();
      return true;
    } catch (err) {
      deps.log.error({ err }, 'the storage cannot be written: this replica is not ready');
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
