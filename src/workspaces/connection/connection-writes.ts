/** Writes the connections of workspaces by compare-and-set, each with its token, and with the audit entry of the act. */
import {
  type Further,
  isUnreadable,
  NOT_STORED,
  type RecordStore,
  writeRecord,
} from '../../outbox/record-store.ts';
import { audited } from '../../requests/store/audit-trail.ts';
import type { Resealing } from '../cipher.ts';
import {
  CONNECTION_ID,
  type Connection,
  connectionEntry,
  connectionFields,
  connectionRef,
  type connectionSecrets,
  type Generation,
} from './connection.ts';
import {
  type ConnectionWritten,
  dropToken,
  forgetTokens,
  nameToken,
  type StoredTokens,
  type WriteNamed,
} from './stored-tokens.ts';

export type NewConnection = Omit<Connection, 'id' | 'version' | 'token' | 'secrets' | 'pause'> & {
  token: string;
  /** A new secret; undefined: the secrets of the former connection stay. */
  secret: string | undefined;
  /** Whether the new secret ends the former ones at once. */
  endsFormer?: boolean | undefined;
};

type WriteDeps = {
  token: (connection: Connection) => Promise<string | undefined>;
  records: RecordStore<Connection>;
  stored: StoredTokens;
  secrets: ReturnType<typeof connectionSecrets>;
};

/** Creates the writes. Each is conditional on the version that was read: the second of two fails, and is decided anew. */
export function connectionWrites(deps: WriteDeps) {
  const { records, stored } = deps;

  /**
   * Changes a connection, unless the workspace was connected again.
   *
   * @param decide returns undefined to remove the connection
   * @param acts the audit entries of a change
   * @returns undefined if the connection was removed, or is not the current one
   */
  async function changeCurrent(
    { workspace, generation }: Generation,
    decide: (connection: Connection, now: number) => Connection | undefined,
    acts: (before: Connection, now: number) => Further[] = () => [],
  ): Promise<Connection | undefined> {
    for (;;) {
      const found = await records.get(connectionRef(workspace));
      if (found?.record.generation !== generation) return undefined;
      const { record, now } = found;
      const next = decide(record, now);
      if (next === record) return record;
      if (await replace(deps, record, next, acts(record, now))) return next;
    }
  }

  return {
    /**
     * Saves what an admin has connected, with its audit entry.
     *
     * @param before the replaced connection; its secrets stay valid if its endpoint stays, unless they are ended
     */
    save: (connection: NewConnection, before: Connection | undefined): Promise<ConnectionWritten> =>
      save(deps, connection, before),
    /** Notes that an admin is shown the secret, unless the workspace was connected again. */
    async noteSecretSeen(of: Generation): Promise<void> {
      await changeCurrent(of, withSeenSecrets);
    },
    /**
     * Changes a connection that has a token, unless the workspace was connected again.
     *
     * @param decide returns the same connection to change nothing; called again after a conflict
     * @returns the connection after that; undefined if there is no such connection any more
     */
    async change(
      of: Generation,
      decide: (connection: Connection, now: number) => Connection,
    ): Promise<Connection | undefined> {
      const after = await changeCurrent(of, (row, now) => (row.token ? decide(row, now) : row));
      return after?.token ? after : undefined;
    },
    /**
     * Removes the token, unless the workspace was connected again; the endpoint and its secrets stay.
     *
     * @param by the admin who disconnects, for the audit entry; undefined: the workspace was uninstalled, and has an entry for that
     */
    async dropToken(of: Generation, by: string | undefined): Promise<void> {
      const { workspace, generation } = of;
      await changeCurrent(of, withoutToken, (before, at) => {
        const act = { workspace, id: `disconnected:${generation}`, act: 'disconnected', at } as const;
        return by === undefined ? [] : audited([{ ...act, by: [by], from: connectionFields(before) }]);
      });
    },
    /** Removes the connection with its endpoint, unless the workspace was connected again. */
    async remove(of: Generation): Promise<void> {
      await changeCurrent(of, () => undefined);
    },
    /** Removes a workspace's connection completely, readable or not. */
    async forget(workspace: string): Promise<void> {
      const named = await records.read(connectionRef(workspace)).then(
        (connection) => connection?.token,
        (error) => (isUnreadable(error) ? undefined : Promise.reject(error)),
      );
      await stored.replicated(() => records.remove(connectionRef(workspace)));
      await forgetTokens(stored, workspace, named);
    },
    reseal: (workspace: string) => reseal(deps, workspace),
  };
}

async function save(
  { records, stored, secrets }: WriteDeps,
  { token, secret, endsFormer, ...rest }: NewConnection,
  before: Connection | undefined,
): Promise<ConnectionWritten> {
  const { workspace, endpoint, generation, connectedBy, tokenKind, exclusive } = rest;
  const former = before?.endpoint === endpoint && !endsFormer ? before : undefined;
  const ended = endsFormer && { formerSecretEnded: true };
  const to = { tokenKind, exclusive, newSecret: secret !== undefined, ...ended };
  const act = { workspace, id: `connected:${generation}`, by: [connectedBy], act: 'connected' } as const;
  const acts = audited([{ ...act, at: await records.now(), from: connectionFields(before), to }]);
  const write: WriteNamed = (named, provided) => {
    const sealed = { token: named, secrets: secrets.next(workspace, secret, former) };
    const next = { ...rest, ...sealed, id: CONNECTION_ID, version: before?.version ?? NOT_STORED } as const;
    return writeRecord(records, connectionEntry(next), provided, acts);
  };
  const saved = await stored.replicated(() => nameToken(stored, { workspace, token }, write));
  // A failure must not keep the admin from being shown the secret of the stored connection. The sweep drops what is left.
  if (saved === 'written' && before?.token) await dropToken(stored, before.token).catch(() => {});
  return saved;
}

/**
 * Writes or removes a connection, and then removes the token that it no longer names.
 *
 * @param next undefined: the connection is removed
 * @returns whether nobody else has written meanwhile
 */
async function replace(
  { records, stored }: WriteDeps,
  former: Connection,
  next: Connection | undefined,
  acts: readonly Further[],
): Promise<boolean> {
  const write = async () =>
    next
      ? (await writeRecord(records, connectionEntry(next), [], acts)).type === 'written'
      : (await records.remove(former, former.version)) === 'removed';
  if (!former.token || next?.token) return write();
  const isWritten = await stored.replicated(write);
  if (isWritten) await dropToken(stored, former.token);
  return isWritten;
}

const withSeenSecrets = (connection: Connection): Connection => ({
  ...connection,
  secrets: connection.secrets.map(({ unseen: _, ...secret }) => secret),
});

function withoutToken(connection: Connection): Connection {
  const { token, pause: _ended, ...rest } = connection;
  return token ? rest : connection;
}

/** Seals a connection by the first key, its token under a new generation. */
async function reseal(deps: WriteDeps, workspace: string): Promise<Resealing> {
  for (;;) {
    const found = await deps.records.get(connectionRef(workspace));
    if (!found) return 'current';
    const done = await tryToReseal(deps, found.record);
    if (done === 'revoking') return 'busy';
    if (done !== 'conflict') return done;
  }
}

async function tryToReseal(
  { records, stored, secrets, ...deps }: WriteDeps,
  connection: Connection,
): Promise<Resealing | 'conflict' | 'revoking'> {
  const { workspace, token: named } = connection;
  const token = await deps.token(connection);
  // Somebody has connected the workspace again, or disconnected it, since it was read.
  if (named && token === undefined) return 'conflict';
  const anew = secrets.sealedAnew(connection);
  const isCurrent = !named || (await stored.sealed.isCurrent(named.generation));
  if (isCurrent && !anew) return 'current';
  const next = { ...connection, secrets: anew ?? connection.secrets };
  const write: WriteNamed = (renamed, provided) =>
    writeRecord(records, connectionEntry({ ...next, token: renamed }), provided);
  const written = await (token === undefined
    ? writeRecord(records, connectionEntry(next)).then(({ type }) => type)
    : stored.replicated(() => nameToken(stored, { workspace, token }, write)));
  if (written === 'unmet') return 'conflict';
  if (written !== 'written') return written;
  if (named) await dropToken(stored, named);
  return 'resealed';
}
