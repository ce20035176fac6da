/**
 * Tells which connections are finished, and removes them: a workspace that was disconnected keeps its endpoint while the order
 * service owes it an outcome.
 */
import type { Log } from '../../outbox/ports.ts';
import type { Connection, ConnectionHealth } from './connection.ts';
import type { Connections } from './connections.ts';

export type FinishedConnectionsDeps = {
  connections: Connections;
  connectionHealth: Pick<ConnectionHealth, 'forget'>;
  /** Whether the service still owes this workspace an outcome. */
  hasPending: (workspace: string) => Promise<boolean>;
};

/** Whether a connection has no token, and its endpoint awaits no outcome. @throws if the storage is unavailable */
export async function isFinished(
  { hasPending }: Pick<FinishedConnectionsDeps, 'hasPending'>,
  { token, workspace }: Connection,
): Promise<boolean> {
  return !token && !(await hasPending(workspace));
}

/**
 * Finds the connection whose endpoint accepts events. A finished connection is not removed here: the signature is not verified
 * yet, and somebody may be connecting the workspace again right now.
 *
 * @throws if the storage is unavailable
 */
export async function findByOpenEndpoint(
  deps: Pick<FinishedConnectionsDeps, 'connections' | 'hasPending'>,
  endpoint: string,
): Promise<Connection | undefined> {
  const connection = await deps.connections.findByEndpoint(endpoint);
  return connection && !(await isFinished(deps, connection)) ? connection : undefined;
}

/**
 * Removes a connection and its observations, unless the workspace was connected again.
 *
 * @returns the current connection of the workspace
 */
export async function removeConnection(
  { connections, connectionHealth }: Omit<FinishedConnectionsDeps, 'hasPending'>,
  connection: Connection,
): Promise<Connection | undefined> {
  await connections.remove(connection);
  const after = await connections.find(connection.workspace);
  if (after) return after;
  await connectionHealth.forget(connection.workspace);
  return undefined;
}

/** Removes all finished connections. @throws if the storage can't list them */
export async function removeFinished(
  deps: FinishedConnectionsDeps,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  for await (const workspace of deps.connections.ids()) {
    if (stopping.aborted) return;
    try {
      const connection = await deps.connections.find(workspace);
      if (connection && (await isFinished(deps, connection))) await removeConnection(deps, connection);
    } catch (err) {
      // An unreadable connection must not keep the others from being removed.
      log.error({ workspace, err }, 'finished connection not removed');
    }
  }
}
