/** Stores the connections of workspaces, with what was last observed of them, and finds them by workspace, endpoint and token. */
import type Keyv from 'keyv';
import { z } from 'zod';
import { createCache } from '../../cache.ts';
import type { Log, Replicated } from '../../outbox/ports.ts';
import { type Condition, listWorkspaces, type RecordStore } from '../../outbox/record-store.ts';
import { type IncomingEvent, ownerOf, REQUESTS_CONSIDERED } from '../../requests/model/events-and-calls.ts';
import { subjectOf } from '../../requests/model/record.ts';
import type { RequestStore, Runtime } from '../../requests/ports/ports.ts';
import { type Cipher, ifUnopened, MissingTokenError } from '../cipher.ts';
import {
  type Connection,
  connectionRef,
  connectionSecrets,
  createSealedTokens,
  type Generation,
  readEndpointAddress,
} from './connection.ts';
import { connectionWrites } from './connection-writes.ts';
import { dropLeft, sweepTokens } from './stored-tokens.ts';
import { createTokenHolders, type Holder, type TokenHolders, type TokenRecord } from './token-record.ts';

type ConnectionsDeps = Pick<Runtime, 'now' | 'uuid'> & {
  records: RecordStore<Connection>;
  holders: RecordStore<TokenRecord>;
  /** Throws if the storage is unavailable. */
  tokens: Keyv;
  cipher: Cipher;
  replicated: Replicated;
};

export type Connections = ReturnType<typeof createConnections>;

/** Creates the store. Its functions throw z.ZodError if a record can't be read, and SealError if its secret can't be opened. */
export function createConnections({ records, cipher, now, uuid, ...deps }: ConnectionsDeps) {
  const secrets = connectionSecrets(cipher, now);
  const holders = createTokenHolders({ records: deps.holders, cipher, uuid });
  const sealed = createSealedTokens(deps.tokens, cipher);
  const stored = { holders, sealed, replicated: deps.replicated, uuid };
  const { find, findByEndpoint, token, withToken } = finding(records, sealed);
  const isLeft = (holder: Holder) => leftAsLongAs(find, holder);
  return {
    ...connectionWrites({ records, stored, secrets, token }),
    ...tokensOfOthers({ holders, find, token }),
    ids: () => listWorkspaces(records),
    find,
    findByEndpoint,
    token,
    withToken,
    async mustOpen(workspace: string): Promise<void> {
      const connection = await find(workspace);
      if (!connection) return;
      await token(connection);
      secrets.live(connection);
    },
    claim: holders.claim,
    dropLeft: (of: { workspace: string; token: string }): Promise<void> => dropLeft(stored, isLeft, of),
    secrets: secrets.live,
    isSecretLost: secrets.isLost,
    /** The connections whose pause is due. */
    due: records.due,
    postpone: records.postpone,
    sweep: (log: Log, stopping: AbortSignal): Promise<void> => sweepTokens(stored, isLeft, log, stopping),
  };
}

function finding(
  records: RecordStore<Connection>,
  sealed: { read(holder: Holder): Promise<string | undefined> },
) {
  const find = (workspace: string): Promise<Connection | undefined> => records.read(connectionRef(workspace));

  /** Returns the token; undefined if the workspace is disconnected, or was connected again meanwhile, or its token sealed anew. */
  async function token({ workspace, token: named }: Connection): Promise<string | undefined> {
    const opened = named && (await sealed.read({ workspace, generation: named.generation }));
    if (!named || opened !== undefined) return opened;
    if ((await find(workspace))?.token?.generation !== named.generation) return undefined;
    throw new MissingTokenError();
  }

  return {
    find,
    token,
    /** Returns the connection with its token; undefined if the workspace is not connected. */
    async withToken(workspace: string): Promise<{ connection: Connection; token: string } | undefined> {
      for (;;) {
        const connection = await find(workspace);
        if (!connection?.token) return undefined;
        const opened = await token(connection);
        // Undefined: the connection names another token since it was read.
        if (opened !== undefined) return { connection, token: opened };
      }
    },
    /** @param address the last part of the events URL */
    async findByEndpoint(address: string): Promise<Connection | undefined> {
      const named = readEndpointAddress(address);
      const connection = named && (await find(named.workspace));
      return connection?.endpoint === named?.endpoint ? connection : undefined;
    },
  };
}

type Finding = ReturnType<typeof finding>;

function tokensOfOthers({
  holders,
  find,
  token,
}: Pick<Finding, 'find' | 'token'> & { holders: TokenHolders }) {
  async function others(connection: Connection): Promise<Holder[]> {
    const own = await token(connection);
    return own === undefined ? [] : holders.others(own, connection.workspace);
  }
  return {
    /** Lists the other workspaces connected with the same token. */
    async *sharing(connection: Connection): AsyncGenerator<string, void> {
      for (const other of await others(connection)) if (await isNamed(find, other)) yield other.workspace;
    },
    /** Whether another workspace uses the same token, or is being connected with it. */
    isShared: async (connection: Connection): Promise<boolean> => (await others(connection)).length > 0,
  };
}

/** Whether the connection of a holder names its token; false for one that can't be read. */
const isNamed = (find: Finding['find'], { workspace, generation }: Holder): Promise<boolean> =>
  find(workspace).then((connection) => connection?.token?.generation === generation, ifUnopened(false));

function leftAsLongAs(
  find: Finding['find'],
  { workspace, generation }: Holder,
): Promise<Condition | undefined> {
  return find(workspace).then(
    (connection) =>
      connection?.token?.generation === generation
        ? undefined
        : { type: 'connections', ...connectionRef(workspace), version: connection?.version },
    ifUnopened(undefined),
  );
}

/** Returns the connection if it is still the current one and has a token. */
export async function findInForce(
  { find }: Pick<Connections, 'find'>,
  { workspace, generation }: Generation,
): Promise<Connection | undefined> {
  const connection = await find(workspace);
  return connection?.token && connection.generation === generation ? connection : undefined;
}

/** `call`: the service accepted the token. `event`: a signed event arrived. */
type Observation = 'call' | 'event';

/** An unreadable observation counts as none, because nothing important depends on it. */
const StoredObservation = z.object({ generation: z.string(), at: z.number() });

/** Nobody needs the time to the second, and a write for each call and event would be wasteful. */
const WRITE_EVERY_MS = 60_000;
const OBSERVATIONS_REMEMBERED = 10_000;

export type ConnectionHealth = ReturnType<typeof createConnectionHealth>;

/**
 * Stores the last observations of each connection outside of its record, because none is worth a write conflict with an admin who
 * connects.
 *
 * @param stores keyed by workspace, so that its observations can be removed by its id alone
 */
export function createConnectionHealth(
  stores: Record<Observation, Keyv>,
  { now, monotonic }: Pick<Runtime, 'now' | 'monotonic'>,
) {
  const written = createCache<true>(OBSERVATIONS_REMEMBERED, { ttlMs: WRITE_EVERY_MS, now: monotonic });
  return {
    /** Returns the last observation; undefined: none of this connection. */
    async last(kind: Observation, { workspace, generation }: Generation): Promise<number | undefined> {
      const { data } = StoredObservation.safeParse(await stores[kind].get(workspace));
      return data?.generation === generation ? data.at : undefined;
    },
    /** Records an observation, at most once a minute. */
    async record(kind: Observation, { workspace, generation }: Generation): Promise<void> {
      const key = `${kind} ${workspace} ${generation}`;
      if (written.has(key)) return;
      written.set(key, true);
      await stores[kind].set(workspace, { generation, at: now() });
    },
    /** Removes all observations of a workspace. */
    async forget(workspace: string): Promise<void> {
      await Promise.all(Object.values(stores).map((store) => store.delete(workspace)));
    },
  };
}

/**
 * Whether another workspace with the same token has requested what an event is about. The service reports every order of an
 * organization to all its endpoints, whichever workspace made the request. An event about another workspace's request is stored
 * as a notice, and not posted.
 *
 * No other code compares an event of one workspace with the requests of others (promise 6). This may, because it only makes the
 * workspace see less, and because a holder of the token sees the organization's orders anyway. It reads only the requests for
 * this order.
 *
 * @returns false unless it is certain: with another token the organization is unknown
 */
export async function requestedBySibling(
  { connections, listBySubject }: { connections: Connections; listBySubject: RequestStore['listBySubject'] },
  { workspace, kind, event }: IncomingEvent,
): Promise<boolean> {
  // The target lacks characters of the id that came, so that it may be the id of another order.
  if (event.isAltered) return false;
  try {
    const connection = await connections.find(workspace);
    if (!connection) return false;
    for await (const other of connections.sharing(connection)) {
      const { records } = await listBySubject(other, subjectOf(kind, event.target), REQUESTS_CONSIDERED);
      const ofThisKind = records.filter((each) => each.kind === kind);
      if (ownerOf(event, ofThisKind)) return true;
    }
    return false;
  } catch (error) {
    // The answer is unknown if stored data are permanently unreadable: the event must not be lost because of that.
    return ifUnopened(false)(error);
  }
}
