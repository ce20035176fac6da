/** Revokes a token at the service, unless another workspace holds it. */
import type { HeldToken, Revocation, Revoke } from '../../../requests/ports/ports.ts';
import type { Runtime } from '../../../requests/ports/runtime.ts';
import type { RecordAct } from '../../../requests/store/record-act.ts';
import { CLAIM_MS, type ClaimToken } from './claim.ts';

export type RevokeDeps = Pick<Runtime, 'monotonic' | 'sleep'> & {
  connections: { claim: ClaimToken };
  revoke: Revoke;
  recordAct: RecordAct;
};

/** `by`: the admin who revokes it; undefined: the workspace was uninstalled, and has an entry for that. */
type Revoking = { workspace: string; token: string; tokenKind: HeldToken['kind']; by: string | undefined };

/** The interval between two looks at a claim that somebody else holds. */
const BUSY_MS = 500;

/**
 * Revokes under a claim, so that no other workspace begins to hold the token meanwhile. Whoever else revokes the token has
 * their turn first. What comes of an admin's act outside is in no record, so its audit entry is written before it.
 *
 * @returns `shared`: another workspace holds it, and nothing was sent
 */
export async function revokeUnshared(
  deps: RevokeDeps,
  { workspace, token, tokenKind, by }: Revoking,
): Promise<Revocation | { type: 'shared' }> {
  const { connections, revoke, recordAct, monotonic, sleep } = deps;
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
      const revoking = () => revoke(token, tokenKind, { inTime, isHeld: claim.isHeld });
      if (by === undefined) return await revoking();
      return await recordAct({ workspace, by: [by], act: 'revoked_token' }, revoking, ({ type }) => type);
    } finally {
      // A claim that can't be released expires by itself.
      await claim.release().catch(() => {});
    }
  }
}
