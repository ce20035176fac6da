/**
 * Use case: sending was paused or resumed. Has the cards of all unsent requests say so, and wakes what waits. What this
 * does not reach finds the pause by itself: a call before it begins, and a request that is held back every minute.
 */

import type { Cursor } from '../../../outbox/record-store.ts';
import { withPause } from '../../model/changes/hold.ts';
import { KIND_NAMES, type Kind } from '../../model/kinds.ts';
import type { Workspaces } from '../../ports/ports.ts';
import { type ChangeDeps, changeRecord } from '../../store/change-record.ts';
import { unsentSubject } from '../../store/entry.ts';

export type ShowPauseDeps = ChangeDeps & { workspaces: Pick<Workspaces, 'inForce'> };

/** Few, because the pause is read again before each page. */
const READ_AT_ONCE = 50;

/** @throws if the storage is unavailable: some cards may not say it */
export async function showPause(deps: ShowPauseDeps, workspace: string): Promise<void> {
  for (const kind of KIND_NAMES) await showInAll(deps, workspace, kind);
}

async function showInAll(deps: ShowPauseDeps, workspace: string, kind: Kind): Promise<void> {
  let before: Cursor | undefined;
  for (;;) {
    const { settings } = await deps.workspaces.inForce(workspace);
    const page = { subject: unsentSubject(kind), limit: READ_AT_ONCE, ...(before && { before }) };
    const records = await deps.store.list(workspace, page);
    for (const ref of records) {
      await changeRecord(deps, ref, (record, now) => ({
        record: withPause(record, settings.paused, now),
        result: undefined,
      }));
    }
    const last = records.at(-1);
    if (!last || records.length < READ_AT_ONCE) return;
    before = { at: last.createdAt, id: last.id };
  }
}
