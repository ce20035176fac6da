/**
 * Use case: an admin disconnects a workspace from the order service. The workspace keeps its endpoint while the order service
 * owes it an outcome; then its connection is finished, and is removed.
 */
import type { Log, Replicated } from '../../outbox/ports.ts';
import type { Revocation } from '../../requests/ports/ports.ts';
import { type Connection, connectionFields, isFinished } from './connection.ts';
import type { ConnectionHealth, Connections } from './connections.ts';
import { type RevokeDeps, type Revoking, revokeUnshared } from './revoke-token.ts';
import type { Holder } from './token-record.ts';

export type FinishedConnectionsDeps = {
  connections: Connections;
  connectionHealth: Pick<ConnectionHealth, 'forget'>;
  /** Whether the service may still announce an outcome to this workspace. */
  owesOutcome: (workspace: string) => Promise<boolean>;
  replicated: Replicated;
};

export type DisconnectDeps = FinishedConnectionsDeps & RevokeDeps & { log: Log };

export type DisconnectPlan =
  | { type: 'not_connected' }
  /**
   * `revokes`: only Countermand uses the token, so it is first revoked at the service; otherwise `whyNot` says why.
   * `pending`: the service may still announce an outcome, so the endpoint stays.
   */
  | {
      type: 'connected';
      generation: string;
      revokes: boolean;
      whyNot?: 'not_exclusive' | 'shared';
      pending: boolean;
    };

export type Disconnected =
  | { type: 'not_connected' }
  /** The connection is not the one that the admin has seen, so nothing was changed. */
  | { type: 'changed'; by: string }
  | { type: 'disconnected'; revocation: TokenOutcome; pending: boolean }
  /** The workspace was connected again meanwhile, and that connection stays. `revocation` concerns the former token. */
  | { type: 'connected_anew'; revocation: TokenOutcome; by: string }
  /** It is not certain that the token is revoked, so it was kept, and nothing was changed here. */
  | { type: 'not_revoked'; revocation: Exclude<Revocation, { type: 'revoked' | 'dead' }> };

/** `dead`: the service no longer knew the token. */
export type TokenOutcome = 'revoked' | 'dead' | 'kept';

/** Collects what disconnecting would do. */
export async function planDisconnect(deps: DisconnectDeps, workspace: string): Promise<DisconnectPlan> {
  // The token is opened, because disconnecting opens it: if no key does, nobody should be shown a plan.
  const held = await deps.connections.withToken(workspace);
  if (!held) return { type: 'not_connected' };
  const { connection } = held;
  const [whyNot, pending] = await Promise.all([whyNotRevoked(deps, connection), deps.owesOutcome(workspace)]);
  const { generation } = connection;
  return { type: 'connected', generation, revokes: whyNot === undefined, pending, ...(whyNot && { whyNot }) };
}

/**
 * Disconnects a workspace. The endpoint and its secrets stay while the service owes an outcome, so that its events
 * still reach their threads.
 *
 * @param by the person who disconnects: a member's id, or `terminal`
 * @param shown the generation of the connection that they have seen; undefined: whichever is there
 * @returns once all replicas of the storage have the change
 */
export async function disconnect(
  deps: DisconnectDeps,
  workspace: string,
  by: string,
  shown?: string,
): Promise<Disconnected> {
  // A failover may bring back a connection that somebody else has just removed.
  const held = await deps.replicated(() => deps.connections.withToken(workspace));
  if (!held) return { type: 'not_connected' };
  const { connection, token } = held;
  if (shown !== undefined && connection.generation !== shown)
    return { type: 'changed', by: connection.connectedBy };
  const isLeaving = ({ generation }: Holder) => generation === connection.token?.generation;
  const revocation = await revokeExclusive(deps, connection, token, { by, isLeaving });
  if (revocation.type === 'kept' && connection.exclusive && (await isSealedAnew(deps, connection)))
    return disconnect(deps, workspace, by, shown);
  const disconnected =
    'error' in revocation
      ? { type: 'not_revoked' as const, revocation }
      : await deps.replicated(() => removeLocally(deps, connection, revocation.type, by));
  // The log never has the token.
  const about = { workspace, user: by, from: connectionFields(connection), revocation: revocation.type };
  if (disconnected.type === 'disconnected') deps.log.info(about, 'workspace disconnected');
  else deps.log.info({ ...about, result: disconnected.type }, 'workspace not disconnected');
  return disconnected;
}

/**
 * Revokes the token of a workspace that has left, if nobody else uses it, and removes it: if the app is installed again meanwhile,
 * the workspace is not connected, and not with a dead token. Repeatable.
 *
 * @param leaving all workspaces that have left at once: they don't use the token any more either
 * @param mayGoOn asked right before the call: the app may have been installed again
 * @returns `later` if it is not certain that the token is revoked
 */
export async function revokeOwn(
  deps: DisconnectDeps,
  workspace: string,
  leaving: readonly string[],
  mayGoOn: () => Promise<boolean>,
): Promise<'done' | 'later'> {
  const held = await deps.connections.withToken(workspace);
  if (!held) return 'done';
  const { connection, token } = held;
  const isLeaving = (holder: Holder) => leaving.includes(holder.workspace);
  const revocation = await revokeExclusive(deps, connection, token, { by: undefined, isLeaving, mayGoOn });
  if ('error' in revocation) return 'later';
  if (revocation.type !== 'kept') await deps.connections.dropToken(connection, undefined);
  return 'done';
}

/** Whether the token was sealed under another generation since it was read: then its new holder seemed to be somebody else. */
async function isSealedAnew({ connections }: DisconnectDeps, read: Connection): Promise<boolean> {
  const now = await connections.find(read.workspace);
  if (now?.generation !== read.generation || !now.token) return false;
  return now.token.generation !== read.token?.generation;
}

async function revokeExclusive(
  deps: DisconnectDeps,
  { exclusive, workspace, tokenKind }: Connection,
  token: string,
  who: Pick<Revoking, 'by' | 'isLeaving' | 'mayGoOn'>,
): Promise<Revocation | { type: 'kept' }> {
  if (!exclusive) return { type: 'kept' };
  const revocation = await revokeUnshared(deps, { workspace, token, tokenKind, ...who });
  return revocation.type === 'shared' ? { type: 'kept' } : revocation;
}

/**
 * Removes the token first and then reads what is pending: a request whose call begins in between either has the token
 * and is seen as calling, or finds none and is not sent.
 */
async function removeLocally(
  deps: DisconnectDeps,
  connection: Connection,
  revocation: TokenOutcome,
  by: string,
): Promise<Extract<Disconnected, { type: 'disconnected' | 'connected_anew' }>> {
  const { workspace, generation } = connection;
  await deps.connections.dropToken(connection, by);
  const pending = await isOutcomeOwed(deps, workspace);
  const after = await (pending ? deps.connections.find(workspace) : removeConnection(deps, connection));
  return after && after.generation !== generation
    ? { type: 'connected_anew', revocation, by: after.connectedBy }
    : { type: 'disconnected', revocation, pending };
}

async function whyNotRevoked({ connections }: DisconnectDeps, connection: Connection) {
  if (!connection.exclusive) return 'not_exclusive' as const;
  return (await connections.isShared(connection)) ? ('shared' as const) : undefined;
}

/**
 * Whether the service may still announce an outcome, before the endpoint is removed. On a server that would take over after a failover, a
 * request may not have ended yet, so the answer counts only once each such server has what was read.
 *
 * @throws if that is not known in time
 */
const isOutcomeOwed = (
  { owesOutcome, replicated }: Pick<FinishedConnectionsDeps, 'owesOutcome' | 'replicated'>,
  workspace: string,
): Promise<boolean> => replicated(() => owesOutcome(workspace));

/**
 * Removes a connection and its observations, unless the workspace was connected again.
 *
 * @returns the current connection of the workspace
 */
async function removeConnection(
  { connections, connectionHealth }: Pick<FinishedConnectionsDeps, 'connections' | 'connectionHealth'>,
  connection: Connection,
): Promise<Connection | undefined> {
  const { workspace, generation } = connection;
  const before = await connections.find(workspace);
  // Before the removal, too: if this is cut short after it, nothing leads to the observations any more.
  if (before?.generation === generation) await connectionHealth.forget(workspace);
  await connections.remove(connection);
  const after = await connections.find(workspace);
  if (after) return after;
  // Something may have been observed since.
  await connectionHealth.forget(workspace);
  return undefined;
}

export async function removeFinished(
  deps: FinishedConnectionsDeps,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  for await (const workspace of deps.connections.ids()) {
    if (stopping.aborted) return;
    try {
      const connection = await deps.connections.find(workspace);
      const owesOutcome = () => isOutcomeOwed(deps, workspace);
      if (connection && (await isFinished({ owesOutcome }, connection)))
        await removeConnection(deps, connection);
    } catch (err) {
      // An unreadable connection must not keep the others from being removed.
      log.error({ workspace, err }, 'finished connection not removed');
    }
  }
}
