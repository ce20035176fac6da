/** Use case: an admin sees the current connection before connecting again. */
import type { ConnectDeps } from './connect.ts';
import type { Connection, TokenKind } from './connection.ts';
import type { ConnectionHealth } from './connection-health.ts';
import { liveSecrets } from './connection-secrets.ts';
import { isFinished } from './finished-connections.ts';
import { pauseIn } from './token/pause.ts';

/** All times are epoch milliseconds; an observation not made since this connection began is undefined. */
export type ConnectionFacts = {
  /** A member's id, or `terminal`. */
  connectedBy: string;
  connectedAt: number;
  /** The time of the last answer that showed a valid token. */
  lastCall: number | undefined;
  lastEvent: number | undefined;
  /** Calls are paused because the service refused the token: since when, and when it is checked next. */
  paused: { since: number; nextCheck: number } | undefined;
  /** The number of valid events secrets: more than one while one is being replaced. */
  secrets: number;
};

/**
 * `again` replaces a connection and keeps its events URL. `generation`: that of the stored connection. `facts`: present if
 * it has a token.
 */
export type ConnectPlan = { generation: string | undefined } & (
  | { type: 'new' }
  | { type: 'again'; tokenKind: TokenKind; exclusive: boolean; facts?: ConnectionFacts }
);

type Deps = Pick<ConnectDeps, 'connections' | 'hasPending' | 'now'> & {
  connectionHealth: ConnectionHealth;
};

/** Collects the current values for an admin's form, never the token. @throws if the storage is unavailable */
export async function planConnect(deps: Deps, workspace: string): Promise<ConnectPlan> {
  const row = await deps.connections.find(workspace);
  if (!row || (await isFinished(deps, row))) return { type: 'new', generation: row?.generation };
  const { tokenKind, exclusive, token, generation } = row;
  const facts = token ? { facts: await factsOf(deps, row) } : {};
  return { type: 'again', generation, tokenKind, exclusive, ...facts };
}

async function factsOf({ connectionHealth, now }: Deps, connection: Connection): Promise<ConnectionFacts> {
  const { connectedBy, connectedAt } = connection;
  const [lastCall, lastEvent] = await Promise.all([
    connectionHealth.last('call', connection),
    connectionHealth.last('event', connection),
  ]);
  const secrets = liveSecrets(connection, now()).length;
  const pause = pauseIn(connection);
  const paused = pause && { since: pause.since, nextCheck: pause.dueAt };
  return { connectedBy, connectedAt, lastCall, lastEvent, paused, secrets };
}
