/** Stores the connections of workspaces, and finds them by workspace, endpoint and token. */
import { createCache } from '../../cache.ts';
import type { Locks } from '../../requests/ports/locks.ts';
import type { Cipher } from '../cipher.ts';
import { resealEach, type Sealed } from '../rotate-keys.ts';
import { createRows, type IndexedStore, lockedRow, type Rows } from '../rows.ts';
import { Connection } from './connection.ts';
import { connectionSecrets } from './connection-secrets.ts';

export type NewConnection = Omit<Connection, 'token' | 'secrets'> & {
  token: string;
  /** A new secret; undefined: those of `before` stay. */
  secret: string | undefined;
};

export type Connections = Sealed & {
  has(workspace: string): Promise<boolean>;
  find(workspace: string): Promise<Connection | undefined>;
  findByEndpoint(endpoint: string): Promise<Connection | undefined>;
  /** @param before the replaced connection; its endpoint stays */
  save(connection: NewConnection, before: Connection | undefined): Promise<void>;
  /** Removes the token, unless the workspace was connected again; the endpoint and its secrets stay. */
  dropToken(connection: Connection): Promise<void>;
  /** Lists at least the workspaces whose connection has no token: an interrupted write may list too many. */
  disconnected(): AsyncGenerator<string, void>;
  /** Completes an interrupted removal: unlists a workspace without a connection. */
  unlist(workspace: string): Promise<void>;
  /** Removes the connection with its endpoint, unless the workspace was connected again. */
  remove(connection: Pick<Connection, 'workspace' | 'generation'>): Promise<void>;
  /** Removes a workspace's connection completely, readable or not. */
  forget(workspace: string): Promise<void>;
  /** Lists the other workspaces connected with the same token. */
  sharing(connection: Connection): AsyncGenerator<string, void>;
  /** Whether other workspaces use the same token, or may: an unreadable row counts. */
  isShared(connection: Connection): Promise<boolean>;
  /** Returns the token; undefined if the workspace is disconnected. */
  token(connection: Connection): string | undefined;
  /** Returns the secrets valid for events now. */
  secrets(connection: Connection): string[];
};

const ENDPOINTS_REMEMBERED = 10_000;

const DISCONNECTED = 'disconnected';
const endpointKey = (endpoint: string) => `endpoint ${endpoint}`;
const tokenKey = (fingerprint: string) => `token ${fingerprint}`;

const keysOf = ({ endpoint, token }: Connection) => [
  endpointKey(endpoint),
  token ? tokenKey(token.fingerprint) : DISCONNECTED,
];

/** @param store throws if the storage is unavailable */
export function createConnections(
  store: IndexedStore,
  { cipher, locks, now }: { cipher: Cipher; locks: Locks; now: () => number },
): Connections {
  const rows = createRows(store, { schema: Connection, keysOf, withLock: lockedRow(locks, 'connection') });
  const secrets = connectionSecrets(cipher, now);

  /** Lists the other rows that have, or may have, the token of a connection. */
  async function* holders(connection: Connection) {
    const token = secrets.token(connection);
    if (token === undefined) return;
    for (const fingerprint of cipher.fingerprints(token)) {
      for await (const holder of rows.having(tokenKey(fingerprint)))
        if (holder.id !== connection.workspace) yield holder;
    }
  }

  const changeRow = async (...change: Parameters<typeof rows.change>) => void (await rows.change(...change));

  /** Changes a connection, unless the workspace was connected again since. */
  const changeSame = (
    { workspace, generation }: Pick<Connection, 'workspace' | 'generation'>,
    decide: (row: Connection) => Connection | undefined,
  ) => changeRow(workspace, (row) => (row?.generation === generation ? decide(row) : row));

  return {
    ids: () => rows.ids(),
    has: rows.has,
    find: rows.get,
    findByEndpoint: finderByEndpoint(rows),
    save: ({ token, secret, ...rest }, before) =>
      changeRow(rest.workspace, (current) => {
        // Its secrets may have been resealed since it was read.
        const former = before && current?.endpoint === before.endpoint ? current : before;
        return {
          ...rest,
          token: secrets.sealToken(rest.workspace, token),
          secrets: secrets.next(rest.workspace, secret, former),
        };
      }),
    dropToken: (connection) => changeSame(connection, ({ token: _dropped, ...rest }) => rest),
    disconnected: () => rows.ids(DISCONNECTED),
    unlist: (workspace) => changeRow(workspace, (row) => row),
    remove: (connection) => changeSame(connection, () => undefined),
    forget: rows.forget,
    reseal: () =>
      resealEach(rows.ids(), (workspace) =>
        rows.change(workspace, (row) => row && (secrets.sealedAnew(row) ?? row)),
      ),
    async mustOpen(workspace) {
      const connection = await rows.get(workspace);
      if (!connection) return;
      secrets.token(connection);
      secrets.live(connection);
    },
    async *sharing(connection) {
      for await (const { id, unreadable } of holders(connection)) if (!unreadable) yield id;
    },
    async isShared(connection) {
      for await (const _holder of holders(connection)) return true;
      return false;
    },
    token: secrets.token,
    secrets: secrets.live,
  };
}

/** Tries the cached workspace first and falls back to the index. The row confirms either. */
function finderByEndpoint(rows: Pick<Rows<Connection>, 'get' | 'ids'>): Connections['findByEndpoint'] {
  const workspaceOf = createCache<string>(ENDPOINTS_REMEMBERED);
  const read = async (workspace: string, endpoint: string) => {
    const connection = await rows.get(workspace);
    return connection?.endpoint === endpoint ? connection : undefined;
  };
  return async (endpoint) => {
    const remembered = workspaceOf.get(endpoint);
    const known = remembered === undefined ? undefined : await read(remembered, endpoint);
    if (known) return known;
    for await (const workspace of rows.ids(endpointKey(endpoint))) {
      const connection = await read(workspace, endpoint);
      if (!connection) continue;
      workspaceOf.set(endpoint, workspace);
      return connection;
    }
    return undefined;
  };
}
