/**
 * Revokes a token at the order service, unless another workspace holds it: when the workspace is disconnected or uninstalls
 * Countermand and, if the admin wants that, when the token is replaced.
 */
import { asError, reportFault } from '../../fault.ts';
import type { Log, Replicated } from '../../outbox/ports.ts';
import type { TokenKind } from '../../requests/model/refusal.ts';
import type { Revocation, Revoke, Runtime } from '../../requests/ports/ports.ts';
import type { RecordAct } from '../../requests/store/audit-trail.ts';
import { CLAIM_MS, type ClaimToken, type Holder } from './token-record.ts';

/** The result of revoking the former token. */
export type FormerRevocation =
  /** `in_doubt`: the new token may not work, and the former one may have to be connected again. */
  { type: 'none' | 'same' | 'shared' | 'in_doubt' } | Revocation;

/** Logs a failed revocation. @returns the reference of a fault: nobody knows if the token is revoked, or nothing was sent */
export function reportRevocation(
  log: Log,
  workspace: string,
  revocation: FormerRevocation,
): string | undefined {
  switch (revocation.type) {
    case 'unknown':
    case 'not_sent':
      return reportFault(log, revocation.error, { workspace, action: 'revoke' });
    case 'unreachable':
      log.warn({ workspace, err: revocation.error }, 'token not revoked');
      return undefined;
    default:
      return undefined;
  }
}

/**
 * The replaced token; undefined: there was none. `token`: an error if it could not be opened. `generation`: the one under which
 * it was stored.
 */
export type Former =
  | { workspace: string; token: string | Error; tokenKind: TokenKind; generation: string }
  | undefined;

/** The new token. `works`: the service has accepted it. `by`: the admin who connects. */
type Next = { token: string; works: boolean; by: string };

/**
 * Revokes the former token. It is already removed from the storage, so nothing tries this again: if it fails, a person must
 * revoke the token.
 *
 * @returns the result; it never throws, because the workspace is connected whatever happens here
 */
export async function revokeFormer(deps: RevokeDeps, former: Former, next: Next): Promise<FormerRevocation> {
  if (!former) return { type: 'none' };
  const { token, generation, ...whose } = former;
  if (token instanceof Error) return { type: 'not_sent', error: token };
  if (token === next.token) return { type: 'same' };
  if (!next.works) return { type: 'in_doubt' };
  const isLeaving = (holder: Holder) => holder.generation === generation;
  let isSent = false;
  const revoke: typeof deps.revoke = (...given) => {
    isSent = true;
    return deps.revoke(...given);
  };
  try {
    return await revokeUnshared({ ...deps, revoke }, { ...whose, token, by: next.by, isLeaving });
  } catch (thrown) {
    const error = asError(thrown);
    return isSent ? { type: 'unknown', code: 'FAULT', error } : { type: 'not_sent', error };
  }
}

export type RevokeDeps = Pick<Runtime, 'monotonic' | 'sleep'> & {
  connections: { claim: ClaimToken; dropLeft: (of: { workspace: string; token: string }) => Promise<void> };
  replicated: Replicated;
  revoke: Revoke;
  recordAct: RecordAct;
};

/**
 * `by`: the admin who revokes it; undefined: the workspace was uninstalled, and has an entry for that. `isLeaving`: tells the
 * holders that give it up. For an admin that is one generation: another admin may have connected the same workspace with the
 * same token meanwhile. `mayGoOn`: asked right before the call.
 */
export type Revoking = {
  workspace: string;
  token: string;
  tokenKind: TokenKind;
  by: string | undefined;
  isLeaving: (holder: Holder) => boolean;
  mayGoOn?: () => Promise<boolean>;
};

/** The interval between two tries while somebody else holds the claim. */
const BUSY_MS = 500;

/**
 * Revokes a token under a claim, so that no other workspace begins to hold it meanwhile. If somebody else is revoking it, waits
 * until they have ended. A revocation by an admin writes no record that an audit entry could go with, so `recordAct` writes the
 * entry before it.
 *
 * @returns `shared`: another holder stays, and nothing was sent
 */
export async function revokeUnshared(
  deps: RevokeDeps,
  { workspace, token, tokenKind, by, isLeaving, mayGoOn = async () => true }: Revoking,
): Promise<Revocation | { type: 'shared' }> {
  const { connections, replicated, revoke, recordAct, monotonic, sleep } = deps;
  await connections.dropLeft({ workspace, token });
  for (;;) {
    const since = monotonic();
    const claim = await connections.claim(token, isLeaving);
    if (claim === 'shared') return { type: claim };
    if (claim === 'busy') {
      await sleep(BUSY_MS);
      continue;
    }
    const inTime = () => monotonic() - since <= CLAIM_MS / 2;
    try {
      // Otherwise a server that takes over may lack the claim, and there somebody may begin to hold the token.
      await replicated(claim.isHeld);
      const isHeld = async () => (await claim.isHeld()) && (await mayGoOn());
      const revoking = () => revoke(token, tokenKind, { inTime, isHeld });
      if (by === undefined) return await revoking();
      return await recordAct({ workspace, by: [by], act: 'revoked_token' }, revoking, ({ type }) => type);
    } finally {
      // A claim that can't be released expires by itself.
      await claim.release().catch(() => {});
    }
  }
}
