/** Finds the workspaces that an installation serves: its own, or those of its organization without one of their own. */
import type { InstallationStore } from '../../workspaces/installation/installations.ts';
import type { Organizations } from '../../workspaces/installation/organizations.ts';

export type Serving = {
  /** The organization that serves a workspace, or would without the workspace's own installation. */
  organizationOf(workspace: string): Promise<string | undefined>;
  /** The workspaces served by this installation alone. */
  servedAlone(installation: { id: string; orgWide: boolean }): Promise<string[]>;
};

export function createServing(
  { facts }: Pick<InstallationStore, 'facts'>,
  organizations: Organizations,
): Serving {
  async function organizationOf(workspace: string): Promise<string | undefined> {
    const organization = (await facts(workspace))?.organization ?? (await organizations.of(workspace));
    const found = organization === undefined ? undefined : await facts(organization);
    return found?.orgWide ? organization : undefined;
  }

  return {
    organizationOf,
    async servedAlone({ id, orgWide }) {
      if (!orgWide) return (await organizationOf(id)) === undefined ? [id] : [];
      const served: string[] = [];
      for await (const workspace of organizations.workspaces(id))
        if (!(await facts(workspace))) served.push(workspace);
      return served;
    },
  };
}
