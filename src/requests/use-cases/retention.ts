/** How long requests are kept: those that have ended are removed after a while, those that are open never are. */
import { dueAt, type Timings } from '../model/pending-effects.ts';
import { currentStep, type RequestRecord } from '../model/record.ts';
import { STATES } from '../model/states.ts';
import type { Log, RequestStore } from '../ports/ports.ts';
import type { Cursor } from '../ports/record-store.ts';

/** Whether nothing can come of a request by itself any more: neither approval, the service nor Slack is waited for. */
export function hasEnded(record: RequestRecord, timings: Timings): boolean {
  return !STATES[record.state].slot && dueAt(record, timings) === undefined;
}

/** Whether a request has been as it is now since before `cutoff`, epoch milliseconds. */
const isOld = (record: RequestRecord, cutoff: number): boolean => currentStep(record).at < cutoff;

/** Whether it is kept although its time is over, because somebody has to see to it first. */
export function isOverdue(record: RequestRecord, cutoff: number, timings: Timings): boolean {
  return isOld(record, cutoff) && !hasEnded(record, timings);
}

/** Where what was asked before `cutoff` begins in a list: nothing that was asked later can be old. */
export const beforeCutoff = (cutoff: number): Cursor => ({ at: cutoff, id: '' });

export type RetentionDeps = {
  store: RequestStore;
  timings: Timings;
  retentionMs: number;
  /** Lets others have their turn: SQLite answers at once, and would keep them all waiting. */
  pause: () => Promise<void>;
  /** Aborted at shutdown. */
  stopping: AbortSignal;
};

/** `next`: where to go on where the bound of a run was reached; undefined where all was looked through. */
export type Retained = { removed: number; next: Cursor | undefined };

const READ_AT_ONCE = 50;

/**
 * Removes the requests of a workspace that ended more than `retentionMs` ago, each as it was read: one that somebody
 * takes up again in that moment stays.
 *
 * @param from where the run before this one stopped
 * @param most how many records are read
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
      before = { at: record.askedAt, id: record.id };
      if (!isOld(record, cutoff) || !hasEnded(record, timings)) continue;
      if ((await store.remove(record, record.version)) === 'removed') removed += 1;
      await pause();
    }
    if (page.length < READ_AT_ONCE) return { removed, next: undefined };
    await pause();
  }
  return { removed, next: before };
}

/** Of one workspace in one run: more than comes in while it waits for the next one. */
const MOST_READ = 5_000;

/**
 * @param deps `workspaces`: whose requests are looked through; one that comes twice is looked through twice
 * @returns what is to be run now and then; it goes on where the run before it stopped
 */
export function createRetention(
  deps: RetentionDeps & { workspaces: () => AsyncIterable<string>; log: Log },
): () => Promise<void> {
  const { log, stopping } = deps;
  const stoppedAt = new Map<string, Cursor>();

  async function run(workspace: string): Promise<void> {
    const { removed, next } = await removeEnded(deps, workspace, {
      from: stoppedAt.get(workspace),
      most: MOST_READ,
    });
    if (next) stoppedAt.set(workspace, next);
    else stoppedAt.delete(workspace);
    if (removed > 0) log.info({ workspace, removed }, 'requests that ended long ago were removed');
  }

  return async () => {
    for await (const workspace of deps.workspaces()) {
      if (stopping.aborted) return;
      // One that can't be read must not keep those of all others.
      await run(workspace).catch((err) => log.error({ workspace, err }, 'what has ended was not removed'));
    }
  };
}
