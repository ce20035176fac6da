/**
 * Bounds what a workspace stores of events that belong to no request. Whoever has the events secret can send as many as they
 * like, each about another order: an order service that runs wild or, with OAuth, anybody who installs the app.
 */
import { createCache } from '../cache.ts';
import type { NoticeStore } from '../requests/ports/ports.ts';

/** About 100 MB, and 3,000 events a day, each of which is stored for 30 days. */
const MOST_NOTICES = 100_000;

/** To count them, SQLite reads the index of the workspace. */
const COUNTED_EVERY_MS = 60_000;
const WORKSPACES_REMEMBERED = 10_000;

type Deps = { notices: Pick<NoticeStore, 'count'>; monotonic: () => number };

/**
 * Creates the function that tells whether a workspace may store one more such event, which then counts.
 *
 * @param most the number of notices of a workspace. It is exceeded by what is stored while they are counted and, with several
 *   replicas, by what these store within a minute
 */
export function createRoomForEvents(
  { notices, monotonic }: Deps,
  most = MOST_NOTICES,
): (workspace: string) => Promise<boolean> {
  const counted = createCache<{ notices: number }>(WORKSPACES_REMEMBERED, {
    ttlMs: COUNTED_EVERY_MS,
    now: monotonic,
  });
  return async (workspace) => {
    const known = counted.get(workspace) ?? { notices: await notices.count(workspace) };
    if (!counted.has(workspace)) counted.set(workspace, known);
    if (known.notices >= most) return false;
    known.notices += 1;
    return true;
  };
}
