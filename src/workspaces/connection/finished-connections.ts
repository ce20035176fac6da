/** Finished connections: disconnected, and no outcome is owed to their endpoint any more. */
import type { Log } from '../../requests/ports/ports.ts';
import type { ConnectionHealth } from './connection-health.ts';
import type { Connection, Connections } from './connections.ts';

export type FinishedConnectionsDeps = {
  connections: Connections;
  connectionHealth: Pick<ConnectionHealth, 'forget'>;
  /** Whether the service still owes this workspace an outcome. */
  hasPending: (workspace: string) => Promise<boolean>;
};

/** Whether a connection serves nothing any more. @throws where the storage is away */
export async function isFinished(
  { hasPending }: Pick<FinishedConnectionsDeps, 'hasPending'>,
  { token, workspace }: Connection,
): Promise<boolean> {
  return !token && !(await hasPending(workspace));
}

/**
 * Finds the connection whose endpoint takes events. A finished one is not removed here: nobody has checked the signature
 * yet, and somebody may be connecting the workspace again right now.
 *
 * @throws where the storage is away
 */
export async function findByOpenEndpoint(
  deps: Pick<FinishedConnectionsDeps, 'connections' | 'hasPending'>,
  endpoint: string,
): Promise<Connection | undefined> {
  const connection = await deps.connections.findByEndpoint(endpoint);
  return connection && !(await isFinished(deps, connection)) ? connection : undefined;
}

/**
 * Removes a connection, with what was seen of it, unless the workspace was connected anew.
 *
 * @returns what the workspace is connected with now
 */
export async function removeConnection(
  { connections, connectionHealth }: Omit<FinishedConnectionsDeps, 'hasPending'>,
  connection: Connection,
): Promise<Connection | undefined> {
  await connections.remove(connection);
  const after = await connections.find(connection.workspace);
  if (!after) await connectionHealth.forget(connection.workspace);
  return after;
}

/** Removes all finished connections. @throws where the storage can't list them */
export async function removeFinished(
  deps: FinishedConnectionsDeps,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  for await (const workspace of deps.connections.disconnected()) {
    if (stopping.aborted) return;
    try {
      const connection = await deps.connections.find(workspace);
      if (!connection) await deps.connections.unlist(workspace);
      else if (await isFinished(deps, connection)) await removeConnection(deps, connection);
    } catch (err) {
      // One that can't be read must not keep those of all others.
      log.error({ workspace, err }, 'a finished connection was not removed');
    }
  }
}
