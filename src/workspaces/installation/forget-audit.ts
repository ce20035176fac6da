/** Removes the audit trail of a workspace, but no entry before it is in the audit stream. */
import { z } from 'zod';
import type { RecordRef } from '../../outbox/record-store.ts';
import type { AuditStore } from '../../requests/ports/ports.ts';
import { auditEntry } from '../../requests/store/audit-trail.ts';
import { newestFirst } from '../../requests/store/newest-first.ts';
import { type Forget, forgetRecords } from './forget.ts';

/**
 * For a bot with an audit stream. An entry that is not there yet stays until the loop has written it. An entry that can't be
 * read can't be written there either, so the trail is removed as it is.
 *
 * @param pause yields to other work
 */
export function forgetStreamed(store: AuditStore, pause: () => Promise<void>): Forget {
  return async (workspace) => {
    try {
      for await (const entry of newestFirst(store, { workspace }, ({ at }) => at)) {
        await forgetEntry(store, entry);
        await pause();
      }
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
      await forgetRecords(store, pause)(workspace);
    }
  };
}

async function forgetEntry(store: AuditStore, ref: RecordRef): Promise<void> {
  for (;;) {
    const entry = (await store.get(ref))?.record;
    if (!entry || entry.isToBeRemoved) return;
    const done = entry.isStreamed
      ? await store.remove(entry, entry.version)
      : (await store.update(auditEntry({ ...entry, isToBeRemoved: true }), entry.version)).type;
    if (done !== 'conflict') return;
  }
}
