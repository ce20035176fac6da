/** Which workspaces belong to which organization, as far as Slack has named both together. */
import { z } from 'zod';
import type { Locks } from '../../requests/ports/locks.ts';
import { createRows, type IndexedStore, lockedRow } from '../rows.ts';

export type Organizations = {
  /** The workspaces whose organization is known. */
  ids(): AsyncGenerator<string, void>;
  /** The organization of a workspace. */
  of(workspace: string): Promise<string | undefined>;
  /**
   * Background work knows the workspace alone, so what Slack says of it is kept. Only while nobody can remove the
   * organization.
   */
  learn(workspace: string, organization: string): Promise<void>;
  workspaces(organization: string): AsyncGenerator<string, void>;
  /** @param id of a workspace, or of an organization with all of its workspaces */
  forget(id: string): Promise<void>;
};

const memberKey = (organization: string) => `member of ${organization}`;

export function createOrganizations(store: IndexedStore, locks: Locks): Organizations {
  const rows = createRows(store, {
    schema: z.string(),
    keysOf: (organization) => [memberKey(organization)],
    alone: lockedRow(locks, 'organization of'),
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
