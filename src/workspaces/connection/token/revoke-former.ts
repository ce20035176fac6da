/** Revokes a replaced token, if the admin wants that. */
import type { HeldToken, Revocation } from '../../../requests/ports/ports.ts';
import { type RevokeDeps, revokeUnshared } from './revoke-unshared.ts';

export type FormerToken =
  /** `in_doubt`: the new token may not work, and the former one may have to be connected again. */
  | { type: 'none' | 'same' | 'shared' | 'in_doubt' }
  /** A fault of ours happened before the service was asked. */
  | { type: 'not_sent'; error: Error }
  | Revocation;

/** `token`: an error if it could not be opened. undefined: there was none. */
export type Former = { workspace: string; token: string | Error; tokenKind: HeldToken['kind'] } | undefined;

/** `by`: the admin who replaces it. */
type Next = { token: string; works: boolean; by: string };

/**
 * Revokes the former token. It is already removed from the storage, so whatever is not done now, a person must do.
 *
 * @param former the connection before
 * @param next its replacement. `works`: the service has accepted its token
 * @returns the result; it never throws, because the workspace is connected whatever happens here
 */
export async function revokeFormer(deps: RevokeDeps, former: Former, next: Next): Promise<FormerToken> {
  if (!former) return { type: 'none' };
  const { token } = former;
  if (token instanceof Error) return { type: 'not_sent', error: token };
  if (token === next.token) return { type: 'same' };
  if (!next.works) return { type: 'in_doubt' };
  let isSent = false;
  const revoke: typeof deps.revoke = (...given) => {
    isSent = true;
    return deps.revoke(...given);
  };
  try {
    return await revokeUnshared({ ...deps, revoke }, { ...former, token, by: next.by });
  } catch (thrown) {
    const error = asError(thrown);
    return isSent ? { type: 'unknown', code: 'FAULT', error } : { type: 'not_sent', error };
  }
}

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
