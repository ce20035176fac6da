/** Use case: an admin connects a workspace to the order service. */
import type { Revocation, TokenCheck } from '../../requests/ports/ports.ts';
import type { Runtime } from '../../requests/ports/runtime.ts';
import type { Settings, SettingsStore } from '../settings.ts';
import type { TokenKind } from './connections.ts';
import { isSpent, removeConnection, type SpentDeps } from './finished-connections.ts';
import { type FormerToken, revokeFormer } from './revoke-former.ts';

export type ConnectDeps = SpentDeps &
  Pick<Runtime, 'now' | 'uuid' | 'secret'> & {
    settings: SettingsStore;
    checkToken: (token: string) => Promise<TokenCheck>;
    revoke: (token: string) => Promise<Revocation>;
    publicUrl: URL;
  };

export type Connecting = {
  workspace: string;
  token: string;
  tokenKind: TokenKind;
  exclusive: boolean;
  /** Who connects: a member's id, or `terminal`. */
  by: string;
  /** Makes a new events secret where there is one already. */
  newSecret: boolean;
  /** Has the service revoke the token that this one takes the place of; not where another workspace holds it. */
  revokeFormer?: boolean;
  /** Left as they are where none are given. */
  settings?: Settings;
};

/** What speaks against a token that was saved all the same. */
export type Doubt =
  | Extract<TokenCheck, { type: 'limited' | 'unverified' }>
  /** The check said 401, which of a GraphQL token does not tell what other operations say. */
  | { type: 'graphql_refused' };

export type Connected =
  | { type: TokenProblem }
  | { type: 'refused' }
  | { type: 'unreachable' }
  /** Another admin has connected or disconnected the workspace in the same moment; what is in force is theirs. */
  | { type: 'overtaken' }
  | {
      type: 'connected';
      eventsUrl: string;
      /** Shown now and never again; undefined: the one that was shown before stays. */
      secret: string | undefined;
      doubt: Doubt | undefined;
      /** Where it was to be revoked. */
      former?: FormerToken;
    };

/** Printable ASCII without spaces (RFC 9110, section 5.6.2, and RFC 6750): anything else can't stand in a header. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** A token is taken out of whatever the order service writes: a shorter one could be a part of ordinary words. */
const SHORTEST_TOKEN = 8;

export type TokenProblem = 'malformed' | 'too_short';

/** @returns what is wrong with a token, as far as that can be seen without asking the order service */
export function tokenProblem(token: string): TokenProblem | undefined {
  if (!TOKEN.test(token)) return 'malformed';
  return token.length < SHORTEST_TOKEN ? 'too_short' : undefined;
}

/**
 * Connecting again replaces the token and keeps the events URL and its secret, unless a new one is asked for: then the
 * former one opens events for another day, so that none is lost while the service is told the new one.
 */
export async function connect(deps: ConnectDeps, connecting: Connecting): Promise<Connected> {
  const { token, settings, workspace } = connecting;
  const problem = tokenProblem(token);
  if (problem) return { type: problem };
  const check = weigh(await deps.checkToken(token), connecting.tokenKind);
  if (check.type === 'refused' || check.type === 'unreachable') return check;
  if (settings) await deps.settings.change(workspace, settings);
  const saved = await save(deps, connecting);
  if (!saved) return { type: 'overtaken' };
  const doubt = check.type === 'accepted' ? undefined : check;
  const { eventsUrl, secret, before } = saved;
  const connected = { type: 'connected' as const, eventsUrl, secret, doubt };
  if (!connecting.revokeFormer) return connected;
  return { ...connected, former: await revokeFormer(deps, before, { token, works: doubt === undefined }) };
}

/** REST endpoints end their support of GraphQL tokens each in its own time (order-service-interface.md, section 5). */
function weigh(check: TokenCheck, tokenKind: TokenKind): TokenCheck | Doubt {
  return check.type === 'refused' && tokenKind === 'graphql' ? { type: 'graphql_refused' } : check;
}

async function save(deps: ConnectDeps, connecting: Connecting) {
  const { connections, publicUrl, now, uuid, secret: newKey } = deps;
  const { workspace, token, tokenKind, exclusive, by: connectedBy, newSecret } = connecting;
  const row = await connections.find(workspace);
  const spent = row && (await isSpent(deps, row));
  if (spent) await removeConnection(deps, row);
  const before = spent ? undefined : row;
  const endpoint = before?.endpoint ?? newKey(24);
  const secret = before && !newSecret ? undefined : newKey(32);
  const generation = uuid();
  const made = { endpoint, secret, generation, connectedBy, connectedAt: now() };
  await connections.save({ workspace, token, tokenKind, exclusive, ...made }, before);
  // The last write wins: who was overtaken must not hand on a URL or a secret that never worked.
  const after = await connections.findByEndpoint(endpoint);
  if (after?.generation !== generation) return undefined;
  return { eventsUrl: new URL(`events/${endpoint}`, publicUrl).href, secret, before };
}
