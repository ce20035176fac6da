/** Removes the claims of a bot: the crash test and the chaos run must notice. */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';

/** Keeps claims in memory only: they are lost with the process, and no other process sees them. */
export function withoutClaims(store: RequestStore): RequestStore {
  const claimed = new Map<string, RequestRecord>();
  return {
    ...store,
    get: async (ref) => {
      const record = claimed.get(ref.id);
      return record ? { record, now: await store.now() } : store.get(ref);
    },
    update: async (entry, expected) => {
      const { record } = entry;
      if (!record.claim) {
        claimed.delete(record.id);
        return store.update(entry, expected);
      }
      claimed.set(record.id, record);
      return { type: 'updated', version: record.version };
    },
  };
}
