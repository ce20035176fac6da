/** Use case: an admin connects a workspace to the order service. */
import type { Log, Revoke, TokenCheck } from '../../requests/ports/ports.ts';
import type { Runtime } from '../../requests/ports/runtime.ts';
import type { RecordAct } from '../../requests/store/record-act.ts';
import { type Connection, connectionFields, type TokenKind } from './connection.ts';
import { type FinishedConnectionsDeps, isFinished, removeConnection } from './finished-connections.ts';
import { type FormerToken, revokeFormer } from './revoke-former.ts';

export type ConnectDeps = FinishedConnectionsDeps &
  Pick<Runtime, 'now' | 'uuid' | 'secret'> & {
    checkToken: (token: string) => Promise<TokenCheck>;
    revoke: Revoke;
    publicUrl: URL;
    recordAct: RecordAct;
    log: Log;
  };

export type Connecting = {
  workspace: string;
  token: string;
  tokenKind: TokenKind;
  exclusive: boolean;
  /** The person who connects: a member's id, or `terminal`. */
  by: string;
  /** Replaces an existing events secret. */
  newSecret: boolean;
  /** Revokes the replaced token at the service, unless another workspace holds it. */
  revokeFormer?: boolean;
};

/** The reason to doubt a token that was saved anyway. */
export type Doubt =
  | Extract<TokenCheck, { type: 'limited' | 'unverified' }>
  /** The check returned 401, which for a GraphQL token does not predict the answers of other operations. */
  | { type: 'graphql_refused' };

export type Connected =
  | { type: TokenProblem }
  | { type: 'refused' }
  | { type: 'unreachable' }
  /** Another admin connected or disconnected the workspace at the same moment, and their change is in force. */
  | { type: 'conflict' }
  | {
      type: 'connected';
      eventsUrl: string;
      /** Shown only once; undefined: the previous secret stays. */
      secret: string | undefined;
      doubt: Doubt | undefined;
      /** The result for the replaced token, if it was to be revoked. */
      former?: FormerToken;
    };

/**
 * Printable ASCII without spaces (RFC 9110, section 5.6.2, and RFC 6750): other characters are not allowed in the
 * header.
 */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** Tokens are redacted from all texts of the order service, and a shorter one could be a part of ordinary words. */
const SHORTEST_TOKEN = 8;

export type TokenProblem = 'malformed' | 'too_short';

/** @returns the problem of a token, as far as visible without asking the order service */
export function tokenProblem(token: string): TokenProblem | undefined {
  if (!TOKEN.test(token)) return 'malformed';
  return token.length < SHORTEST_TOKEN ? 'too_short' : undefined;
}

/**
 * Connects a workspace. Connecting again replaces the token and keeps the events URL and its secret, unless a new
 * secret is requested. Then the former secret stays valid for another day, so that no event is lost until the service
 * has the new one.
 */
export async function connect(deps: ConnectDeps, connecting: Connecting): Promise<Connected> {
  const { token } = connecting;
  const problem = tokenProblem(token);
  if (problem) return { type: problem };
  const check = weigh(await deps.checkToken(token), connecting.tokenKind);
  if (check.type === 'refused' || check.type === 'unreachable') return check;
  const saved = await deps.recordAct(
    connectedAct(connecting),
    () => save(deps, connecting),
    (done) => (done ? 'connected' : 'conflict'),
  );
  if (!saved) return { type: 'conflict' };
  const doubt = check.type === 'accepted' ? undefined : check;
  const { eventsUrl, secret, before } = saved;
  logConnected(deps, connecting, saved);
  const connected = { type: 'connected' as const, eventsUrl, secret, doubt };
  if (!connecting.revokeFormer) return connected;
  const former = await revokeFormer(deps, before, { token, works: doubt === undefined });
  const { workspace, by: user } = connecting;
  deps.log.info({ workspace, user, result: former.type }, 'former token revoked, or kept');
  return { ...connected, former };
}

/** Tells the audit trail who connects what: never a token or a secret. */
const connectedAct = ({ workspace, by, tokenKind, exclusive, newSecret }: Connecting) => ({
  workspace,
  by: [by],
  act: 'connected' as const,
  to: { tokenKind, exclusive, newSecret },
});

/** Logs who connected what in place of what: never a token or a secret. */
function logConnected(
  { connections, log }: ConnectDeps,
  { workspace, by: user, token, tokenKind, exclusive }: Connecting,
  { secret, before }: { secret: string | undefined; before: Connection | undefined },
): void {
  const to = {
    tokenKind,
    exclusive,
    newToken: before === undefined || connections.token(before) !== token,
    newSecret: secret !== undefined,
  };
  log.info({ workspace, user, from: connectionFields(before), to }, 'workspace connected');
}

/**
 * Tolerates a refused GraphQL token: REST endpoints end their support of GraphQL tokens each at its own time
 * (order-service-interface.md, section 5).
 */
function weigh(check: TokenCheck, tokenKind: TokenKind): TokenCheck | Doubt {
  return check.type === 'refused' && tokenKind === 'graphql' ? { type: 'graphql_refused' } : check;
}

async function save(deps: ConnectDeps, connecting: Connecting) {
  const { connections, publicUrl, now, uuid, secret: newKey } = deps;
  const { workspace, token, tokenKind, exclusive, by: connectedBy, newSecret } = connecting;
  const row = await connections.find(workspace);
  const finished = row && (await isFinished(deps, row));
  if (finished) await removeConnection(deps, row);
  const before = finished ? undefined : row;
  const endpoint = before?.endpoint ?? newKey(24);
  const secret = before && !newSecret ? undefined : newKey(32);
  const generation = uuid();
  const made = { endpoint, secret, generation, connectedBy, connectedAt: now() };
  await connections.save({ workspace, token, tokenKind, exclusive, ...made }, before);
  // The last write wins. A caller who lost the race must not hand out a URL or a secret that never worked.
  const after = await connections.findByEndpoint(endpoint);
  if (after?.generation !== generation) return undefined;
  return { eventsUrl: new URL(`events/${endpoint}`, publicUrl).href, secret, before };
}
