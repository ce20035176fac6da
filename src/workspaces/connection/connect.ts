/** Use case: an admin sees the current connection of a workspace to the order service, and connects it. */
import { asError } from '../../fault.ts';
import type { Log } from '../../outbox/ports.ts';
import type { TokenKind } from '../../requests/model/refusal.ts';
import type { Runtime, TokenCheck } from '../../requests/ports/ports.ts';
import {
  type Connection,
  connectionFields,
  endpointAddress,
  isFinished,
  liveSecrets,
  pauseIn,
  type TokenPause,
} from './connection.ts';
import type { ConnectionHealth } from './connections.ts';
import type { FinishedConnectionsDeps } from './disconnect.ts';
import { type Former, type FormerRevocation, type RevokeDeps, revokeFormer } from './revoke-token.ts';

type ConnectDeps = FinishedConnectionsDeps &
  RevokeDeps &
  Pick<Runtime, 'now' | 'uuid' | 'secret'> & {
    checkToken: (token: string) => Promise<TokenCheck>;
    publicUrl: URL;
    log: Log;
  };

export type Connecting = {
  workspace: string;
  token: string;
  /** Left out: that of the present token, if this is the same one; otherwise REST. */
  tokenKind?: TokenKind | undefined;
  /** Whether only Countermand uses the token. Left out: as for the present token, if this is the same one; otherwise not. */
  exclusive?: boolean | undefined;
  /** The person who connects: a member's id, or `terminal`. */
  by: string;
  /** Replaces an existing events secret. */
  newSecret: boolean;
  /** Ends the secret that a new one replaces, and those before it, at once. */
  endsFormerSecret?: boolean;
  /** Revokes the replaced token at the service, unless another workspace holds it. */
  revokeFormer?: boolean;
  /** The connection that the admin has seen, by its generation: undefined if there was none. Absent: whichever is there. */
  replaces?: { generation: string | undefined };
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
  /** The connection is not the one that the admin has seen, so nothing was saved. */
  | { type: 'changed' }
  /** The token is being revoked at this moment, for this workspace or another one that held it. */
  | { type: 'revoking' }
  | {
      type: 'connected';
      eventsUrl: string;
      /** Shown only once; undefined: the previous secret stays. */
      secret: string | undefined;
      doubt: Doubt | undefined;
      /** The workspace had a token that only Countermand used, and the present one is not marked so. */
      isNoLongerExclusive: boolean;
      /** The result for the replaced token, if it was to be revoked. */
      former?: FormerRevocation;
    };

/** Printable ASCII without spaces (RFC 9110, section 5.6.2, and RFC 6750): other characters are not allowed in the header. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** The minimum length: tokens are redacted from all texts of the order service, and a shorter one may be part of a word. */
const SHORTEST_TOKEN = 8;

/**
 * The beginnings of Slack's tokens (https://docs.slack.dev/authentication/tokens), which the order service must not see. The form
 * of its own tokens is not documented (order-service-interface.md, section 5), so no others are refused.
 */
const TOKEN_OF_SLACK = /^(?:xoxe\.)?(?:xox[a-z]|xapp)-/;

/** The lengths in bytes of the unguessable part of the events URL, and of the secret that events are signed with. */
const ENDPOINT_BYTES = 24;
const EVENTS_SECRET_BYTES = 32;

type TokenProblem = 'malformed' | 'of_slack' | 'too_short';

/** @returns the problem of a token, as far as visible without asking the order service */
export function tokenProblem(token: string): TokenProblem | undefined {
  if (!TOKEN.test(token)) return 'malformed';
  if (TOKEN_OF_SLACK.test(token)) return 'of_slack';
  return token.length < SHORTEST_TOKEN ? 'too_short' : undefined;
}

/**
 * Connects a workspace. Connecting again replaces the token and keeps the events URL and its secret, unless a new secret is
 * requested or needed. Then the former secret stays valid for another day, so that no event is lost until the service has
 * the new one, unless the admin ends it.
 *
 * @returns once all replicas of the storage have the connection. Nothing that fails after that prevents the return: the admin
 *   must be shown the secret, which is possible only now
 */
export async function connect(deps: ConnectDeps, connecting: Connecting): Promise<Connected> {
  const { workspace, token, by: user } = connecting;
  const problem = tokenProblem(token);
  if (problem) return { type: problem };
  const use = await useOf(deps, connecting);
  const check = tolerateGraphql(await deps.checkToken(token), use.tokenKind);
  if (check.type === 'refused' || check.type === 'unreachable') return check;
  const saved = await save(deps, { ...connecting, ...use });
  if (typeof saved === 'string') return { type: saved };
  const doubt = check.type === 'accepted' ? undefined : check;
  const { eventsUrl, secret, endsFormer, generation, before, former: replaced } = saved;
  // The log never has a token or a secret.
  const ended = endsFormer && { formerSecretEnded: true };
  const to = { ...use, newToken: replaced?.token !== token, newSecret: secret !== undefined, ...ended };
  deps.log.info({ workspace, user, from: connectionFields(before), to }, 'workspace connected');
  const isNoLongerExclusive = before?.token !== undefined && before.exclusive && !use.exclusive;
  const next = { token, works: doubt === undefined, by: user };
  const former = connecting.revokeFormer ? await revokeFormer(deps, replaced, next) : undefined;
  if (former) deps.log.info({ workspace, user, result: former.type }, 'revocation of the former token ended');
  // Only now: revoking takes long, and a process that ends meanwhile shows nobody the secret. If this fails, the secret still
  // counts as unseen, and the next connect makes another one.
  if (secret !== undefined) await deps.connections.noteSecretSeen({ workspace, generation }).catch(() => {});
  const connected = { type: 'connected' as const, eventsUrl, secret, doubt, isNoLongerExclusive };
  return { ...connected, ...(former && { former }) };
}

type Use = Pick<Connection, 'tokenKind' | 'exclusive'>;

/** Returns the kind of a token and whether only Countermand uses it. What is left out is as it was, if the token is the same. */
async function useOf({ connections }: ConnectDeps, connecting: Connecting): Promise<Use> {
  const { workspace, token, tokenKind, exclusive } = connecting;
  if (tokenKind !== undefined && exclusive !== undefined) return { tokenKind, exclusive };
  const before = await connections.find(workspace);
  const isSame = before?.token && (await connections.token(before).catch(asError)) === token;
  const former = isSame ? before : { tokenKind: 'rest' as const, exclusive: false };
  return { tokenKind: tokenKind ?? former.tokenKind, exclusive: exclusive ?? former.exclusive };
}

type Saved = {
  eventsUrl: string;
  secret: string | undefined;
  endsFormer: boolean;
  generation: string;
  before: Connection | undefined;
  former: Former;
};

/** Whether the new secret ends a former one at once. */
const endsSecret = (
  { endsFormerSecret = false }: Connecting,
  before: Connection | undefined,
  secret: string | undefined,
): boolean => endsFormerSecret && before !== undefined && secret !== undefined;

/**
 * Returns a doubt in place of the refusal of a GraphQL token: REST endpoints end their support of GraphQL tokens each at its
 * own time (order-service-interface.md, section 5).
 */
function tolerateGraphql(check: TokenCheck, tokenKind: TokenKind): TokenCheck | Doubt {
  return check.type === 'refused' && tokenKind === 'graphql' ? { type: 'graphql_refused' } : check;
}

/**
 * Replaces the stored connection. If somebody else writes one meanwhile, theirs is replaced, unless the admin has seen
 * another one (`replaces`).
 */
async function save(
  deps: ConnectDeps,
  connecting: Connecting & Use,
): Promise<Saved | 'revoking' | 'changed'> {
  const { connections, publicUrl, now, uuid, secret: newSecretOf } = deps;
  const { workspace, token, tokenKind, exclusive, by: connectedBy, newSecret, replaces } = connecting;
  for (;;) {
    const row = await connections.find(workspace);
    if (replaces && row?.generation !== replaces.generation) return 'changed';
    const before = row && !(await isFinished(deps, row)) ? row : undefined;
    const former = await formerOf(deps, before);
    const endpoint = before?.endpoint ?? newSecretOf(ENDPOINT_BYTES);
    const keepsSecret = before !== undefined && !newSecret && !connections.isSecretLost(before);
    const secret = keepsSecret ? undefined : newSecretOf(EVENTS_SECRET_BYTES);
    const endsFormer = endsSecret(connecting, before, secret);
    const generation = uuid();
    const made = { endpoint, secret, endsFormer, generation, connectedBy, connectedAt: now() };
    const saved = await connections.save({ workspace, token, tokenKind, exclusive, ...made }, row);
    if (saved === 'revoking') return saved;
    if (saved === 'conflict') continue;
    const eventsUrl = new URL(`events/${endpointAddress({ workspace, endpoint })}`, publicUrl).href;
    return { eventsUrl, secret, endsFormer, generation, before, former };
  }
}

/** Reads the token that is replaced, before it is removed. A token that can't be read must not prevent its replacement. */
async function formerOf({ connections }: ConnectDeps, before: Connection | undefined): Promise<Former> {
  if (!before?.token) return undefined;
  const { workspace, tokenKind, token: named } = before;
  const token = await connections.token(before).catch(asError);
  return token === undefined ? undefined : { workspace, token, tokenKind, generation: named.generation };
}

/** All times are epoch milliseconds; an observation that was not made since this connection began is undefined. */
export type ConnectionFacts = {
  /** A member's id, or `terminal`. */
  connectedBy: string;
  connectedAt: number;
  /** The time of the last answer that showed a valid token. */
  lastCall: number | undefined;
  lastEvent: number | undefined;
  /** Calls are paused because the service refused the token. `state`: `open` once a check of the token was not refused. */
  paused: (Pick<TokenPause, 'state' | 'since'> & { nextCheck: number }) | undefined;
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

type PlanDeps = Pick<ConnectDeps, 'connections' | 'owesOutcome' | 'now'> & {
  connectionHealth: ConnectionHealth;
};

/** Collects the current values for an admin's form, never the token. */
export async function planConnect(deps: PlanDeps, workspace: string): Promise<ConnectPlan> {
  const row = await deps.connections.find(workspace);
  if (!row || (await isFinished(deps, row))) return { type: 'new', generation: row?.generation };
  const { tokenKind, exclusive, token, generation } = row;
  const facts = token ? { facts: await factsOf(deps, row) } : {};
  return { type: 'again', generation, tokenKind, exclusive, ...facts };
}

async function factsOf(
  { connectionHealth, now }: PlanDeps,
  connection: Connection,
): Promise<ConnectionFacts> {
  const { connectedBy, connectedAt } = connection;
  const [lastCall, lastEvent] = await Promise.all([
    connectionHealth.last('call', connection),
    connectionHealth.last('event', connection),
  ]);
  const secrets = liveSecrets(connection, now()).length;
  const pause = pauseIn(connection);
  const paused = pause && { state: pause.state, since: pause.since, nextCheck: pause.dueAt };
  return { connectedBy, connectedAt, lastCall, lastEvent, paused, secrets };
}
