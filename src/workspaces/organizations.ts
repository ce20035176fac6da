/** Which workspaces belong to which organization, as far as Slack has named both together. */
import type Keyv from 'keyv';
import { z } from 'zod';
import { keysOf } from './entries-of.ts';

export type Organizations = {
  /** The organization of a workspace. */
  of(workspace: string): Promise<string | undefined>;
  /**
   * Background work knows the workspace alone, so what Slack says of it is kept. Only while nobody can remove the
   * organization.
   */
  learn(workspace: string, organization: string): Promise<void>;
  workspaces(organization: string): Promise<string[]>;
  /** @param id of a workspace, or of an organization with all of its workspaces */
  forget(id: string): Promise<void>;
};

export function createOrganizations(store: Keyv): Organizations {
  const of = async (workspace: string) =>
    z
      .string()
      .optional()
      .parse(await store.get(workspace));
  const workspaces = (organization: string) => keysOf(store, organization);
  return {
    of,
    workspaces,
    learn: async (workspace, organization) => void (await store.set(workspace, organization)),
    async forget(id) {
      for (const workspace of [id, ...(await workspaces(id))]) await store.delete(workspace);
    },
  };
}
