/** Provides the token for a workspace's calls, and reacts to the service's verdict about it. */

import type { RefusedToken } from '../../requests/model/workspace-notification.ts';
import type { ConnectionState, HeldToken, Log, Tokens } from '../../requests/ports/ports.ts';
import type { Connection } from './connection.ts';
import type { ConnectionHealth, Generation } from './connection-health.ts';
import type { Connections } from './connections.ts';

type Known = { connections: Connections; connectionHealth: ConnectionHealth };

export type TokensDeps = Known & {
  /** Notifies the admins, once for each connection, however often it is called. */
  notifyAdmins: (refused: RefusedToken) => Promise<void>;
  log: Log;
};

export function createTokens({ connections, connectionHealth, notifyAdmins, log }: TokensDeps): Tokens {
  async function markRefused({ workspace, generation }: Generation): Promise<void> {
    const connection = await findInForce(connections, { workspace, generation });
    // A late answer says nothing about the replacement token.
    if (!connection) return;
    if (await isRefused(connectionHealth, connection)) return;
    // Comes first: once the token is marked, no call is made any more, so nothing else would trigger the notification.
    await notifyAdmins({ workspace, generation, connectedBy: connection.connectedBy });
    await connectionHealth.markRefused(connection);
    log.warn({ workspace }, 'order service refused the token: calls stopped');
  }

  return {
    async take(workspace) {
      const connection = await connections.find(workspace);
      const token = connection && heldToken(connections, connection);
      if (!token) return 'not_connected';
      return (await isRefused(connectionHealth, token)) ? 'token_refused' : token;
    },
    async recordVerdict(token, verdict) {
      if (verdict === 'accepted') {
        // The result of a call does not wait for this, and a failed write does no harm.
        connectionHealth
          .record('call', token)
          .catch((err) => log.warn({ workspace: token.workspace, err }, 'last successful call not recorded'));
        return;
      }
      // REST endpoints end their support of GraphQL tokens each at its own time (section 5), so another endpoint may
      // accept it.
      if (token.kind === 'graphql') return;
      await markRefused(token).catch((err) =>
        log.error({ workspace: token.workspace, err }, 'refused token not marked'),
      );
    },
  };
}

/** Whether calls can be made for a workspace. @throws if the storage is unavailable */
export async function connectionState(
  { connections, connectionHealth }: Known,
  workspace: string,
): Promise<ConnectionState> {
  const connection = await connections.find(workspace);
  if (!connection?.token) return 'not_connected';
  return (await isRefused(connectionHealth, connection)) ? 'token_refused' : 'connected';
}

/** Returns the connection if it is still the current one and has a token. @throws if the storage is unavailable */
export async function findInForce(
  connections: Connections,
  { workspace, generation }: Generation,
): Promise<Connection | undefined> {
  const connection = await connections.find(workspace);
  return connection?.token && connection.generation === generation ? connection : undefined;
}

async function isRefused(connectionHealth: ConnectionHealth, of: Generation): Promise<boolean> {
  return (await connectionHealth.last('refusal', of)) !== undefined;
}

function heldToken(connections: Connections, connection: Connection): HeldToken | undefined {
  const { workspace, generation, tokenKind: kind } = connection;
  const token = connections.token(connection);
  return token === undefined ? undefined : { workspace, generation, token, kind };
}
