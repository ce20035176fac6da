/** Implements installations that were made by OAuth. */
import { LockedError, type LockOptions } from '../../requests/ports/locks.ts';
import type { InstallationStore, StoredInstallation } from '../../workspaces/installation/installations.ts';
import type { Organizations } from '../../workspaces/installation/organizations.ts';
import type { InstallationRef } from '../../workspaces/installation/uninstall-record.ts';
import type { Installation, Installations } from '../client/installations.ts';
import type { Rotation } from './rotation.ts';
import { createServing } from './serving.ts';

/**
 * Learning takes milliseconds. If the installation is locked it is postponed: Slack's next request names the
 * organization again.
 */
const LEARNING: LockOptions = { ttlMs: 15_000, timeoutMs: 500 };

/** `freshen` returns an installation with a lasting token. */
export function createStoredInstallations(
  store: InstallationStore,
  organizations: Organizations,
  { freshen }: Pick<Rotation, 'freshen'>,
): Installations {
  const serving = createServing(store, organizations);

  /** Finds the workspace's own installation or, if there is none, that of its organization. */
  async function findStored(workspace: string, named: string | undefined) {
    // Slack has named only an organization, so the app is installed in no workspace.
    if (workspace === '') return undefined;
    const own = await store.get(workspace);
    if (own) return own;
    const organization = named ?? (await organizations.of(workspace));
    const orgWide = organization === undefined ? undefined : await store.get(organization);
    if (!orgWide?.orgWide) return undefined;
    return named === undefined ? orgWide : learn(workspace, orgWide);
  }

  /** Learns the organization of a workspace, unless it is being removed. @returns undefined if it was removed */
  async function learn(workspace: string, orgWide: StoredInstallation) {
    const { id } = orgWide;
    if ((await organizations.of(workspace)) === id) return orgWide;
    try {
      return await store.withLock(id, LEARNING, async () => {
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
    servedBy: async (id) => ((await store.has(id)) ? id : serving.organizationOf(id)),
    async installed({ workspace: id, organization }) {
      const facts = await store.facts(organization ?? id);
      if (!facts) return undefined;
      const { generation } = facts;
      if (organization === undefined) return { generation, workspaces: await serving.servedAlone(facts) };
      // A workspace's own installation does not concern the organization.
      return (await store.facts(id)) ? undefined : { generation, workspaces: [id] };
    },
    async token(left) {
      const stored = await store.get(installationOf(left));
      return stored && (await freshen(stored)).tokens.bot;
    },
    async remove({ workspace: id, organization }) {
      if (organization !== undefined) return organizations.forget(id);
      const through = await serving.organizationOf(id);
      // Learnt first: after a crash in between, nothing would seem to serve the workspace.
      if (through !== undefined) await organizations.learn(id, through);
      await store.forget(id);
      if (through === undefined) await organizations.forget(id);
    },
    withLock: (left, options, work) => store.withLock(installationOf(left), options, work),
  };
}

const installationOf = ({ workspace, organization }: InstallationRef) => organization ?? workspace;

function toInstallation(workspace: string, { id, orgWide, tokens, botId, botUserId }: StoredInstallation) {
  const installation: Installation = { workspace, botToken: tokens.bot, botId, botUserId };
  return orgWide ? { ...installation, organization: id } : installation;
}
