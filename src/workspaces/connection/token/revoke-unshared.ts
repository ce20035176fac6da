/** Revokes a token at the service, unless another workspace holds it. */
import type { HeldToken, Revocation, Revoke } from '../../../requests/ports/ports.ts';
import type { Runtime } from '../../../requests/ports/runtime.ts';
import { CLAIM_MS, type ClaimToken } from './claim.ts';

export type RevokeDeps = Pick<Runtime, 'monotonic' | 'sleep'> & {
  connections: { claim: ClaimToken };
  revoke: Revoke;
};

/** The interval between two looks at a claim that somebody else holds. */
const BUSY_MS = 500;

/**
 * Revokes under a claim, so that no other workspace begins to hold the token meanwhile. Whoever else revokes the token has
 * their turn first.
 *
 * @returns `shared`: another workspace holds it, and nothing was sent
 */
export async function revokeUnshared(
  deps: RevokeDeps,
  { workspace, token, tokenKind }: { workspace: string; token: string; tokenKind: HeldToken['kind'] },
): Promise<Revocation | { type: 'shared' }> {
  const { connections, revoke, monotonic, sleep } = deps;
  for (;;) {
    const since = monotonic();
    const claim = await connections.claim(token, workspace);
    if (claim === 'shared') return { type: claim };
    if (claim === 'busy') {
      await sleep(BUSY_MS);
      continue;
    }
    const inTime = () => monotonic() - since <= CLAIM_MS / 2;
    try {
      return await revoke(token, tokenKind, { inTime, isHeld: claim.isHeld });
    } finally {
      // A claim that can't be released expires by itself.
      await claim.release().catch(() => {});
    }
  }
}
