/** Writes the claim of an effect, which survives a failover if the effect must not be repeated. */
import { fieldsOf, type RequestRecord } from '../model/record.ts';
import type { Replicated } from '../ports/replicated.ts';
import type { Claimed } from './effects.ts';
import { type SaveDeps, write } from './save-result.ts';

export type ClaimDeps = SaveDeps & { replicated: Replicated };

/**
 * Writes a claim. That of a call or a post must survive a failover: without it, another process would call or post again.
 * An update or a search may be repeated.
 */
export async function writeClaim(
  deps: ClaimDeps,
  record: RequestRecord,
  claimed: Claimed,
): Promise<'updated' | 'conflict' | 'unreplicated'> {
  const { effect } = claimed.claim;
  let written: 'updated' | 'conflict' | undefined;
  const claim = async () => {
    written = await write(deps, record, { record: claimed, unmatched: [] });
    return written;
  };
  if (effect !== 'call' && effect !== 'post') return claim();
  try {
    return await deps.replicated(claim);
  } catch (err) {
    if (written !== 'updated') throw err;
    deps.log.error({ ...fieldsOf(record), effect, err }, 'claim not replicated: nothing is sent');
    return 'unreplicated';
  }
}
