/** Stores which workspaces belong to which organization, as far as Slack has told. */
import { z } from 'zod';
import type { Locks } from '../../requests/ports/locks.ts';
import { createRows, type IndexedStore, lockedRow } from '../rows.ts';

export type Organizations = {
  /** Lists the workspaces whose organization is known. */
  ids(): AsyncGenerator<string, void>;
  /** Returns the organization of a workspace. */
  of(workspace: string): Promise<string | undefined>;
  /**
   * Stores what Slack says of a workspace, because background work knows the workspace alone. Call it only while the
   * organization can't be removed.
   */
  learn(workspace: string, organization: string): Promise<void>;
  workspaces(organization: string): AsyncGenerator<string, void>;
  /** @param id the id of a workspace, or of an organization with all its workspaces */
  forget(id: string): Promise<void>;
};

const memberKey = (organization: string) => `member of ${organization}`;

export function createOrganizations(store: IndexedStore, locks: Locks): Organizations {
  const rows = createRows(store, {
    schema: z.string(),
    keysOf: (organization) => [memberKey(organization)],
    withLock: lockedRow(locks, 'organization of'),
  });

  async function* workspaces(organization: string) {
    for await (const { id, unreadable } of rows.having(memberKey(organization))) if (!unreadable) yield id;
  }

  return {
    ids: () => rows.ids(),
    of: rows.get,
    workspaces,
    learn: rows.put,
    async forget(id) {
      await rows.forget(id);
      for await (const workspace of rows.ids(memberKey(id)))
        await rows.change(workspace, (organization) => (organization === id ? undefined : organization));
    },
  };
}
