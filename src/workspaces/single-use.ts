/** Tracks names that can be used once. Only used names are stored, so a name that is never used leaves nothing. */
import { z } from 'zod';
import { byId, NO_WORKSPACE, NOT_STORED, type RecordStore } from '../outbox/record-store.ts';

export const UsedName = z.object({ workspace: z.literal(NO_WORKSPACE), id: z.string(), version: z.number() });
export type UsedName = z.infer<typeof UsedName>;

const REMOVED_AT_ONCE = 100;

export type SingleUse = ReturnType<typeof createSingleUse>;

export function createSingleUse(records: RecordStore<UsedName>) {
  const refOf = (id: string) => ({ workspace: NO_WORKSPACE, id }) as const;
  return {
    isUsed: async (name: string): Promise<boolean> => (await records.read(refOf(name))) !== undefined,
    /**
     * @param ms how long the use is remembered
     * @returns whether this was the first use: only one of several concurrent ones is
     */
    async use(name: string, ms: number): Promise<boolean> {
      const at = await records.now();
      const record = { ...refOf(name), version: NOT_STORED };
      const created = await records.create({ ...byId(record), at, dueAt: at + ms });
      return created.type === 'created';
    },
    /** Removes the uses whose time (`ms`) is over. */
    async sweep(): Promise<void> {
      for (;;) {
        const over = await records.due(REMOVED_AT_ONCE);
        for (const ref of over) await records.remove(ref);
        if (over.length < REMOVED_AT_ONCE) return;
      }
    },
  };
}
