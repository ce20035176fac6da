/** Provides the token for a workspace's calls, and reacts to the service's verdict about it. */

import type { RefusedToken } from '../../requests/model/workspace-notification.ts';
import type { ConnectionState, HeldToken, Log, Tokens } from '../../requests/ports/ports.ts';
import type { Runtime } from '../../requests/ports/runtime.ts';
import type { Connection } from './connection.ts';
import type { ConnectionHealth, Generation } from './connection-health.ts';
import type { Connections } from './connections.ts';
import type { TokenPause, TokenPauses } from './token-pauses.ts';

type Known = { connections: Connections; tokenPauses: TokenPauses };

export type TellingDeps = Pick<Known, 'tokenPauses'> & {
  /** Notifies the admins, once for each pause, however often it is called. */
  notifyAdmins: (refused: RefusedToken) => Promise<void>;
};

export type TokensDeps = Known &
  TellingDeps & {
    connectionHealth: Pick<ConnectionHealth, 'record'>;
    log: Log;
    runtime: Pick<Runtime, 'sleep'>;
  };

/** The waits before a refused token that could not be marked is tried again, milliseconds. */
const MARK_AGAIN_MS = [1_000, 10_000, 60_000, 300_000];

export function createTokens(deps: TokensDeps): Tokens {
  const { connections, connectionHealth, tokenPauses, log, runtime } = deps;

  async function pause(token: HeldToken): Promise<void> {
    const connection = await findInForce(connections, token);
    // A late answer says nothing about the replacement token.
    if (!connection) return;
    const paused = await tokenPauses.refuse(connection, token.isTrial === true);
    if (!paused.told)
      log.warn({ workspace: token.workspace }, 'order service refused the token: calls paused');
    await tellAdmins(deps, connection, paused);
  }

  /** Marks a refused token. The result of the call waits for the first try only. */
  async function pauseOrTryAgain(token: HeldToken, waits = MARK_AGAIN_MS): Promise<void> {
    const { workspace } = token;
    try {
      await pause(token);
    } catch (err) {
      log.error({ workspace, err }, 'refused token not marked');
      const [wait, ...rest] = waits;
      if (wait !== undefined) void runtime.sleep(wait).then(() => pauseOrTryAgain(token, rest));
    }
  }

  async function goOn(token: HeldToken): Promise<void> {
    await tokenPauses.end(token);
    log.info({ workspace: token.workspace }, 'order service accepts the token again: calls go on');
  }

  return {
    async take(workspace) {
      const connection = await connections.find(workspace);
      const token = connection && heldToken(connections, connection);
      if (!token) return 'not_connected';
      const paused = await tokenPauses.find(token);
      if (!paused) return token;
      const isMine = paused.state === 'open' && (await tokenPauses.takeCall(token));
      return isMine ? { ...token, isTrial: true } : 'token_refused';
    },
    async recordVerdict(token, verdict) {
      const { workspace, kind, isTrial } = token;
      if (verdict === 'accepted') {
        // The result of a call does not wait for this, and a failed write does no harm.
        connectionHealth
          .record('call', token)
          .catch((err) => log.warn({ workspace, err }, 'last successful call not recorded'));
        if (isTrial) await goOn(token).catch((err) => log.error({ workspace, err }, 'pause not ended'));
        return;
      }
      // REST endpoints end their support of GraphQL tokens each at its own time (section 5), so another endpoint may
      // accept it.
      if (kind === 'graphql') return;
      await pauseOrTryAgain(token);
    },
  };
}

/** @throws if the storage is unavailable: they are told when the token is checked */
export async function tellAdmins(
  { tokenPauses, notifyAdmins }: TellingDeps,
  { connectedBy }: Pick<Connection, 'connectedBy'>,
  pause: TokenPause,
): Promise<void> {
  if (pause.told) return;
  const { workspace, generation, since } = pause;
  await notifyAdmins({ workspace, generation, since, connectedBy });
  await tokenPauses.markTold(pause);
}

/** Whether calls can be made for a workspace. @throws if the storage is unavailable */
export async function connectionState(
  { connections, tokenPauses }: Known,
  workspace: string,
): Promise<ConnectionState> {
  const connection = await connections.find(workspace);
  if (!connection?.token) return 'not_connected';
  const pause = await tokenPauses.find(connection);
  return pause && pause.state !== 'open' ? 'token_refused' : 'connected';
}

/** Returns the connection if it is still the current one and has a token. @throws if the storage is unavailable */
export async function findInForce(
  connections: Connections,
  { workspace, generation }: Generation,
): Promise<Connection | undefined> {
  const connection = await connections.find(workspace);
  return connection?.token && connection.generation === generation ? connection : undefined;
}

function heldToken(connections: Connections, connection: Connection): HeldToken | undefined {
  const { workspace, generation, tokenKind: kind } = connection;
  const token = connections.token(connection);
  return token === undefined ? undefined : { workspace, generation, token, kind };
}
