/** Which token a workspace's calls are made with, and what is done about what the service says of it. */

import type { RefusedToken } from '../../requests/model/workspace-notification.ts';
import type { ConnectionState, HeldToken, Log, Tokens } from '../../requests/ports/ports.ts';
import type { Generation, Sightings } from './connection-health.ts';
import type { Connection, Connections } from './connections.ts';

type Known = { connections: Connections; sightings: Sightings };

export type TokensDeps = Known & {
  /** Tells the admins, once for each connection, however often it is called. */
  tell: (refused: RefusedToken) => Promise<void>;
  log: Log;
};

export function createTokens({ connections, sightings, tell, log }: TokensDeps): Tokens {
  async function markRefused({ workspace, generation }: Generation): Promise<void> {
    const connection = await findInForce(connections, { workspace, generation });
    // A late answer says nothing about the token that has taken its place.
    if (!connection) return;
    if (await isRefused(sightings, connection)) return;
    // First of all, since no call is made any more once it is marked: nothing else would ever tell of it.
    await tell({ workspace, generation, connectedBy: connection.connectedBy });
    await sightings.markRefused(connection);
    log.warn({ workspace }, 'the order service does not accept the token any more: no call is made with it');
  }

  return {
    async take(workspace) {
      const connection = await connections.find(workspace);
      const token = connection && held(connections, connection);
      if (!token) return 'not_connected';
      return (await isRefused(sightings, token)) ? 'token_refused' : token;
    },
    async note(token, verdict) {
      if (verdict === 'accepted') {
        // Whoever waits for the outcome of a call does not wait for this, and it spoils nothing where it is not written.
        sightings
          .note('call', token)
          .catch((err) => log.warn({ workspace: token.workspace, err }, 'the last good call was not noted'));
        return;
      }
      // REST endpoints end their support of GraphQL tokens each in its own time (section 5): another one may accept it.
      if (token.kind === 'graphql') return;
      await markRefused(token).catch((err) =>
        log.error({ workspace: token.workspace, err }, 'a token that was refused was not marked'),
      );
    },
  };
}

/** Whether calls can be made for a workspace. @throws where the storage is away */
export async function connectionState(
  { connections, sightings }: Known,
  workspace: string,
): Promise<ConnectionState> {
  const connection = await connections.find(workspace);
  if (!connection?.token) return 'not_connected';
  return (await isRefused(sightings, connection)) ? 'token_refused' : 'connected';
}

/** The connection, if it is still the one that is meant and has a token. @throws where the storage is away */
export async function findInForce(
  connections: Connections,
  { workspace, generation }: Generation,
): Promise<Connection | undefined> {
  const connection = await connections.find(workspace);
  return connection?.token && connection.generation === generation ? connection : undefined;
}

async function isRefused(sightings: Sightings, of: Generation): Promise<boolean> {
  return (await sightings.last('refusal', of)) !== undefined;
}

function held(connections: Connections, connection: Connection): HeldToken | undefined {
  const { workspace, generation, tokenKind: kind } = connection;
  const token = connections.token(connection);
  return token === undefined ? undefined : { workspace, generation, token, kind };
}
