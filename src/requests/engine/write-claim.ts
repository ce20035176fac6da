/** Writes the claim of an effect, which survives a failover if anybody sees the effect. */

import type { Condition } from '../../outbox/record-store.ts';
import type { Replicated } from '../../outbox/replicated.ts';
import { type Claim, fieldsOf, type RequestRecord } from '../model/record.ts';
import type { Written } from '../store/entry.ts';
import type { Claimed } from './effects.ts';
import { type SaveDeps, write } from './save-result.ts';

export type ClaimDeps = SaveDeps & { replicated: Replicated };

/** The others only look, or remove copies, and may be repeated. */
const SEEN: ReadonlySet<Claim['effect']> = new Set(['call', 'post', 'update']);

/**
 * Writes a claim, if the conditions are met. That of a call or a post must survive a failover: without it, another process would call or post again.
 * That of an update must, with all that was written before it: else the message would show what the failover has undone.
 */
export async function writeClaim(
  deps: ClaimDeps,
  record: RequestRecord,
  claimed: Claimed,
  conditions: readonly Condition[],
): Promise<Written | { type: 'unreplicated'; version: number }> {
  const { effect } = claimed.claim;
  let written: Written | undefined;
  const claim = async () => {
    written = await write(deps, record, { record: claimed, unmatched: [] }, conditions);
    return written;
  };
  if (!SEEN.has(effect)) return claim();
  try {
    return await deps.replicated(claim);
  } catch (err) {
    if (written?.type !== 'updated') throw err;
    deps.log.error({ ...fieldsOf(record), effect, err }, 'claim not replicated: nothing is sent');
    return { ...written, type: 'unreplicated' };
  }
}
