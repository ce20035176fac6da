/** Use case: an admin disconnects a workspace from the order service. */
import type { Revocation } from '../requests/ports.ts';
import type { Connection, Connections } from './connections.ts';

export type DisconnectDeps = {
  connections: Connections;
  revoke: (token: string) => Promise<Revocation>;
  /** Whether the service still owes this workspace an outcome. */
  hasPending: (workspace: string) => Promise<boolean>;
};

export type DisconnectPlan =
  | { type: 'not_connected' }
  /** `revokes`: the token is Countermand's alone, so it is revoked at the service first. */
  | { type: 'connected'; revokes: boolean; whyNot?: 'not_exclusive' | 'shared'; pending: boolean };

export type Disconnected =
  | { type: 'not_connected' }
  | { type: 'disconnected'; revocation: 'revoked' | 'dead' | 'kept'; pending: boolean }
  /** The token could not be revoked, so it was kept, and nothing was changed. */
  | { type: 'not_revoked'; revocation: Exclude<Revocation, { type: 'revoked' | 'dead' }> };

/** What disconnecting would do, for an admin to read before it is done. */
export async function planDisconnect(deps: DisconnectDeps, workspace: string): Promise<DisconnectPlan> {
  const connection = await deps.connections.find(workspace);
  if (!connection?.token) return { type: 'not_connected' };
  const [whyNot, pending] = await Promise.all([whyNotRevoked(deps, connection), deps.hasPending(workspace)]);
  return { type: 'connected', revokes: whyNot === undefined, pending, ...(whyNot ? { whyNot } : {}) };
}

/** The endpoint and its secrets live on while the service owes an outcome: its events still come into their threads. */
export async function disconnect(deps: DisconnectDeps, workspace: string): Promise<Disconnected> {
  const connection = await deps.connections.find(workspace);
  const token = connection && deps.connections.token(connection);
  if (!connection || token === undefined) return { type: 'not_connected' };
  const revokes = (await whyNotRevoked(deps, connection)) === undefined;
  const revocation = revokes ? await deps.revoke(token) : { type: 'kept' as const };
  if (revocation.type === 'unreachable' || revocation.type === 'refused')
    return { type: 'not_revoked', revocation };
  const pending = await deps.hasPending(workspace);
  await (pending ? deps.connections.dropToken(connection) : deps.connections.remove(connection));
  return { type: 'disconnected', revocation: revocation.type, pending };
}

async function whyNotRevoked({ connections }: DisconnectDeps, connection: Connection) {
  if (!connection.exclusive) return 'not_exclusive' as const;
  return (await connections.isShared(connection)) ? ('shared' as const) : undefined;
}
