/** Which workspaces an installation serves: its own, or those of its organization that have none of their own. */
import type { InstallationStore } from '../../workspaces/installation/installations.ts';
import type { Organizations } from '../../workspaces/installation/organizations.ts';

export type Serving = {
  /** The organization through which a workspace is served as well, or would be without an installation of its own. */
  organizationOf(workspace: string): Promise<string | undefined>;
  /** The workspaces that nothing else serves. */
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
      const alone: string[] = [];
      for await (const workspace of organizations.workspaces(id))
        if (!(await facts(workspace))) alone.push(workspace);
      return alone;
    },
  };
}
