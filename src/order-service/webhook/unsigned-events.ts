/** Notices that the order service signs with a wrong secret: several events in an hour have no valid signature. */
import { createCache } from '../../cache.ts';
import type { Log } from '../../requests/ports/ports.ts';
import type { Endpoint } from './route.ts';

type Connected = Pick<Endpoint, 'workspace' | 'generation'>;

/** A single one may be somebody's mistake. */
const FAILURES = 3;
const HOUR_MS = 60 * 60_000;

/** Only endpoints that exist are counted, so that nobody else can push one out. */
const ENDPOINTS_REMEMBERED = 10_000;

type Deps = {
  /** Tells the admins. @throws if the storage is unavailable: they are told at the next failure */
  tell: (of: Connected) => Promise<void>;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Log;
};

/** @returns records a failed signature at a known endpoint; the admins are told once an hour at most */
export function createUnsignedEvents({ tell, monotonic, log }: Deps): (of: Connected) => Promise<void> {
  const failures = createCache<number[]>(ENDPOINTS_REMEMBERED);
  const told = createCache<number>(ENDPOINTS_REMEMBERED);
  return async ({ workspace, generation }) => {
    const key = `${workspace} ${generation}`;
    const now = monotonic();
    const isRecent = (at: number) => now - at < HOUR_MS;
    const recent = [...(failures.get(key) ?? []), now].filter(isRecent).slice(-FAILURES);
    failures.set(key, recent);
    if (recent.length < FAILURES || [told.get(key)].some((at) => at !== undefined && isRecent(at))) return;
    told.set(key, now);
    await tell({ workspace, generation }).catch((err) => {
      told.delete(key);
      log.error({ workspace, err }, 'admins not told of wrong signatures');
    });
  };
}
