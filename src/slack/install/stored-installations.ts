/** The installations that OAuth has made, as the bot works with them. */
import type { InstallationStore, StoredInstallation } from '../../workspaces/installations.ts';
import type { Organizations } from '../../workspaces/organizations.ts';
import type { Installation, Installations } from '../installations.ts';

/** @param freshen gives back an installation whose token will last for a while */
export function createStoredInstallations(
  store: InstallationStore,
  organizations: Organizations,
  freshen: (stored: StoredInstallation) => Promise<StoredInstallation>,
): Installations {
  /** That of the workspace itself or, where there is none, that of its organization. */
  async function findStored(workspace: string, named: string | undefined) {
    const own = await store.get(workspace);
    if (own) return own;
    const organization = named ?? (await organizations.of(workspace));
    const orgWide = organization === undefined ? undefined : await store.get(organization);
    if (!orgWide?.orgWide) return undefined;
    if (named !== undefined) await organizations.learn(workspace, named);
    return orgWide;
  }

  const isOrgWide = async (id: string | undefined) =>
    id !== undefined && (await store.facts(id))?.orgWide === true;

  /** The organization through which a workspace is served, too, beside an installation of its own. */
  async function servingToo(workspace: string): Promise<string | undefined> {
    const own = await store.facts(workspace);
    const organization = own?.organization ?? (await organizations.of(workspace));
    return (await isOrgWide(organization)) ? organization : undefined;
  }

  async function servedAlone(id: string, orgWide: boolean): Promise<string[]> {
    if (!orgWide) return (await servingToo(id)) === undefined ? [id] : [];
    const all = await organizations.workspaces(id);
    const own = await Promise.all(all.map((workspace) => store.facts(workspace)));
    return all.filter((_workspace, n) => own[n] === undefined);
  }

  return {
    async find(workspace, organization) {
      const stored = await findStored(workspace, organization);
      return stored && toInstallation(workspace, await freshen(stored));
    },
    prepare: async () => ({ installed: 'OAuth', installations: (await store.list()).length }),
    async workspaces() {
      const ids = await store.list();
      const members = await Promise.all(ids.map(organizations.workspaces));
      return [...new Set([...ids, ...members.flat()])];
    },
    async installed(id) {
      const facts = await store.facts(id);
      if (!facts) return undefined;
      return { generation: facts.generation, workspaces: await servedAlone(id, facts.orgWide) };
    },
    async token(id) {
      const stored = await store.get(id);
      return stored && (await freshen(stored)).tokens.bot;
    },
    async remove(id) {
      const organization = await servingToo(id);
      await store.forget(id);
      if (organization === undefined) await organizations.forget(id);
      else await organizations.learn(id, organization);
    },
    alone: store.alone,
  };
}

function toInstallation(workspace: string, { id, orgWide, tokens, botId, botUserId }: StoredInstallation) {
  const installation: Installation = { workspace, botToken: tokens.bot, botId, botUserId };
  return orgWide ? { ...installation, organization: id } : installation;
}
