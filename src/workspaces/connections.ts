/** A workspace's connection to the order service: its token, and the endpoint that its events come to. */
import type Keyv from 'keyv';
import { z } from 'zod';
import type { Cipher } from './cipher.ts';

export const TOKEN_KINDS = ['rest', 'graphql'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** How long a secret opens events after another one has taken its place: time to hand over the new one. */
export const FORMER_SECRET_MS = 24 * 60 * 60_000;

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

/** The secrets that open events now. @param now epoch milliseconds */
export function liveSecrets({ secrets }: Connection, now: number): Connection['secrets'] {
  return secrets.filter(({ replacedAt }) => replacedAt === undefined || replacedAt + FORMER_SECRET_MS > now);
}

export type NewConnection = Omit<Connection, 'token' | 'secrets'> & {
  token: string;
  /** A new secret; undefined: those of `before` stay as they are. */
  secret: string | undefined;
};

export type Connections = {
  find(workspace: string): Promise<Connection | undefined>;
  findByEndpoint(endpoint: string): Promise<Connection | undefined>;
  save(connection: NewConnection, before: Connection | undefined): Promise<void>;
  /** Takes the token away, unless the workspace was connected anew; the endpoint and its secrets stay. */
  dropToken(connection: Connection): Promise<void>;
  /** Removes the connection with its endpoint, unless the workspace was connected anew. */
  remove(connection: Connection): Promise<void>;
  /** The other workspaces that are connected with the same token. */
  sharing(connection: Connection): Promise<string[]>;
  /** Whether there are any. */
  isShared(connection: Connection): Promise<boolean>;
  /** Undefined where the workspace is disconnected. */
  token(connection: Connection): string | undefined;
  /** The secrets that open events now. */
  secrets(connection: Connection): string[];
};

/** @param stores keyv throws where the storage is away; what it holds is parsed again on the way in */
export function createConnections(
  stores: { connections: Keyv; endpoints: Keyv },
  cipher: Cipher,
  now: () => number,
): Connections {
  const find = async (workspace: string) => {
    const stored: unknown = await stores.connections.get(workspace);
    return stored === undefined ? undefined : Connection.parse(stored);
  };
  /**
   * keyv has no compare-and-set. So the row is read again right before it is changed, and what is left for another
   * admin's connection to be lost in is one round trip; connect.ts reads after it has written, and notices.
   */
  const findSame = async ({ workspace, generation }: Connection) => {
    const stored = await find(workspace);
    return stored?.generation === generation ? stored : undefined;
  };
  const sharing = async (connection: Connection) => {
    const token = open(connection);
    return token === undefined ? [] : holders(token, connection.workspace, stores.connections, cipher);
  };
  const open = ({ workspace, token }: Connection) => token && cipher.open(workspace, token.sealed);

  function nextSecrets(workspace: string, secret: string | undefined, before: Connection | undefined) {
    const former = before ? liveSecrets(before, now()) : [];
    if (secret === undefined) return former;
    const replaced = former.map((each) => ({ replacedAt: now(), ...each }));
    return [{ sealed: cipher.seal(workspace, secret) }, ...replaced];
  }

  return {
    find,
    async findByEndpoint(endpoint) {
      const workspace: unknown = await stores.endpoints.get(endpoint);
      const connection = typeof workspace === 'string' ? await find(workspace) : undefined;
      return connection?.endpoint === endpoint ? connection : undefined;
    },
    async save({ token, secret, ...rest }, before) {
      const { workspace, endpoint } = rest;
      const sealed = { sealed: cipher.seal(workspace, token), fingerprint: cipher.fingerprint(token) };
      const connection: Connection = {
        ...rest,
        token: sealed,
        secrets: nextSecrets(workspace, secret, before),
      };
      // The endpoint first: one that leads to no connection is a 404, a connection without its endpoint loses events.
      await stores.endpoints.set(endpoint, workspace);
      await stores.connections.set(workspace, connection);
    },
    async dropToken(connection) {
      const stored = await findSame(connection);
      if (!stored) return;
      const { token: _dropped, ...rest } = stored;
      await stores.connections.set(rest.workspace, rest);
    },
    async remove(connection) {
      const { workspace, endpoint } = connection;
      if (!(await findSame(connection))) return;
      await stores.connections.delete(workspace);
      // Whoever connects in between takes the endpoint over.
      if ((await find(workspace))?.endpoint !== endpoint) await stores.endpoints.delete(endpoint);
    },
    sharing,
    isShared: async (connection) => (await sharing(connection)).length > 0,
    token: open,
    secrets: (connection) =>
      liveSecrets(connection, now()).map(({ sealed }) => cipher.open(connection.workspace, sealed)),
  };
}

/** The workspaces that hold a token, but for one of them. */
async function holders(token: string, except: string, connections: Keyv, cipher: Cipher): Promise<string[]> {
  const found: string[] = [];
  for await (const [, stored] of allOf(connections)) {
    const { workspace, token: held } = Connection.parse(stored);
    if (workspace === except || held === undefined) continue;
    if (cipher.isFingerprintOf(held.fingerprint, token)) found.push(workspace);
  }
  return found;
}

/** @throws where the storage can't list what it holds: then nobody knows, and that is not "nothing" */
function allOf(store: Keyv): AsyncGenerator<[string, unknown]> {
  if (!store.iterator) throw new Error('This storage cannot list its connections.');
  return store.iterator(store.namespace) as AsyncGenerator<[string, unknown]>;
}
