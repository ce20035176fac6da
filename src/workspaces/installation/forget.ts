/** Use case: all data of a workspace are removed, its audit trail last. */
import { isUnreadable, newestFirst, type RecordStore, type Stored } from '../../outbox/record-store.ts';
import type { AuditEntry } from '../../requests/model/audit-entry.ts';
import type { AuditStore } from '../../requests/ports/ports.ts';
import { changeEntry } from '../../requests/store/audit-trail.ts';

/**
 * Removes one kind of data. Repeatable, even while other tasks still write such data.
 *
 * @param mayGoOn as for `forgetWorkspace`: asked in between where the data may be many
 */
export type Forget = (workspace: string, mayGoOn?: () => Promise<boolean>) => Promise<void>;

const ALWAYS = async () => true;

/**
 * Removes all data of a workspace. A task under way may still write something, so a second run a minute later removes
 * that, too.
 *
 * @param forgets in this order: first what lets new data in (the connection: without it nothing is requested or
 *   received), and last what tells the next run, if this one is interrupted, that data are left
 * @param mayGoOn asked before each part: somebody may have installed the app while this process was frozen
 * @returns false if `mayGoOn` did: it must be run again, as it must if it throws
 */
export async function forgetWorkspace(
  forgets: readonly Forget[],
  workspace: string,
  mayGoOn: () => Promise<boolean> = ALWAYS,
): Promise<boolean> {
  for (const forget of forgets) {
    if (!(await mayGoOn())) return false;
    await forget(workspace, mayGoOn);
  }
  return true;
}

const REMOVED_AT_ONCE = 200;

/** Creates the function that removes a workspace's records of one type. @param pause lets other work run in between */
export function forgetRecords<R extends Stored>(
  store: Pick<RecordStore<R>, 'removeSome'>,
  pause: () => Promise<void>,
): Forget {
  return async (workspace, mayGoOn = ALWAYS) => {
    while ((await mayGoOn()) && (await store.removeSome(workspace, REMOVED_AT_ONCE)) > 0) await pause();
  };
}

/**
 * Creates the function that removes the audit trail of a workspace where there is an audit stream. An entry that is not in the
 * stream yet stays until the loop has written it there. If an entry can't be read, it can't be written there either, so the whole
 * trail is removed.
 */
export function forgetStreamed(store: AuditStore, pause: () => Promise<void>): Forget {
  return async (workspace, mayGoOn = ALWAYS) => {
    try {
      for await (const entry of newestFirst(store, { workspace }, ({ at }) => at)) {
        if (!(await mayGoOn())) return;
        await changeEntry(store, entry, forgotten);
        await pause();
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      await forgetRecords(store, pause)(workspace, mayGoOn);
    }
  };
}

const forgotten = (entry: AuditEntry): AuditEntry | undefined => {
  if (entry.isToBeRemoved) return entry;
  return entry.isStreamed ? undefined : { ...entry, isToBeRemoved: true };
};
