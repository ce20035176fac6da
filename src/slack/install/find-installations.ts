/** Implements how the bot finds the installations made by OAuth. */
import type { HeldClaim } from '../../outbox/record-changes.ts';
import { ifUnopened } from '../../workspaces/cipher.ts';
import { isOrganization } from '../../workspaces/installation/installation-record.ts';
import type { InstallationStore, StoredInstallation } from '../../workspaces/installation/installations.ts';
import type { Organizations } from '../../workspaces/installation/organizations.ts';
import type { InstallationRef } from '../../workspaces/installation/uninstall-record.ts';
import type { AnswerAge, Installation, Installations } from '../client/installation.ts';
import type { IsListed } from './listed-workspaces.ts';
import type { Rotation } from './rotation.ts';

type Asking = {
  /** @returns an installation whose token is valid for a while */
  freshen: Rotation['freshen'];
  /** Whether Slack lists a workspace for an organization. */
  isListed: IsListed;
};

export function createStoredInstallations(
  store: InstallationStore,
  organizations: Organizations,
  asking: Asking,
): Omit<Installations, 'isBot'> {
  const { freshen } = asking;
  const serving = createServing(store, organizations);
  const { memberOf, organizationOf, servedAlone, setOrganization } = serving;
  const findJoined = createFindJoined(store, organizations, { ...asking, ...serving });

  /** Finds the workspace's own installation or, if there is none, that of its organization. */
  async function findStored(workspace: string): Promise<StoredInstallation | undefined> {
    const own = await store.get(workspace);
    if (own) return learnOf(store, organizations, own);
    const organization = await organizations.of(workspace);
    const orgWide = organization === undefined ? undefined : await store.get(organization);
    return orgWide?.orgWide ? orgWide : undefined;
  }

  /** @param named the organization that Slack names beside the workspace */
  async function findNamed(workspace: string, named: string | undefined, age: AnswerAge) {
    // Slack has named only an organization: no workspace's installation is meant.
    if (workspace === '') return undefined;
    if (named === undefined || (await memberOf(workspace)) === named) return findStored(workspace);
    return findJoined(workspace, named, age);
  }

  return {
    async find(workspace, organization, age = 'now') {
      const stored = await findNamed(workspace, organization, age);
      return stored && toInstallation(workspace, await freshen(stored));
    },
    memberOf,
    prepare: async () => ({ installed: 'OAuth' }),
    ids: () => store.ids(),
    workspacesOf: organizations.workspaces,
    hasOthers: (workspace) => hasMoreThan(workspace, servedIds(store, organizations)),
    servedBy: async (id) => ((await store.has(id)) ? id : organizationOf(id)),
    async installed({ workspace: id, organization }) {
      const facts = await store.facts(organization ?? id);
      if (!facts) return undefined;
      const { generation } = facts;
      if (organization === undefined) return { generation, workspaces: await servedAlone(facts) };
      // A workspace with an installation of its own, or of another organization, does not concern this one.
      if (await store.has(id)) return undefined;
      const serving = (await organizationOf(id)) ?? organization;
      return serving === organization ? { generation, workspaces: [id] } : undefined;
    },
    organizationOf,
    setOrganization,
    async token(id) {
      const stored = await store.get(id);
      return stored && (await freshen(stored)).tokens.bot;
    },
    isNotRenewed: async (id) => (await store.facts(id))?.refusedAt !== undefined,
    removeInstallation: (ref, claim) => remove({ store, organizations, organizationOf }, ref, claim),
    claimRemoval: (workspace, ms) => store.claim(workspace, 'removing', { ms }),
  };
}

type Joining = Asking & Pick<Serving, 'setOrganization'>;

/**
 * Creates the search for the installation of a workspace whose organization is not stored. That Slack names the two in one
 * payload proves nothing: the workspace may be another company's (listeners/concerned.ts), whose data the organization must not
 * get. So only what Slack lists for the organization counts, and is stored.
 */
function createFindJoined(
  store: InstallationStore,
  organizations: Organizations,
  { freshen, isListed, setOrganization }: Joining,
) {
  /**
   * Stores the organization of a workspace. This is postponed while an installation of either is being removed: Slack's next
   * request names the organization again.
   *
   * @returns the organization's installation; undefined if it was removed
   */
  async function learn(workspace: string, orgWide: StoredInstallation) {
    const { id } = orgWide;
    for (;;) {
      if ((await organizations.of(workspace)) === id) return orgWide;
      const [own, of] = await Promise.all([store.standing(workspace), store.standing(id)]);
      if (!own || !of) return orgWide;
      if (!of.installed?.orgWide) return undefined;
      if (await organizations.learn(workspace, id, [own.condition, of.condition])) return orgWide;
    }
  }

  return async (
    workspace: string,
    organization: string,
    age: AnswerAge,
  ): Promise<StoredInstallation | undefined> => {
    const orgWide = await store.get(organization).catch(ifUnopened('unreadable' as const));
    // Slack can't be asked with its token, which must not keep a workspace from its own installation.
    if (orgWide === 'unreadable') return store.get(workspace);
    if (!orgWide?.orgWide || !(await isListed(await freshen(orgWide), workspace, age))) return undefined;
    const joined = await learn(workspace, orgWide);
    const own = await store.get(workspace);
    if (!own) return joined;
    await setOrganization(workspace, organization);
    return own;
  };
}

/** Stores the organization of a workspace with its own installation, too: `workspacesOf` lists both. */
async function learnOf(store: InstallationStore, organizations: Organizations, own: StoredInstallation) {
  const { id, organization } = own;
  if (organization === undefined || (await organizations.of(id)) === organization) return own;
  const standing = await store.standing(id);
  if (standing?.installed?.organization === organization)
    await organizations.learn(id, organization, [standing.condition]);
  return own;
}

type Serving = ReturnType<typeof createServing>;

/** Finds the organizations of workspaces, and the workspaces that an installation serves alone. */
function createServing(store: InstallationStore, organizations: Organizations) {
  const memberOf = async (workspace: string): Promise<string | undefined> =>
    (await store.facts(workspace))?.organization ?? organizations.of(workspace);

  /** The organization that serves a workspace, or would without the workspace's own installation. */
  async function organizationOf(workspace: string): Promise<string | undefined> {
    const organization = await memberOf(workspace);
    const found = organization === undefined ? undefined : await store.facts(organization);
    return found?.orgWide ? organization : undefined;
  }

  async function servedAlone({ id, orgWide }: { id: string; orgWide: boolean }): Promise<string[]> {
    if (!orgWide) return (await organizationOf(id)) === undefined ? [id] : [];
    const served: string[] = [];
    for await (const workspace of organizations.workspaces(id))
      if (!(await store.has(workspace))) served.push(workspace);
    return served;
  }

  async function setOrganization(workspace: string, organization: string | undefined): Promise<void> {
    await store.setOrganization(workspace, organization);
    if (organization === undefined) await organizations.forget(workspace);
  }

  return { memberOf, organizationOf, servedAlone, setOrganization };
}

/** Lists the workspaces that have an installation, or whose organization has one. */
async function* servedIds(store: InstallationStore, organizations: Organizations): AsyncGenerator<string> {
  for await (const id of store.ids())
    if (isOrganization(id)) yield* organizations.workspaces(id);
    else yield id;
}

/** Whether there is an id besides this one. */
async function hasMoreThan(id: string, ids: AsyncIterable<string>): Promise<boolean> {
  for await (const other of ids) if (other !== id) return true;
  return false;
}

type RemovingDeps = {
  store: InstallationStore;
  organizations: Organizations;
  organizationOf: (workspace: string) => Promise<string | undefined>;
};

/**
 * Removes an installation. If an organization left one workspace, only the link of the two is removed.
 *
 * @returns whether the claim stood
 */
async function remove(
  { store, organizations, organizationOf }: RemovingDeps,
  { workspace: id, organization }: InstallationRef,
  claim: Pick<HeldClaim, 'owner'>,
): Promise<boolean> {
  if (organization !== undefined) {
    await organizations.leave(id, organization);
    return true;
  }
  const through = await organizationOf(id);
  // Stored before the installation is removed: after a crash in between, nothing would seem to serve the workspace.
  if (through !== undefined) await organizations.learn(id, through);
  const wasStillClaimed = await store.forget(id, claim);
  if (wasStillClaimed && through === undefined) await organizations.forget(id);
  return wasStillClaimed;
}

function toInstallation(workspace: string, { id, orgWide, tokens, botUserId }: StoredInstallation) {
  const installation: Installation = { workspace, botToken: tokens.bot, botUserId };
  return orgWide ? { ...installation, organization: id } : installation;
}
