/**
 * Removes old requests that have ended and of which nothing is still to be done (`hasEnded`), and audit entries that are as
 * old.
 */
import type { Log } from '../../outbox/ports.ts';
import { type Cursor, newestFirst } from '../../outbox/record-store.ts';
import { hasEnded, type Timings } from '../model/pending-effects.ts';
import { currentStep, type RequestRecord } from '../model/record.ts';
import type { AuditStore, RequestStore } from '../ports/ports.ts';

/** Whether a request has been in its current step since before `cutoff`, epoch milliseconds. */
const isOld = (record: RequestRecord, cutoff: number): boolean => currentStep(record).at < cutoff;

/** The start, in a list, of requests created before `cutoff`, epoch milliseconds: later ones can't be old. */
export const beforeCutoff = (cutoff: number): Cursor => ({ at: cutoff, id: '' });

export type RetentionDeps = {
  store: RequestStore;
  timings: Timings;
  retentionMs: number;
  /** Yields to other work: SQLite answers synchronously and would block it. */
  pause: () => Promise<void>;
  /** Aborted at shutdown. */
  stopping: AbortSignal;
};

/** `next`: where to continue if the run reached its bound; undefined if all requests were checked. */
export type Retained = { removed: number; next: Cursor | undefined };

const READ_AT_ONCE = 50;

/**
 * Removes the requests of a workspace that ended more than `retentionMs` ago, each at the version read: a request that
 * somebody sends again in that moment stays.
 *
 * @param from where the previous run stopped
 * @param most the largest number of records read
 */
export async function removeEnded(
  { store, timings, retentionMs, pause, stopping }: RetentionDeps,
  workspace: string,
  { from, most }: { from: Cursor | undefined; most: number },
): Promise<Retained> {
  const cutoff = (await store.now()) - retentionMs;
  let before = from ?? beforeCutoff(cutoff);
  let removed = 0;
  for (let read = 0; read < most && !stopping.aborted; read += READ_AT_ONCE) {
    const page = await store.list(workspace, { before, limit: READ_AT_ONCE });
    for (const record of page) {
      before = { at: record.createdAt, id: record.id };
      if (!isOld(record, cutoff) || !hasEnded(record, timings)) continue;
      if ((await store.remove(record, record.version)) === 'removed') removed += 1;
      await pause();
    }
    if (page.length < READ_AT_ONCE) return { removed, next: undefined };
    await pause();
  }
  return { removed, next: before };
}

/**
 * Removes the entries of the audit trail that were written more than `retentionMs` ago.
 *
 * @param isStreaming whether the bot has an audit stream: an entry that is not there yet stays
 */
export async function removeOldEntries(
  {
    auditEntries,
    retentionMs,
    pause,
    stopping,
    isStreaming,
  }: Omit<RetentionDeps, 'store' | 'timings'> & { auditEntries: AuditStore; isStreaming: boolean },
  workspace: string,
): Promise<void> {
  const before = beforeCutoff((await auditEntries.now()) - retentionMs);
  for await (const entry of newestFirst(auditEntries, { workspace, before }, ({ at }) => at)) {
    if (stopping.aborted) return;
    if (isStreaming && !entry.isStreamed) continue;
    await auditEntries.remove(entry);
    await pause();
  }
}

/** Requests that are read per workspace and run: more than arrive between two runs. */
const MOST_READ_IN_A_RUN = 5_000;

/**
 * Creates the periodic task that removes old requests.
 *
 * @param deps `workspaces`: the workspaces to check; one that is listed twice is checked twice
 * @returns the task, each run of which continues where the previous one stopped
 */
export function createRetention(
  deps: RetentionDeps & { workspaces: () => AsyncIterable<string>; log: Log },
): () => Promise<void> {
  const { log, stopping } = deps;
  const stoppedAt = new Map<string, Cursor>();

  async function run(workspace: string): Promise<void> {
    const { removed, next } = await removeEnded(deps, workspace, {
      from: stoppedAt.get(workspace),
      most: MOST_READ_IN_A_RUN,
    });
    if (next) stoppedAt.set(workspace, next);
    else stoppedAt.delete(workspace);
    if (removed > 0) log.info({ workspace, removed }, 'expired records removed');
  }

  return async () => {
    for await (const workspace of deps.workspaces()) {
      if (stopping.aborted) return;
      // An unreadable workspace must not stop the retention of all others.
      await run(workspace).catch((err) => log.error({ workspace, err }, 'expired records not removed'));
    }
  };
}
