/** Stores the organization of each workspace, as far as Slack has told, in a record that belongs to no workspace. */
import { z } from 'zod';
import {
  byId,
  type Condition,
  listById,
  NO_WORKSPACE,
  NOT_STORED,
  type RecordStore,
  writeRecord,
} from '../../outbox/record-store.ts';

export const MembershipRecord = z.object({
  workspace: z.literal(NO_WORKSPACE),
  /** The id of the workspace that belongs to the organization. */
  id: z.string(),
  version: z.number(),
  organization: z.string(),
});
export type MembershipRecord = z.infer<typeof MembershipRecord>;

export type Organizations = ReturnType<typeof createOrganizations>;

const refOf = (id: string) => ({ workspace: NO_WORKSPACE, id }) as const;

export function createOrganizations(records: RecordStore<MembershipRecord>) {
  const read = (workspace: string) => records.read(refOf(workspace));

  return {
    of: async (workspace: string): Promise<string | undefined> => (await read(workspace))?.organization,
    async *workspaces(organization: string): AsyncGenerator<string, void> {
      for await (const { id } of listById(records, NO_WORKSPACE, organization)) yield id;
    },
    /**
     * Stores the organization that Slack names for a workspace, because background work knows the workspace alone.
     *
     * @returns whether the conditions were met; otherwise nothing was written
     */
    async learn(
      workspace: string,
      organization: string,
      conditions: readonly Condition[] = [],
    ): Promise<boolean> {
      for (;;) {
        const known = await read(workspace);
        if (known?.organization === organization) return true;
        const record = { ...refOf(workspace), version: known?.version ?? NOT_STORED, organization };
        const entry = { ...byId(record), subjects: [organization] };
        const written = await writeRecord(records, entry, conditions);
        if (written.type !== 'conflict') return written.type === 'written';
      }
    },
    /** Forgets that a workspace belongs to this organization. A workspace that has joined another one stays there. */
    async leave(workspace: string, organization: string): Promise<void> {
      const known = await read(workspace);
      if (known?.organization === organization) await records.remove(known, known.version);
    },
    /** @param id the id of a workspace, or of an organization with all its workspaces */
    async forget(id: string): Promise<void> {
      await records.remove(refOf(id));
      // A workspace that has just joined another organization stays.
      for await (const record of listById(records, NO_WORKSPACE, id))
        await records.remove(record, record.version);
    },
  };
}
