/** Stores the connections of workspaces, and finds them by workspace, endpoint and token. */
import type Keyv from 'keyv';
import type { Log } from '../../outbox/ports.ts';
import { listWorkspaces, type RecordRef, type RecordStore } from '../../outbox/record-store.ts';
import type { Runtime } from '../../requests/ports/ports.ts';
import { type Cipher, SealError } from '../cipher.ts';
import { isUnopened, type Sealed } from '../rotate-keys.ts';
import { type Connection, connectionRef, connectionSecrets, readEndpointAddress } from './connection.ts';
import { type ConnectionWrites, connectionWrites } from './connection-writes.ts';
import { createSealedTokens, sweepTokens } from './token/stored-tokens.ts';
import {
  type ClaimToken,
  createClaimToken,
  createTokenHolders,
  createTokenRecords,
  type Holder,
  type TokenHolders,
  type TokenRecord,
} from './token/token-record.ts';

export type Connections = Sealed &
  ConnectionWrites & {
    has(workspace: string): Promise<boolean>;
    find(workspace: string): Promise<Connection | undefined>;
    /** @param address the last part of the events URL */
    findByEndpoint(address: string): Promise<Connection | undefined>;
    /** Lists the other workspaces connected with the same token. */
    sharing(connection: Connection): AsyncGenerator<string, void>;
    /** Whether other workspaces use the same token, or may: also one that is being connected. */
    isShared(connection: Connection): Promise<boolean>;
    /** Claims the revocation of a token of a workspace. */
    claim: ClaimToken;
    /** Returns the token; undefined if the workspace is disconnected, or was connected again meanwhile. */
    token(connection: Connection): Promise<string | undefined>;
    /** Returns the secrets valid for events now. @throws SealError if the newest can't be opened */
    secrets(connection: Connection): string[];
    /** Whether the key is lost that opens the newest of them. */
    isSecretLost(connection: Connection): boolean;
    /** The connections whose pause is due. */
    due(limit: number): Promise<RecordRef[]>;
    postpone(ref: RecordRef, ms: number): Promise<void>;
    /** Removes the tokens that no connection names, after whatever was cut short. */
    sweep(log: Log, stopping: AbortSignal): Promise<void>;
  };

type ConnectionsDeps = Pick<Runtime, 'now' | 'uuid'> & {
  records: RecordStore<Connection>;
  holders: RecordStore<TokenRecord>;
  /** Throws if the storage is unavailable. */
  tokens: Keyv;
  cipher: Cipher;
};

export function createConnections({ records, cipher, now, uuid, ...deps }: ConnectionsDeps): Connections {
  const secrets = connectionSecrets(cipher, now);
  const tokenRecords = createTokenRecords(deps.holders);
  const holders = createTokenHolders(tokenRecords, cipher);
  const sealed = createSealedTokens(deps.tokens, cipher);
  const stored = { records: tokenRecords, holders, sealed, uuid };
  const find = async (workspace: string) => (await records.get(connectionRef(workspace)))?.record;
  const ids = () => listWorkspaces(records);

  async function token(connection: Connection): Promise<string | undefined> {
    const { workspace, token: named } = connection;
    const opened = named && (await sealed.read({ workspace, generation: named.generation }));
    if (!named || opened !== undefined) return opened;
    if ((await find(workspace))?.token?.generation !== named.generation) return undefined;
    throw new SealError('The token of this connection is missing.');
  }

  return {
    ...connectionWrites({ records, stored, secrets, token, ids }),
    ...tokensOfOthers({ holders, find, token }),
    ids,
    find,
    has: async (workspace) => (await records.count(workspace)) > 0,
    async findByEndpoint(address) {
      const named = readEndpointAddress(address);
      const connection = named && (await find(named.workspace));
      return connection?.endpoint === named?.endpoint ? connection : undefined;
    },
    async mustOpen(workspace) {
      const connection = await find(workspace);
      if (!connection) return;
      await token(connection);
      secrets.live(connection);
    },
    claim: createClaimToken(tokenRecords, { cipher, uuid }),
    token,
    secrets: secrets.live,
    isSecretLost: secrets.isLost,
    due: records.due,
    postpone: records.postpone,
    sweep: (log, stopping) => sweepTokens(stored, (holder) => isNamed(find, holder, true), log, stopping),
  };
}

type Find = Connections['find'];

function tokensOfOthers({
  holders,
  find,
  token,
}: Pick<Connections, 'find' | 'token'> & { holders: TokenHolders }): Pick<
  Connections,
  'sharing' | 'isShared'
> {
  async function others(connection: Connection): Promise<Holder[]> {
    const own = await token(connection);
    return own === undefined ? [] : holders.others(own, connection.workspace);
  }
  return {
    async *sharing(connection) {
      for (const other of await others(connection))
        if (await isNamed(find, other, false)) yield other.workspace;
    },
    isShared: async (connection) => (await others(connection)).length > 0,
  };
}

/** Whether the connection of a holder names its token. @param ifUnreadable the answer for one that can't be read */
async function isNamed(find: Find, { workspace, generation }: Holder, ifUnreadable: boolean) {
  try {
    return (await find(workspace))?.token?.generation === generation;
  } catch (error) {
    if (isUnopened(error)) return ifUnreadable;
    throw error;
  }
}
