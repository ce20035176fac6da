/** The installations that OAuth has made, as the bot works with them. */
import { LockedError, type Patience } from '../../requests/ports/locks.ts';
import type { InstallationStore, StoredInstallation } from '../../workspaces/installation/installations.ts';
import type { Organizations } from '../../workspaces/installation/organizations.ts';
import type { Left } from '../../workspaces/installation/uninstall-record.ts';
import type { Installation, Installations } from '../client/installations.ts';
import type { Rotation } from './rotation.ts';
import { createServing } from './serving.ts';

/**
 * Learning takes milliseconds. Where somebody else is at work on the installation it is put off: the next thing that
 * Slack tells names the organization again.
 */
const LEARNING: Patience = { heldMs: 15_000, waitMs: 500 };

/** `freshen` gives back an installation whose token will last for a while. */
export function createStoredInstallations(
  store: InstallationStore,
  organizations: Organizations,
  { freshen }: Pick<Rotation, 'freshen'>,
): Installations {
  const serving = createServing(store, organizations);

  /** That of the workspace itself or, where there is none, that of its organization. */
  async function findStored(workspace: string, named: string | undefined) {
    // Slack has named none, only an organization: that is nowhere.
    if (workspace === '') return undefined;
    const own = await store.get(workspace);
    if (own) return own;
    const organization = named ?? (await organizations.of(workspace));
    const orgWide = organization === undefined ? undefined : await store.get(organization);
    if (!orgWide?.orgWide) return undefined;
    return named === undefined ? orgWide : learn(workspace, orgWide);
  }

  /** Nothing is learnt of an organization that is just being removed. @returns undefined where it was */
  async function learn(workspace: string, orgWide: StoredInstallation) {
    const { id } = orgWide;
    if ((await organizations.of(workspace)) === id) return orgWide;
    try {
      return await store.alone(id, LEARNING, async () => {
        const current = await store.get(id);
        if (!current?.orgWide) return undefined;
        await organizations.learn(workspace, id);
        return current;
      });
    } catch (error) {
      if (error instanceof LockedError) return orgWide;
      throw error;
    }
  }

  return {
    async find(workspace, organization) {
      const stored = await findStored(workspace, organization);
      return stored && toInstallation(workspace, await freshen(stored));
    },
    prepare: async () => ({ installed: 'OAuth', installations: await store.count() }),
    async *workspaces() {
      yield* store.ids();
      yield* organizations.ids();
    },
    async installed({ workspace: id, organization }) {
      const facts = await store.facts(organization ?? id);
      if (!facts) return undefined;
      const { generation } = facts;
      if (organization === undefined) return { generation, workspaces: await serving.servedAlone(facts) };
      // An installation of the workspace's own is none of the organization's business.
      return (await store.facts(id)) ? undefined : { generation, workspaces: [id] };
    },
    async token(left) {
      const stored = await store.get(installationOf(left));
      return stored && (await freshen(stored)).tokens.bot;
    },
    async remove({ workspace: id, organization }) {
      if (organization !== undefined) return organizations.forget(id);
      const through = await serving.organizationOf(id);
      await store.forget(id);
      if (through === undefined) await organizations.forget(id);
      else await organizations.learn(id, through);
    },
    alone: (left, patience, act) => store.alone(installationOf(left), patience, act),
  };
}

const installationOf = ({ workspace, organization }: Left) => organization ?? workspace;

function toInstallation(workspace: string, { id, orgWide, tokens, botId, botUserId }: StoredInstallation) {
  const installation: Installation = { workspace, botToken: tokens.bot, botId, botUserId };
  return orgWide ? { ...installation, organization: id } : installation;
}
