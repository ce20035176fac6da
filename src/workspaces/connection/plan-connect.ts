/** Use case: an admin wants to see what is connected, before they connect anew. */
import type { ConnectDeps } from './connect.ts';
import type { Sightings } from './connection-health.ts';
import { liveSecrets } from './connection-secrets.ts';
import type { Connection, TokenKind } from './connections.ts';
import { isSpent } from './finished-connections.ts';

/** All times are epoch milliseconds; what was not seen since this connection was made is undefined. */
export type ConnectionFacts = {
  /** A member's id, or `terminal`. */
  connectedBy: string;
  connectedAt: number;
  /** When the service last answered a call as one of a caller it knows. */
  lastCall: number | undefined;
  lastEvent: number | undefined;
  /** When the service refused the token. */
  refusedAt: number | undefined;
  /** How many events secrets are live: more than one while one is being replaced. */
  secrets: number;
};

/** `again` takes the place of a connection, and keeps its events URL. `facts`: where it has a token. */
export type ConnectPlan =
  | { type: 'new' }
  | { type: 'again'; tokenKind: TokenKind; exclusive: boolean; facts?: ConnectionFacts };

type Deps = Pick<ConnectDeps, 'connections' | 'hasPending' | 'now'> & { sightings: Sightings };

/** For an admin's form: what there is to be kept. Never the token. @throws where the storage is away */
export async function planConnect(deps: Deps, workspace: string): Promise<ConnectPlan> {
  const row = await deps.connections.find(workspace);
  if (!row || (await isSpent(deps, row))) return { type: 'new' };
  const { tokenKind, exclusive, token } = row;
  return { type: 'again', tokenKind, exclusive, ...(token ? { facts: await factsOf(deps, row) } : {}) };
}

async function factsOf({ sightings, now }: Deps, connection: Connection): Promise<ConnectionFacts> {
  const { connectedBy, connectedAt } = connection;
  const [lastCall, lastEvent, refusedAt] = await Promise.all([
    sightings.last('call', connection),
    sightings.last('event', connection),
    sightings.last('refusal', connection),
  ]);
  const secrets = liveSecrets(connection, now()).length;
  return { connectedBy, connectedAt, lastCall, lastEvent, refusedAt, secrets };
}
