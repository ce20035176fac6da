/** A workspace's connection to the order service: its token, and the endpoint that its events come to. */
import type Keyv from 'keyv';
import { z } from 'zod';
import type { Locks } from '../requests/locks.ts';
import type { Cipher } from './cipher.ts';
import { type ConnectionSecrets, connectionSecrets } from './connection-secrets.ts';
import { entriesOf, keysOf } from './entries-of.ts';
import { type Resealed, resealEach } from './rotate-keys.ts';

export const TOKEN_KINDS = ['rest', 'graphql'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

const SealedSecret = z.object({
  sealed: z.string(),
  /** When a newer one took its place, epoch milliseconds. */
  replacedAt: z.number().optional(),
});

const Connection = z.object({
  workspace: z.string(),
  /** New with every connect, so that what is learnt about one token is never said of another. */
  generation: z.string(),
  tokenKind: z.enum(TOKEN_KINDS),
  /** Nobody else uses the token, so it may be revoked one day. */
  exclusive: z.boolean(),
  /** Undefined once the workspace is disconnected: its endpoint lives on while reviews are pending. */
  token: z.object({ sealed: z.string(), fingerprint: z.string() }).optional(),
  /** The unguessable part of the events URL. */
  endpoint: z.string(),
  /** The newest first. More than one is live while a secret is being replaced. */
  secrets: z.array(SealedSecret).min(1),
  connectedBy: z.string(),
  /** Epoch milliseconds. */
  connectedAt: z.number(),
});
export type Connection = z.infer<typeof Connection>;

export type NewConnection = Omit<Connection, 'token' | 'secrets'> & {
  token: string;
  /** A new secret; undefined: those of `before` stay as they are. */
  secret: string | undefined;
};

/** Longer than a few answers of the storage take; whoever waits outlasts one that ended meanwhile. */
const ALONE = { heldMs: 10_000, waitMs: 12_000 };

export type Connections = {
  /** The workspaces that have a connection, though it may be a disconnected one. */
  list(): Promise<string[]>;
  find(workspace: string): Promise<Connection | undefined>;
  findByEndpoint(endpoint: string): Promise<Connection | undefined>;
  save(connection: NewConnection, before: Connection | undefined): Promise<void>;
  /** Takes the token away, unless the workspace was connected anew; the endpoint and its secrets stay. */
  dropToken(connection: Connection): Promise<void>;
  /** Removes the connection with its endpoint, unless the workspace was connected anew. */
  remove(connection: Connection): Promise<void>;
  /** Removes all that there is of a workspace's connection, whether it can be read or not. */
  forget(workspace: string): Promise<void>;
  /** Seals anew, by the first key, what was sealed by another one. */
  reseal(): Promise<Resealed>;
  /** The other workspaces that are connected with the same token. */
  sharing(connection: Connection): Promise<string[]>;
  /** Whether there are any. */
  isShared(connection: Connection): Promise<boolean>;
  /** Undefined where the workspace is disconnected. */
  token(connection: Connection): string | undefined;
  /** The secrets that open events now. */
  secrets(connection: Connection): string[];
};

type Stores = { connections: Keyv; endpoints: Keyv };
type Find = Connections['find'];
/** keyv has no compare-and-set, so whoever changes the row of a workspace reads it and writes it alone. */
type Alone = <T>(workspace: string, act: () => Promise<T>) => Promise<T>;

/** @param stores keyv throws where the storage is away; what it holds is parsed again on the way in */
export function createConnections(
  stores: Stores,
  { cipher, locks, now }: { cipher: Cipher; locks: Locks; now: () => number },
): Connections {
  const find: Find = async (workspace) => {
    const stored: unknown = await stores.connections.get(workspace);
    return stored === undefined ? undefined : Connection.parse(stored);
  };
  const alone: Alone = (workspace, act) => locks.hold(`connection ${workspace}`, ALONE, act);
  const secrets = connectionSecrets(cipher, now);
  const list = () => keysOf(stores.connections);
  const holdersOf = async (connection: Connection) => {
    const token = secrets.token(connection);
    if (token === undefined) return { workspaces: [], unreadable: false };
    return holders(token, connection.workspace, stores.connections, cipher);
  };
  const sharing = async (connection: Connection) => (await holdersOf(connection)).workspaces;

  return {
    list,
    find,
    async findByEndpoint(endpoint) {
      const workspace: unknown = await stores.endpoints.get(endpoint);
      const connection = typeof workspace === 'string' ? await find(workspace) : undefined;
      return connection?.endpoint === endpoint ? connection : undefined;
    },
    save: (connection, before) =>
      alone(connection.workspace, () => save(stores, { find, secrets }, connection, before)),
    ...removals(stores, find, alone),
    reseal: async () =>
      resealEach(await list(), (workspace) =>
        alone(workspace, () => reseal(stores, { find, secrets }, workspace)),
      ),
    sharing,
    async isShared(connection) {
      const { workspaces, unreadable } = await holdersOf(connection);
      return workspaces.length > 0 || unreadable;
    },
    token: secrets.token,
    secrets: secrets.live,
  };
}

type Writing = { find: Find; secrets: ConnectionSecrets };

async function save(
  { connections, endpoints }: Stores,
  { find, secrets }: Writing,
  { token, secret, ...rest }: NewConnection,
  before: Connection | undefined,
): Promise<void> {
  const { workspace, endpoint } = rest;
  const standing = await find(workspace);
  // Its secrets may have been sealed anew since it was read.
  const former = before && standing?.endpoint === before.endpoint ? standing : before;
  const connection: Connection = {
    ...rest,
    token: secrets.sealToken(workspace, token),
    secrets: secrets.next(workspace, secret, former),
  };
  // The endpoint first: one that leads to no connection is a 404, a connection without its endpoint loses events.
  await endpoints.set(endpoint, workspace);
  await connections.set(workspace, connection);
}

async function reseal(
  { connections }: Stores,
  { find, secrets }: Writing,
  workspace: string,
): Promise<'resealed' | 'current'> {
  const stored = await find(workspace);
  const anew = stored && secrets.sealedAnew(stored);
  if (!anew) return 'current';
  await connections.set(workspace, anew);
  return 'resealed';
}

function removals(
  { connections, endpoints }: Stores,
  find: Find,
  alone: Alone,
): Pick<Connections, 'dropToken' | 'remove' | 'forget'> {
  const findSame = async ({ workspace, generation }: Connection) => {
    const stored = await find(workspace);
    return stored?.generation === generation ? stored : undefined;
  };
  return {
    dropToken: (connection) =>
      alone(connection.workspace, async () => {
        const stored = await findSame(connection);
        if (!stored) return;
        const { token: _dropped, ...rest } = stored;
        await connections.set(rest.workspace, rest);
      }),
    // The endpoint first, in both: where this is cut short, the connection is still there to be removed again.
    remove: (connection) =>
      alone(connection.workspace, async () => {
        const stored = await findSame(connection);
        if (!stored) return;
        await endpoints.delete(stored.endpoint);
        await connections.delete(stored.workspace);
      }),
    forget: (workspace) =>
      alone(workspace, async () => {
        for (const endpoint of await keysOf(endpoints, workspace)) await endpoints.delete(endpoint);
        await connections.delete(workspace);
      }),
  };
}

/** The workspaces that hold a token, but for one of them. */
/** @returns `unreadable`: there is one that can't be read, and may hold it, too */
async function holders(token: string, except: string, connections: Keyv, cipher: Cipher) {
  const workspaces: string[] = [];
  let unreadable = false;
  for await (const [key, stored] of entriesOf(connections)) {
    if (key === except) continue;
    const { data: other } = Connection.safeParse(stored);
    unreadable ||= other === undefined;
    const fingerprint = other?.token?.fingerprint;
    if (fingerprint !== undefined && cipher.isFingerprintOf(fingerprint, token)) workspaces.push(key);
  }
  return { workspaces, unreadable };
}
