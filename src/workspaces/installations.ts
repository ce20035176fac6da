/** Where Countermand is installed, and the bot token of each installation: in a workspace, or in a whole organization. */
import { randomUUID } from 'node:crypto';
import type Keyv from 'keyv';
import { z } from 'zod';
import type { Locks, Patience } from '../requests/locks.ts';
import type { Cipher } from './cipher.ts';
import { valuesOf } from './values-of.ts';

const Tokens = z.object({
  bot: z.string(),
  /** Where tokens rotate: what a new pair is given for, once. */
  refresh: z.string().optional(),
});
export type Tokens = z.infer<typeof Tokens>;

const Row = z.object({
  /** Of the workspace or, installed org-wide, of the organization. */
  id: z.string(),
  orgWide: z.boolean(),
  /** New with every installation, so that what is learnt of a former one is never said of it. */
  generation: z.string(),
  /** Tokens as JSON. */
  sealed: z.string(),
  /** When the bot token ends, epoch milliseconds; undefined: never. */
  expiresAt: z.number().optional(),
  botId: z.string(),
  botUserId: z.string(),
  installedBy: z.string(),
  /** Epoch milliseconds. */
  installedAt: z.number(),
});
type Row = z.infer<typeof Row>;

export type StoredInstallation = Omit<Row, 'sealed'> & { tokens: Tokens };

export type NewInstallation = Omit<StoredInstallation, 'generation' | 'installedAt'>;

export type InstallationStore = {
  /** What takes the place of an installation, or removes it, holds this. @throws LockedError */
  alone<T>(id: string, patience: Patience, act: () => Promise<T>): Promise<T>;
  /** Takes the place of whatever was installed there. @throws LockedError while that is being removed */
  add(installation: NewInstallation): Promise<void>;
  get(id: string): Promise<StoredInstallation | undefined>;
  /** Of a workspace: its own or, where there is none, that of its organization as far as that is known. */
  findFor(workspace: string): Promise<StoredInstallation | undefined>;
  /** Slack has named an organization with a workspace: background work knows the workspace alone. */
  learn(workspace: string, organization: string): Promise<void>;
  /** Only within `alone`. Does nothing where something else was installed since. */
  replaceTokens(
    installation: StoredInstallation,
    tokens: Tokens,
    expiresAt: number | undefined,
  ): Promise<void>;
  /** Only within `alone`. */
  remove(id: string): Promise<void>;
  /** The ids of all of them. */
  list(): Promise<string[]>;
  /** The workspaces that were seen to belong to an organization in which Countermand is installed. */
  workspacesOf(organization: string): Promise<string[]>;
  /** What is known of a workspace's organization goes. */
  unlearn(workspace: string): Promise<void>;
};

/** Replacing takes milliseconds; removing all that a workspace has left behind may take minutes. */
const ADDING: Patience = { heldMs: 30_000, waitMs: 10_000 };

/** @param stores keyv throws where the storage is away; what it holds is parsed again on the way in */
export function createInstallationStore(
  stores: { installations: Keyv; organizations: Keyv },
  { cipher, locks, now }: { cipher: Cipher; locks: Locks; now: () => number },
): InstallationStore {
  const readRow = async (id: string) => {
    const stored: unknown = await stores.installations.get(id);
    return stored === undefined ? undefined : Row.parse(stored);
  };
  const write = async (row: Row) => void (await stores.installations.set(row.id, row));
  const seal = (id: string, tokens: Tokens) => cipher.seal(id, JSON.stringify(tokens));
  const get = async (id: string) => {
    const row = await readRow(id);
    if (!row) return undefined;
    const { sealed, ...rest } = row;
    return { ...rest, tokens: Tokens.parse(JSON.parse(cipher.open(id, sealed))) };
  };
  const organizationOf = async (workspace: string) =>
    Membership.optional().parse(await stores.organizations.get(workspace))?.organization;
  const alone: InstallationStore['alone'] = (id, patience, act) =>
    locks.hold(`installation ${id}`, patience, act);

  return {
    alone,
    add: ({ tokens, ...rest }) =>
      alone(rest.id, ADDING, () =>
        write({ ...rest, generation: randomUUID(), sealed: seal(rest.id, tokens), installedAt: now() }),
      ),
    get,
    async findFor(workspace) {
      const own = await get(workspace);
      if (own) return own;
      const organization = await organizationOf(workspace);
      const found = organization === undefined ? undefined : await get(organization);
      return found?.orgWide ? found : undefined;
    },
    async learn(workspace, organization) {
      if ((await organizationOf(workspace)) === organization) return;
      await stores.organizations.set(workspace, { workspace, organization });
    },
    async replaceTokens({ id, generation }, tokens, expiresAt) {
      const row = await readRow(id);
      if (row?.generation !== generation) return;
      const { expiresAt: _former, ...rest } = row;
      await write({
        ...rest,
        sealed: seal(id, tokens),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
    },
    remove: async (id) => void (await stores.installations.delete(id)),
    list: async () => (await valuesOf(stores.installations, Row)).map(({ id }) => id),
    async workspacesOf(organization) {
      const all = await valuesOf(stores.organizations, Membership);
      return all.filter((each) => each.organization === organization).map(({ workspace }) => workspace);
    },
    unlearn: async (workspace) => void (await stores.organizations.delete(workspace)),
  };
}

/** A workspace of an organization. */
const Membership = z.object({ workspace: z.string(), organization: z.string() });
