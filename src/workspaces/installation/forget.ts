/** Use case: nothing is kept of a workspace any more. */
import type { RecordStore, Stored } from '../../requests/ports/record-store.ts';

/** Forgets one kind of things. It may be run again, and while others are still at work on what it forgets. */
export type Forget = (workspace: string) => Promise<void>;

/**
 * What was under way in this moment may still write something down: run again a minute later, it finds that, too.
 *
 * @param forgets in their order: first what lets more come in (the connection: nothing is asked or heard without it), and
 *   last what tells the next run that there is something left, where this one is cut short
 * @throws where the storage is away: it has to be run again
 */
export async function forgetWorkspace(forgets: readonly Forget[], workspace: string): Promise<void> {
  for (const forget of forgets) await forget(workspace);
}

const AT_ONCE = 200;

/** @param pause lets others have their turn: SQLite answers at once, and would keep them all waiting */
export function forgetRecords<R extends Stored>(
  store: Pick<RecordStore<R>, 'removeSome'>,
  pause: () => Promise<void>,
): Forget {
  return async (workspace) => {
    while ((await store.removeSome(workspace, AT_ONCE)) > 0) await pause();
  };
}
