/**
 * Removes old requests that have ended and of which nothing is still to be done (`hasEnded`), and audit entries that are as
 * old.
 */
import type { Log } from '../../outbox/ports.ts';
import { type Cursor, FROM_THE_OLDEST, listWorkspaces, newestFirst } from '../../outbox/record-store.ts';
import { hasEnded } from '../model/pending-effects.ts';
import { currentStep } from '../model/record.ts';
import type { Timings } from '../model/timings.ts';
import type { AuditStore, RecentRequestsStore, RequestStore } from '../ports/ports.ts';
import { newestRequests } from '../store/subjects.ts';
import { removeOutdated } from './requester.ts';

type Removing = {
  retentionMs: number;
  pause: () => Promise<void>;
  stopping: AbortSignal;
};

type RequestsDeps = Removing & { store: RequestStore; timings: Timings; log: Log };

/** `isStreaming`: whether the bot has an audit stream: an entry that is not there yet stays. */
type EntriesDeps = Removing & { auditEntries: AuditStore; isStreaming: boolean };

type RetentionDeps = RequestsDeps & EntriesDeps & { recentRequests: RecentRequestsStore };

/** Creates the periodic task that removes what is old. */
export function createRetention(deps: RetentionDeps): () => Promise<void> {
  const { store, recentRequests, auditEntries, isStreaming, stopping, log } = deps;
  const removals = [
    [store, removeEnded],
    [recentRequests, removeOutdated],
    [auditEntries, removeOldEntries],
    ...(isStreaming ? [] : [[auditEntries, removeLeftBehind] as const]),
  ] as const;
  return async () => {
    // The workspaces in the store: it may hold records of one that is no longer installed.
    for (const [records, remove] of removals)
      for await (const workspace of listWorkspaces(records)) {
        if (stopping.aborted) return;
        // An unreadable workspace must not stop the retention of all others.
        await remove(deps, workspace).catch((err) =>
          log.error({ workspace, err }, 'expired records not removed'),
        );
      }
  };
}

/** The start, in a list, of requests created before `cutoff`, epoch milliseconds: later ones can't be old. */
export const beforeCutoff = (cutoff: number): Cursor => ({ at: cutoff, id: '' });

/**
 * The number of requests, and of audit entries, that one run removes of a workspace: more than people make between two runs, and
 * so few that one workspace does not hold up the removal of what others have.
 */
const MOST_REMOVED = 5_000;

/**
 * Removes the requests of a workspace that ended more than `retentionMs` ago, each at the version read: a request that
 * somebody sends again in that moment stays.
 *
 * @param most the number of requests to remove; the next run goes on
 */
export async function removeEnded(
  { store, timings, retentionMs, pause, stopping, log }: RequestsDeps,
  workspace: string,
  most = MOST_REMOVED,
): Promise<void> {
  const cutoff = (await store.now()) - retentionMs;
  const before = beforeCutoff(cutoff);
  let removed = 0;
  for await (const record of newestRequests(store, { workspace, before })) {
    if (stopping.aborted || removed === most) break;
    if (currentStep(record).at >= cutoff || !hasEnded(record, timings)) continue;
    if ((await store.remove(record, record.version)) === 'removed') removed += 1;
    await pause();
  }
  if (removed > 0) log.info({ workspace, removed }, 'expired records removed');
}

/**
 * Removes the entries of the audit trail that were written more than `retentionMs` ago.
 *
 * @param most the number of entries to remove, as in `removeEnded`
 */
export async function removeOldEntries(
  { auditEntries, retentionMs, pause, stopping, isStreaming }: EntriesDeps,
  workspace: string,
  most = MOST_REMOVED,
): Promise<void> {
  const before = beforeCutoff((await auditEntries.now()) - retentionMs);
  let removed = 0;
  for await (const entry of newestFirst(auditEntries, { workspace, before }, ({ at }) => at)) {
    if (stopping.aborted || removed === most) return;
    if (isStreaming && !entry.isStreamed) continue;
    await auditEntries.remove(entry);
    removed += 1;
    await pause();
  }
}

/**
 * Removes the entries that an uninstall or a purge has left for the audit stream, if the bot no longer has one. They are
 * older than those that the workspace has since.
 */
async function removeLeftBehind(
  { auditEntries, pause, stopping }: EntriesDeps,
  workspace: string,
): Promise<void> {
  while (!stopping.aborted) {
    const [oldest] = await auditEntries.list(workspace, { after: FROM_THE_OLDEST, limit: 1 });
    if (!oldest?.isToBeRemoved) return;
    await auditEntries.remove(oldest);
    await pause();
  }
}
