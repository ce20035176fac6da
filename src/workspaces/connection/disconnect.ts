/** Use case: an admin disconnects a workspace from the order service. */
import type { Revocation } from '../../requests/ports/ports.ts';
import type { Connection } from './connections.ts';
import { removeConnection, type SpentDeps } from './finished-connections.ts';

export type DisconnectDeps = SpentDeps & {
  revoke: (token: string) => Promise<Revocation>;
};

export type DisconnectPlan =
  | { type: 'not_connected' }
  /** `revokes`: the token is Countermand's alone, so it is revoked at the service first. */
  | { type: 'connected'; revokes: boolean; whyNot?: 'not_exclusive' | 'shared'; pending: boolean };

export type Disconnected =
  | { type: 'not_connected' }
  | { type: 'disconnected'; revocation: TokenFate; pending: boolean }
  /** Somebody connected the workspace meanwhile; that was left alone. `revocation` is about the former token. */
  | { type: 'connected_anew'; revocation: TokenFate; by: string }
  /** The token is not known to be revoked, so it was kept, and nothing was changed here. */
  | { type: 'not_revoked'; revocation: Exclude<Revocation, { type: 'revoked' | 'dead' }> };

export type TokenFate = 'revoked' | 'dead' | 'kept';

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
  switch (revocation.type) {
    case 'revoked':
    case 'dead':
    case 'kept':
      return forget(deps, connection, revocation.type);
    default:
      return { type: 'not_revoked', revocation };
  }
}

/**
 * For a workspace that has left: its token is revoked where nobody else uses it. May be done again.
 *
 * @returns `later` where it is not known what became of it
 */
export async function revokeOwn(deps: DisconnectDeps, workspace: string): Promise<'done' | 'later'> {
  const connection = await deps.connections.find(workspace);
  const token = connection && deps.connections.token(connection);
  if (!connection || token === undefined) return 'done';
  if ((await whyNotRevoked(deps, connection)) !== undefined) return 'done';
  const { type } = await deps.revoke(token);
  // A service that has read the question and said no will say it again.
  return type === 'revoked' || type === 'dead' || type === 'refused' ? 'done' : 'later';
}

/**
 * The token goes first, and only then it is asked what is owed: a request whose call begins in between either has its
 * token, and is seen to be calling, or finds none, and is not sent.
 */
async function forget(
  deps: DisconnectDeps,
  connection: Connection,
  revocation: TokenFate,
): Promise<Disconnected> {
  const { workspace, generation } = connection;
  await deps.connections.dropToken(connection);
  const pending = await deps.hasPending(workspace);
  const after = await (pending ? deps.connections.find(workspace) : removeConnection(deps, connection));
  return after && after.generation !== generation
    ? { type: 'connected_anew', revocation, by: after.connectedBy }
    : { type: 'disconnected', revocation, pending };
}

async function whyNotRevoked({ connections }: DisconnectDeps, connection: Connection) {
  if (!connection.exclusive) return 'not_exclusive' as const;
  return (await connections.isShared(connection)) ? ('shared' as const) : undefined;
}
