/** Connections that are over: a disconnect has left their endpoint for outcomes, and all of these have come by now. */
import type { Log } from '../../requests/ports/ports.ts';
import type { Sightings } from './connection-health.ts';
import type { Connection, Connections } from './connections.ts';

export type SpentDeps = {
  connections: Connections;
  sightings: Pick<Sightings, 'forget'>;
  /** Whether the service still owes this workspace an outcome. */
  hasPending: (workspace: string) => Promise<boolean>;
};

/** Whether nothing of a connection is worth keeping. @throws where the storage is away */
export async function isSpent(
  { hasPending }: Pick<SpentDeps, 'hasPending'>,
  { token, workspace }: Connection,
): Promise<boolean> {
  return !token && !(await hasPending(workspace));
}

/**
 * Removes a connection, with what was seen of it, unless the workspace was connected anew.
 *
 * @returns what the workspace is connected with now
 */
export async function removeConnection(
  { connections, sightings }: Omit<SpentDeps, 'hasPending'>,
  connection: Connection,
): Promise<Connection | undefined> {
  await connections.remove(connection);
  const after = await connections.find(connection.workspace);
  if (!after) await sightings.forget(connection.workspace);
  return after;
}

/** Removes all that are over. @throws where the storage can't list them */
export async function removeSpent(deps: SpentDeps, log: Log, stopping: AbortSignal): Promise<void> {
  for await (const workspace of deps.connections.disconnected()) {
    if (stopping.aborted) return;
    try {
      const connection = await deps.connections.find(workspace);
      if (!connection) await deps.connections.unlist(workspace);
      else if (await isSpent(deps, connection)) await removeConnection(deps, connection);
    } catch (err) {
      // One that can't be read must not keep those of all others.
      log.error({ workspace, err }, 'a connection that may be over was not removed');
    }
  }
}
